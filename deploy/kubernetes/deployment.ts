import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IContainer } from 'kubernetes-models/v1/Container'
import { environmentOf } from './environment.ts'
import { API_PORT, HEALTH_PORT, metadataOf, secretsOf, selectorOf } from './names.ts'
import { probesOf } from './probes.ts'
import type { Process, ProcessName } from './processes.ts'

/** `node` in the image. */
const USER = 1000
const REPLICAS = 2
/** The signer runs where the operator gives it replicas, once its seed is there: docs/GOING-LIVE.md. */
const replicasOf = (name: ProcessName): number => (name === 'signer' ? 0 : REPLICAS)
/** Until load balancers have learnt that the pod goes; it serves meanwhile. */
export const DRAIN_SECONDS = 5
/** Above SHUTDOWN_TIMEOUT, 15 s, within which a process ends itself; docker-compose.yml has the same. */
const STOP_SECONDS = 20

export const graceSecondsOf = (name: ProcessName): number =>
  name === 'gateway' ? DRAIN_SECONDS + STOP_SECONDS : STOP_SECONDS

const portsOf = (name: ProcessName) => [
  { name: 'health', containerPort: HEALTH_PORT },
  ...(name === 'gateway' ? [{ name: 'api', containerPort: API_PORT }] : []),
]

/** Services stop taking requests from the bus automatically; only the gateway has callers that must first move to other pods. */
const lifecycleOf = (name: ProcessName): Pick<IContainer, 'lifecycle'> =>
  name === 'gateway'
    ? { lifecycle: { preStop: { exec: { command: ['sleep', String(DRAIN_SECONDS)] } } } }
    : {}

const containerOf = (process: Process): IContainer => ({
  name: process.name,
  image: 'causeway',
  args: [...process.args],
  env: environmentOf(process),
  ports: portsOf(process.name),
  ...probesOf(process.name),
  ...lifecycleOf(process.name),
  resources: {
    requests: { cpu: '250m', memory: `${process.memoryMib}Mi` },
    limits: { cpu: String(process.cpus), memory: `${process.memoryMib}Mi` },
  },
  securityContext: {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  },
  volumeMounts: [
    { name: 'secrets', mountPath: '/run/secrets', readOnly: true },
    { name: 'tmp', mountPath: '/tmp' },
  ],
})

/**
 * A process with two replicas on different nodes where there are some. A new replica is ready before an old one goes:
 * `/readyz`, then SIGTERM (docs/OPERATIONS.md).
 */
export const deploymentOf = (process: Process): Deployment => {
  const labels = selectorOf(process.name)
  return new Deployment({
    metadata: metadataOf(process.name, labels),
    spec: {
      replicas: replicasOf(process.name),
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: graceSecondsOf(process.name),
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            runAsGroup: USER,
            fsGroup: USER,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [containerOf(process)],
          volumes: [
            { name: 'secrets', secret: { secretName: secretsOf(process.name), defaultMode: 0o440 } },
            { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
          ],
        },
      },
    },
  })
}
