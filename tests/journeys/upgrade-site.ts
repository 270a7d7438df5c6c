import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { REQUIRED_SERVICES } from '@causeway/contracts'
import { PRODUCTION, readCompose, SANDBOX_OVERLAY } from '../../scripts/deployment/compose.ts'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { startBalancer } from '@causeway/dev-env/platform/cluster/balancer'
import type { RunningProcess } from '@causeway/dev-env/platform/node-process'
import { createRawClient } from '@causeway/dev-env/platform/raw-client'
import { startContainer } from './compose-platform.ts'
import { createComposeDatabases, startComposeServers } from './compose-servers.ts'
import { createOperatorFolder } from './operator-folder.ts'
import { THIS_VERSION } from './released-code.ts'

/** In the order in which they are replaced: the gateway calls all others. */
export const ROLLED = [...REQUIRED_SERVICES, 'gateway'] as const
type Rolled = (typeof ROLLED)[number]
type Replica = Readonly<{ process: RunningProcess; listens: number }>

/** Checks whether a version has a process; the release may be older than a service. */
export const hasProcess = (tree: string, name: Rolled): boolean =>
  existsSync(join(tree, 'services', name, 'src', 'main.ts'))

/** Content of the operator's `.env`. */
const SETTINGS: Readonly<Record<string, string>> = {
  PUBLIC_BASE_URL: 'https://causeway.example',
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
  ACCESS_TOKEN_TTL: '12h',
  LOG_LEVEL: 'warn',
  TIMEOUT_FACTOR: String(TEST_TIMEOUT_FACTOR),
}

const SANDBOX_SECRETS = {
  sandbox_card_secret: 'secret-of-the-cards',
  sandbox_onramp_secret: 'secret-of-the-onramp',
}
/** 0.1.0 takes these from its environment; later versions have them in docker-compose.sandbox.yml. */
const SANDBOX: Readonly<Record<string, string>> = {
  SANDBOX_CARD_SECRET: SANDBOX_SECRETS.sandbox_card_secret,
  SANDBOX_ONRAMP_SECRET: SANDBOX_SECRETS.sandbox_onramp_secret,
  CARD_URL: 'http://sandbox:8092',
  ONRAMP_URL: 'http://sandbox:8093',
  SANDBOX_RECEIVING_ACCOUNTS: 'true',
  WEBHOOK_ALLOW_INSECURE: 'true',
}

/** Ports of loopback in place of the containers' addresses. */
const choosePorts = async () => {
  const [
    GATEWAY_PORT = 0,
    SANDBOX_PORT = 0,
    SANDBOX_CHAIN_PORT = 0,
    SANDBOX_CARD_PORT = 0,
    SANDBOX_ONRAMP_PORT = 0,
  ] = await Promise.all(Array.from({ length: 5 }, () => freePort()))
  return { GATEWAY_PORT, SANDBOX_PORT, SANDBOX_CHAIN_PORT, SANDBOX_CARD_PORT, SANDBOX_ONRAMP_PORT }
}
type Servers = Awaited<ReturnType<typeof startComposeServers>>
type Ports = Awaited<ReturnType<typeof choosePorts>>
const addressesOf = (servers: Servers, ports: Ports): Readonly<Record<string, string>> => ({
  'postgres:5432': `127.0.0.1:${servers.postgresPort}`,
  'nats:4222': `127.0.0.1:${servers.natsPort}`,
  'gateway:8080': `127.0.0.1:${ports.GATEWAY_PORT}`,
  'sandbox:8091': `127.0.0.1:${ports.SANDBOX_CHAIN_PORT}`,
  'sandbox:8092': `127.0.0.1:${ports.SANDBOX_CARD_PORT}`,
  'sandbox:8093': `127.0.0.1:${ports.SANDBOX_ONRAMP_PORT}`,
  'localhost:8090': `127.0.0.1:${ports.SANDBOX_PORT}`,
})

const isReady = async ({ process }: Replica): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${process.port}/readyz`)).status === 200

type Launcher = (tree: string, name: Rolled | 'sandbox', gatewayPort: number) => Promise<RunningProcess>

/** Processes that are replaced one at a time, behind one address of the gateway. */
const createFleet = (start: Launcher, gateways: number[]) => {
  const running = new Map<Rolled, Replica>()
  const startReplica = async (tree: string, name: Rolled): Promise<Replica> => {
    const listens = await freePort()
    return { process: await start(tree, name, listens), listens }
  }
  return {
    startReplica,
    /** Puts a replica in the place of the one that runs, which then finishes its work in flight. */
    swap: async (name: Rolled, replica: Replica): Promise<void> => {
      await eventually(() => isReady(replica))
      const before = running.get(name)
      running.set(name, replica)
      if (name === 'gateway') gateways.splice(0, gateways.length, replica.listens)
      await before?.process.stop()
    },
    isReady,
    /** Stops a process that the version which runs now does not have. */
    remove: async (name: Rolled): Promise<void> => {
      await running.get(name)?.process.stop()
      running.delete(name)
    },
    stop: () => Promise.all([...running.values()].map(({ process }) => process.stop())),
  }
}

/** Starts the processes of docker-compose.yml of a version with what the operator's folder holds. */
const createLauncher =
  (folder: string, mounted: string, addresses: Readonly<Record<string, string>>, ports: Ports): Launcher =>
  (tree, name, gatewayPort) => {
    const env = { ...SETTINGS, ...SANDBOX }
    const files = [PRODUCTION, SANDBOX_OVERLAY].map((file) => join(tree, file))
    return startContainer(name, {
      tree,
      compose: readCompose(
        files.filter((file) => existsSync(file)),
        env,
      ),
      env,
      replacements: { ...addresses, '/run/secrets': mounted },
      ports: { ...ports, GATEWAY_PORT: gatewayPort },
      folder,
    })
  }

/**
 * Starts an installation of Compose of an earlier version, with its own secrets, databases and permissions, and with this
 * version's sandbox as the outside world.
 * @param earlier folder of its code
 */
export const startSite = async (earlier: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'))
  chmodSync(folder, 0o711)
  const operator = createOperatorFolder({ folder, settings: SETTINGS, given: SANDBOX_SECRETS })
  await operator.install(earlier)
  const servers = await startComposeServers({ folder, secrets: operator.secrets, tree: earlier })
  const ports = await choosePorts()
  const addresses = addressesOf(servers, ports)
  const gateways: number[] = []
  const balancer = await startBalancer(ports.GATEWAY_PORT, gateways)
  const start = createLauncher(folder, operator.mounted, addresses, ports)
  const fleet = createFleet(start, gateways)
  let sandbox: RunningProcess | null = null
  const stop = async () => {
    await fleet.stop()
    await sandbox?.stop()
    await balancer.stop()
    await servers.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    operator.mount(addresses)
    sandbox = await start(THIS_VERSION, 'sandbox', 0)
    const had = ROLLED.filter((name) => hasProcess(earlier, name))
    await Promise.all(had.map(async (name) => fleet.swap(name, await fleet.startReplica(earlier, name))))
  } catch (error) {
    await stop()
    throw error
  }
  const baseUrl = `http://127.0.0.1:${ports.GATEWAY_PORT}`
  const operatorKey = readFileSync(join(operator.secrets, 'operator_api_key'), 'utf8')
  return {
    ...fleet,
    operator,
    baseUrl,
    staff: createRawClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } }),
    sandbox: createRawClient({ baseUrl: `http://127.0.0.1:${ports.SANDBOX_PORT}` }),
    /** Does the work of this version's container `prepare`, and mounts its secrets for the next processes. */
    prepare: async (): Promise<void> => {
      await createComposeDatabases(
        { folder, secrets: operator.secrets, tree: THIS_VERSION },
        servers.postgresPort,
      )
      operator.mount(addresses)
    },
    reloadBus: () => servers.reloadBus(THIS_VERSION),
    /** Runs this version's `audit:verify`. @returns its first line. @throws where the log is broken */
    verifyAuditLog: (): string => {
      const url = readFileSync(join(operator.mounted, 'gateway_database_url'), 'utf8')
      const args = ['services/access/src/audit/command.ts', 'verify']
      const env = { ...process.env, GATEWAY_DATABASE_URL: url }
      return execFileSync(process.execPath, args, { env, encoding: 'utf8' }).split('\n', 1)[0] ?? ''
    },
    stop,
  }
}
export type Site = Awaited<ReturnType<typeof startSite>>
