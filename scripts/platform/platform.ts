import { COMPONENTS, type ComponentName, mainOf, nodeFlagsOf } from './components.ts'
import { type DataFolder, takeDataFolder } from './data-folder.ts'
import { environmentOf, type EnvironmentSources } from './environment.ts'
import { type Infrastructure, startInfrastructure } from './infrastructure.ts'
import { startNode } from './node-process.ts'
import { choosePorts } from './ports.ts'
import { type ReadyPartner, readyPartner } from './ready-partner.ts'
import { loadSecrets, rememberKeyRings } from './secrets.ts'
import { loadStartSettings } from './settings.ts'
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
}

export type Platform = {
  baseUrl: string
  sandboxUrl: string
  operatorKey: string
  partner: ReadyPartner | null
  dataDir: string
  processes: Readonly<Record<ComponentName, Supervised>>
  /** Null when the settings name running servers. */
  postgres: Supervised | null
  nats: Supervised | null
  /** Starts another replica of a component with its own settings. It is stopped with the platform. */
  startReplica: (name: ComponentName, env: Readonly<Record<string, string>>) => Promise<Supervised>
  stop: () => Promise<void>
}

const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000
/** How long the processes of a killed supervisor may take to release their ports. */
const PORT_RELEASE_TIMEOUT_MS = 20_000

type Starter = (name: ComponentName, more?: Readonly<Record<string, string>>) => Promise<Supervised>

const createStarter =
  (
    data: DataFolder,
    sources: EnvironmentSources,
    options: PlatformOptions,
    log: (line: string) => void,
  ): Starter =>
  (name, more = {}) =>
    supervise({
      name,
      log,
      start: () =>
        startNode({
          name,
          flags: nodeFlagsOf(name),
          main: options.mains?.[name] ?? mainOf(name),
          env: { ...environmentOf(name, sources), ...more },
          logFile: data.at('logs', `${name}.log`),
          readyTimeoutMs: READY_TIMEOUT_MS,
          stopTimeoutMs: STOP_TIMEOUT_MS,
          signal: options.signal,
        }),
    })

/** Stops the gateway first, so that no new requests arrive, and the servers last. */
const stopAll = async (components: readonly Supervised[], infrastructure: Infrastructure): Promise<void> => {
  await Promise.all(components.filter(({ name }) => name === 'gateway').map((gateway) => gateway.stop()))
  await Promise.all(components.map((component) => component.stop()))
  await infrastructure.nats?.stop()
  await infrastructure.postgres?.stop()
}

const startComponents = async (
  start: Starter,
  log: (line: string) => void,
): Promise<Map<ComponentName, Supervised>> => {
  const started = new Map<ComponentName, Supervised>()
  const results = await Promise.allSettled(
    COMPONENTS.map(async (name) => {
      const component = await start(name)
      started.set(name, component)
      log(`${name} is ready`)
    }),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed === undefined) return started
  await Promise.all([...started.values()].map((component) => component.stop()))
  throw failed.reason
}

/** Starts everything once the data folder is locked; if a step fails, what had started is stopped. */
const startIn = async (data: DataFolder, options: PlatformOptions): Promise<Platform> => {
  const log = options.log ?? (() => undefined)
  const env = options.env ?? process.env
  const settings = loadStartSettings(env)
  const wanted =
    options.ports === 'free'
      ? { gateway: 0, sandbox: 0, chain: 0, card: settings.SANDBOX_CARD_PORT, onramp: 0 }
      : {
          gateway: settings.GATEWAY_PORT,
          sandbox: settings.SANDBOX_PORT,
          chain: settings.SANDBOX_CHAIN_PORT,
          card: settings.SANDBOX_CARD_PORT,
          onramp: settings.SANDBOX_ONRAMP_PORT,
        }
  const ports = await choosePorts(wanted, data.abandoned ? PORT_RELEASE_TIMEOUT_MS : 0)
  const secrets = loadSecrets(data.at('secrets.json'))
  const operatorKey = settings.OPERATOR_API_KEY ?? secrets.operatorApiKey
  log('Starting PostgreSQL and NATS')
  const infrastructure = await startInfrastructure({ data, secrets, settings, env, log })
  log('Starting the services')
  const sources = {
    env,
    dataDir: data.path,
    ports,
    infrastructure,
    operatorApiKey: operatorKey,
    keys: {
      current: settings.ENCRYPTION_KEY ?? secrets.encryptionKey,
      previous: settings.PREVIOUS_ENCRYPTION_KEY,
      areAdopted: !secrets.hasKeyRings,
    },
    busKeys: secrets.busKeys,
  }
  const start = createStarter(data, sources, options, log)
  const components: Supervised[] = []
  const baseUrl = `http://127.0.0.1:${ports.gateway}`
  try {
    const named = await startComponents(start, log)
    components.push(...named.values())
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
      processes: Object.fromEntries(COMPONENTS.map((name) => [name, named.get(name)])) as Record<
        ComponentName,
        Supervised
      >,
      postgres: infrastructure.postgres,
      nats: infrastructure.nats,
      startReplica: async (name, more) => {
        const replica = await start(name, more)
        components.push(replica)
        return replica
      },
      stop: async () => {
        await stopAll(components, infrastructure)
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
  const data = takeDataFolder(options.dataDir ?? loadStartSettings(options.env ?? process.env).DATA_DIR)
  try {
    return await startIn(data, options)
  } catch (error) {
    data.release()
    throw error
  }
}
