import { REQUIRED_SERVICES } from '@causeway/contracts'
import { freePort } from '../../infrastructure/free-port.ts'
import { type ComponentName, componentsOf, hasSigner, type Launch } from '../components.ts'
import { startBalancer, type Balancer } from './balancer.ts'

/** Servers that hold each stream of the cluster. */
const REPLICAS = '3'

const secondOf = (name: ComponentName): string => `${name}-2`

/** Number of processes of each component in `start --cluster`: two replicas, but one sandbox. The gateways share one port. */
export type Fleet = Readonly<{
  launches: readonly Launch[]
  /** Opens the port in front of the gateways. */
  open: () => Promise<Balancer>
}>

export const createFleet = async (port: number, env: NodeJS.ProcessEnv): Promise<Fleet> => {
  const gatewayPorts = [await freePort(), await freePort()]
  const settingsOf = (name: ComponentName, replica: number): Record<string, string> =>
    name === 'gateway'
      ? { GATEWAY_PORT: String(gatewayPorts[replica]), NATS_REPLICAS: env['NATS_REPLICAS'] ?? REPLICAS }
      : {}
  const seconds = [...REQUIRED_SERVICES, ...(hasSigner(env) ? ['signer' as const] : []), 'gateway' as const]
  return {
    launches: [
      ...componentsOf(env).map((name) => ({ name, label: name, settings: settingsOf(name, 0) })),
      ...seconds.map((name) => ({ name, label: secondOf(name), settings: settingsOf(name, 1) })),
    ],
    open: () => startBalancer(port, gatewayPorts),
  }
}
