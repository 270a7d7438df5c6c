import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { REQUIRED_SERVICES } from '@causeway/contracts'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import {
  type ComposeFile,
  environmentIn,
  PRODUCTION,
  readCompose,
  SANDBOX_OVERLAY,
} from '../../scripts/deployment/compose.ts'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { startNode, type RunningProcess } from '@causeway/dev-env/platform/node-process'
import { createRawClient } from '@causeway/dev-env/platform/raw-client'
import { startComposeServers } from './compose-servers.ts'

export type ProcessName = (typeof REQUIRED_SERVICES)[number] | 'gateway' | 'sandbox'

const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000
/** Settings of the image that the machine of a test may not keep: addresses, ports and its own cache. */
const OF_A_CONTAINER = /^(NODE_COMPILE_CACHE|\w+_HOST|\w+_PORT)$/

/** Reads the variables that the Dockerfile sets in the final image. */
const imageEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    readFileSync('Dockerfile', 'utf8')
      .split(/^FROM /m)
      .filter((stage) => / AS app\n/.test(stage) || stage.startsWith('app\n'))
      .flatMap((stage) => [...stage.matchAll(/^ENV (.+)$/gm)])
      .flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('=') as [string, string]))
      .filter(([name]) => !OF_A_CONTAINER.test(name)),
  )

export type ComposeOptions = Readonly<{
  hasSandbox: boolean
  /** The operator's `.env`. */
  env: Readonly<Record<string, string>>
  /** The operator's files in deploy/secrets. */
  secrets?: Readonly<Record<string, string>>
  /** False where no process gets as far as PostgreSQL and NATS. */
  hasServers?: boolean
}>

/** A text in which names of containers and paths in them are those of this machine. */
export const replaceAll = (text: string, replacements: Readonly<Record<string, string>>): string =>
  Object.entries(replacements).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

type ContainerOptions = Readonly<{
  compose: ComposeFile
  /** `.env`. */
  env: Readonly<Record<string, string>>
  /** Replacements for names of containers and paths in them. */
  replacements: Readonly<Record<string, string>>
  /** Settings of ports, each for the process whose name it begins with. */
  ports: Readonly<Record<string, number>>
  /** Folder of the logs. */
  folder: string
  /** The checkout whose code runs; left out: this one. */
  tree?: string
}>

/** Exactly the environment that Compose gives a container. */
const environmentOf = (name: ProcessName, options: ContainerOptions): NodeJS.ProcessEnv => {
  const { compose, env, replacements, ports } = options
  const given = Object.entries(environmentIn(compose.services[name] ?? {}, env)).map(([setting, value]) => [
    setting,
    replaceAll(value, replacements),
  ])
  const own = Object.entries(ports).filter(([setting]) => setting.startsWith(`${name.toUpperCase()}_`))
  const listening = Object.fromEntries(own.map(([setting, port]) => [setting, String(port)]))
  return { ...imageEnvironment(), ...(Object.fromEntries(given) as Record<string, string>), ...listening }
}

/**
 * Runs what a container runs, with exactly the environment that Compose gives it.
 * @throws Error with the line that the process ended with
 */
export const startContainer = (name: ProcessName, options: ContainerOptions): Promise<RunningProcess> => {
  const { compose, folder, tree = '.' } = options
  const [main = '', ...flags] = (compose.services[name]?.command ?? []).toReversed()
  return startNode({
    name,
    flags: [...flags.reverse(), '--import', resolve('tests/journeys/loopback-only.ts')],
    main: resolve(tree, main),
    env: environmentOf(name, options),
    logFile: join(folder, `${name}.log`),
    readyTimeoutMs: READY_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  })
}

/**
 * The processes of docker-compose.yml with exactly the environment that Compose gives them. Only names of containers,
 * which this machine does not know, become ports of loopback.
 */
export const prepareCompose = async (options: ComposeOptions) => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-compose-'))
  chmodSync(folder, 0o711)
  const secrets = join(folder, 'secrets')
  execFileSync('sh', ['deploy/make-secrets.sh', secrets])
  const servers = options.hasServers === false ? null : await startComposeServers({ folder, secrets })
  const [gateway = 0, page = 0, chain = 0, card = 0, onramp = 0] = await Promise.all(
    Array.from({ length: 5 }, () => freePort()),
  )
  const addresses = {
    'postgres:5432': `127.0.0.1:${servers?.postgresPort ?? 0}`,
    'nats:4222': `127.0.0.1:${servers?.natsPort ?? 0}`,
    'gateway:8080': `127.0.0.1:${gateway}`,
    'sandbox:8091': `127.0.0.1:${chain}`,
    'sandbox:8092': `127.0.0.1:${card}`,
    'sandbox:8093': `127.0.0.1:${onramp}`,
    'localhost:8090': `127.0.0.1:${page}`,
  }
  for (const name of readdirSync(secrets)) {
    const file = join(secrets, name)
    const text = options.secrets?.[name] ?? readFileSync(file, 'utf8')
    chmodSync(file, 0o644)
    writeFileSync(file, replaceAll(text, addresses))
  }
  const env = { TIMEOUT_FACTOR: String(TEST_TIMEOUT_FACTOR), LOG_LEVEL: 'warn', ...options.env }
  const compose = readCompose(options.hasSandbox ? [PRODUCTION, SANDBOX_OVERLAY] : [PRODUCTION], env)
  const ports = {
    GATEWAY_PORT: gateway,
    SANDBOX_PORT: page,
    SANDBOX_CHAIN_PORT: chain,
    SANDBOX_CARD_PORT: card,
    SANDBOX_ONRAMP_PORT: onramp,
  }

  const container = { compose, env, replacements: { ...addresses, '/run/secrets': secrets }, ports, folder }
  const operatorKey = readFileSync(join(secrets, 'operator_api_key'), 'utf8')
  const baseUrl = `http://127.0.0.1:${gateway}`
  return {
    folder,
    secrets,
    servers,
    environmentOf: (name: ProcessName) => environmentOf(name, container),
    /** @throws Error with the line that the process ended with */
    start: (name: ProcessName) => startContainer(name, container),
    baseUrl,
    sandboxUrl: `http://127.0.0.1:${page}`,
    operatorKey,
    staff: createRawClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } }),
    stop: async () => {
      await servers?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts all of them and waits until each is ready. */
export const startCompose = async (options: ComposeOptions) => {
  const prepared = await prepareCompose(options)
  const names: ProcessName[] = [
    ...REQUIRED_SERVICES,
    'gateway',
    ...(options.hasSandbox ? ['sandbox' as const] : []),
  ]
  const started = await Promise.allSettled(names.map((name) => prepared.start(name)))
  const stop = async () => {
    for (const result of started.toReversed()) if (result.status === 'fulfilled') await result.value.stop()
    await prepared.stop()
  }
  const failed = started.find((result) => result.status === 'rejected')
  if (failed === undefined) return { ...prepared, stop }
  await stop()
  throw failed.reason
}
