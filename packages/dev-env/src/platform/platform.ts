import { join } from 'node:path'
import { type ClusterInfrastructure, startClusterInfrastructure } from './cluster/infrastructure.ts'
import { createFleet } from './cluster/fleet.ts'
import {
  COMPONENTS,
  type ComponentName,
  componentsOf,
  type Launch,
  mainOf,
  nodeFlagsOf,
} from './components.ts'
import { type DataFolder, takeDataFolder } from './data-folder.ts'
import { environmentOf, rerouted, type EnvironmentSources, type Reroute } from './environment.ts'
import { type Infrastructure, type InfrastructureOptions, startInfrastructure } from './infrastructure.ts'
import { startNode } from './node-process.ts'
import { choosePorts, type Ports } from './ports.ts'
import { type ReadyPartner, readyPartner } from './ready-partner.ts'
import { loadSecrets, rememberKeyRings } from './secrets.ts'
import { loadStartSettings, type StartSettings } from './settings.ts'
import { type Supervised, supervise } from './supervised.ts'

export type PlatformOptions = {
  /** Default: setting DATA_DIR. */
  dataDir?: string
  /**
   * `free`: any free ports, except a SANDBOX_CARD_PORT that is set. Default: settings GATEWAY_PORT and SANDBOX_PORT.
   */
  ports?: 'free'
  /** Settings of all processes. Default: this process's environment. */
  env?: NodeJS.ProcessEnv
  /** Called with one line for each step, and whenever a process ends unexpectedly. */
  log?: (line: string) => void
  /** Replaces the components' entry files, in tests of the supervision itself. */
  mains?: Readonly<Partial<Record<ComponentName, string>>>
  /** False: without the ready partner. */
  withPartner?: boolean
  /** Aborts a start in progress. */
  signal?: AbortSignal
  /** Three NATS servers, a pair of PostgreSQL and two replicas of each component, in a folder of their own in DATA_DIR. */
  isCluster?: boolean
  /** Where a component reaches a server, by the server's own address. Tests put a proxy between the two. */
  reroute?: Reroute
}

export type Platform = {
  baseUrl: string
  sandboxUrl: string
  operatorKey: string
  partner: ReadyPartner | null
  dataDir: string
  processes: Readonly<Record<(typeof COMPONENTS)[number], Supervised>>
  /** Every replica of every component, by its label: `payments` and, in a cluster, `payments-2`. */
  replicas: ReadonlyMap<string, Supervised>
  /** The servers that were started. */
  servers: readonly Supervised[]
  /** Null when the settings name running servers, and in a cluster. */
  postgres: Supervised | null
  nats: Supervised | null
  /** The servers of a cluster. */
  cluster: Pick<ClusterInfrastructure, 'database' | 'bus'> | null
  /** Starts another replica of a component with its own settings. It is stopped with the platform. */
  startReplica: (name: ComponentName, env: Readonly<Record<string, string>>) => Promise<Supervised>
  stop: () => Promise<void>
}

const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000
/** How long the processes of a killed supervisor may take to release their ports. */
const PORT_RELEASE_TIMEOUT_MS = 20_000

/** @param givenUp aborted when another component does not start; left out: it starts alone */
type Starter = (launch: Launch, givenUp?: AbortSignal) => Promise<Supervised>

const createStarter =
  (
    data: DataFolder,
    sources: EnvironmentSources,
    options: PlatformOptions,
    log: (line: string) => void,
  ): Starter =>
  ({ name, label, settings }, givenUp) =>
    supervise({
      name: label,
      log,
      start: () =>
        startNode({
          name,
          flags: nodeFlagsOf(name),
          main: options.mains?.[name] ?? mainOf(name),
          env: { ...environmentOf(name, sources), ...settings },
          logFile: data.at('logs', `${label}.log`),
          readyTimeoutMs: READY_TIMEOUT_MS,
          stopTimeoutMs: STOP_TIMEOUT_MS,
          signal: AbortSignal.any([options.signal, givenUp].filter((signal) => signal !== undefined)),
        }),
    })

/** Stops the gateway first, so that no new requests arrive, and the servers last. */
const stopAll = async (components: readonly Supervised[], infrastructure: Infrastructure): Promise<void> => {
  const gateways = components.filter(({ name }) => name.startsWith('gateway'))
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await Promise.all(components.map((component) => component.stop()))
  await infrastructure.stop()
}

/**
 * Starts all of them. The first that does not start ends the others' starts, and is the one that is reported: the others
 * wait for it, such as for the sandbox's clock, and would say so half a minute later.
 */
const startComponents = async (
  launches: readonly Launch[],
  start: Starter,
  log: (line: string) => void,
): Promise<Map<string, Supervised>> => {
  const labels = launches.map(({ label }) => label)
  const started = new Map<string, Supervised>()
  const failure = new AbortController()
  await Promise.allSettled(
    launches.map(async (launch) => {
      try {
        started.set(launch.label, await start(launch, failure.signal))
        log(`${launch.label} is ready`)
      } catch (error) {
        failure.abort(error)
      }
    }),
  )
  if (!failure.signal.aborted)
    return new Map([...started].sort(([a], [b]) => labels.indexOf(a) - labels.indexOf(b)))
  await Promise.all([...started.values()].map((component) => component.stop()))
  throw failure.signal.reason
}

const portsOf = (options: PlatformOptions, settings: StartSettings): Ports =>
  options.ports === 'free'
    ? { gateway: 0, sandbox: 0, chain: 0, card: settings.SANDBOX_CARD_PORT, onramp: 0, mail: 0 }
    : {
        gateway: settings.GATEWAY_PORT,
        sandbox: settings.SANDBOX_PORT,
        chain: settings.SANDBOX_CHAIN_PORT,
        card: settings.SANDBOX_CARD_PORT,
        onramp: settings.SANDBOX_ONRAMP_PORT,
        mail: settings.SANDBOX_MAIL_PORT,
      }

/** The servers, and what is started of each component. */
const startServers = async (options: InfrastructureOptions, gatewayPort: number, isCluster: boolean) => {
  if (!isCluster) {
    const launches = componentsOf(options.env).map((name) => ({ name, label: name, settings: {} }))
    return { infrastructure: await startInfrastructure(options), cluster: null, launches, open: null }
  }
  const cluster = await startClusterInfrastructure(options)
  return { infrastructure: cluster, cluster, ...(await createFleet(gatewayPort, options.env)) }
}

/** Starts everything once the data folder is locked; if a step fails, what had started is stopped. */
const startIn = async (data: DataFolder, options: PlatformOptions): Promise<Platform> => {
  const log = options.log ?? (() => undefined)
  const env = options.env ?? process.env
  const settings = loadStartSettings(env)
  const ports = await choosePorts(portsOf(options, settings), data.abandoned ? PORT_RELEASE_TIMEOUT_MS : 0)
  const secrets = loadSecrets(data.at('secrets.json'))
  const operatorKey = settings.OPERATOR_API_KEY ?? secrets.operatorApiKey
  log('Starting PostgreSQL and NATS')
  const { infrastructure, cluster, launches, open } = await startServers(
    { data, secrets, settings, env, log },
    ports.gateway,
    options.isCluster === true,
  )
  log('Starting the services')
  const components: Supervised[] = []
  const baseUrl = `http://127.0.0.1:${ports.gateway}`
  try {
    const sources = {
      env,
      dataDir: data.path,
      ports,
      infrastructure: options.reroute ? await rerouted(infrastructure, options.reroute) : infrastructure,
      operatorApiKey: operatorKey,
      keys: {
        current: settings.ENCRYPTION_KEY ?? secrets.encryptionKey,
        previous: settings.PREVIOUS_ENCRYPTION_KEY,
        areAdopted: !secrets.hasKeyRings,
      },
      busKeys: secrets.busKeys,
      approvalKey: secrets.approvalKey,
    }
    const start = createStarter(data, sources, options, log)
    const replicas = await startComponents(launches, start, log)
    components.push(...replicas.values())
    const balancer = await open?.()
    if (sources.keys.areAdopted) rememberKeyRings(data.at('secrets.json'))
    sources.keys.areAdopted = false
    const file = data.at('partner.json')
    const partner = options.withPartner === false ? null : await readyPartner({ baseUrl, operatorKey, file })
    return {
      baseUrl,
      sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
      operatorKey,
      partner,
      dataDir: data.path,
      processes: Object.fromEntries(COMPONENTS.map((name) => [name, replicas.get(name)])) as Record<
        (typeof COMPONENTS)[number],
        Supervised
      >,
      replicas,
      cluster,
      servers: infrastructure.servers,
      postgres: infrastructure.postgres,
      nats: infrastructure.nats,
      startReplica: async (name, own) => {
        const replica = await start({ name, label: name, settings: own })
        components.push(replica)
        return replica
      },
      stop: async () => {
        await stopAll(components, infrastructure)
        await balancer?.stop()
        data.release()
      },
    }
  } catch (error) {
    await stopAll(components, infrastructure)
    throw error
  }
}

/**
 * Starts the whole platform as processes of this machine: PostgreSQL, NATS, the services, the gateway and the sandbox,
 * each restarted when it dies, until `stop`.
 *
 * @throws Error with a message of one line that names the setting to change
 */
export const startPlatform = async (options: PlatformOptions = {}): Promise<Platform> => {
  const dataDir = options.dataDir ?? loadStartSettings(options.env ?? process.env).DATA_DIR
  const data = takeDataFolder(options.isCluster === true ? join(dataDir, 'cluster') : dataDir)
  try {
    return await startIn(data, options)
  } catch (error) {
    data.release()
    throw error
  }
}
