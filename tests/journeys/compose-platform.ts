import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { REQUIRED_SERVICES } from '@causeway/contracts'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { environmentIn, PRODUCTION, readCompose, SANDBOX_OVERLAY } from '../../scripts/deployment/compose.ts'
import { freePort } from '../../scripts/infrastructure/free-port.ts'
import { startNode, type RunningProcess } from '../../scripts/platform/node-process.ts'
import { createRawClient } from '../../scripts/platform/raw-client.ts'
import { startComposeServers } from './compose-servers.ts'

type ProcessName = (typeof REQUIRED_SERVICES)[number] | 'gateway' | 'sandbox'

const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000
/** Settings of the image that the machine of a test may not keep: addresses, ports and its own cache. */
const OF_A_CONTAINER = /^(NODE_COMPILE_CACHE|\w+_HOST|\w+_PORT)$/

/** What the Dockerfile sets in the image that runs. */
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
  /** What the operator writes into `.env`. */
  env: Readonly<Record<string, string>>
  /** What the operator writes into files of deploy/secrets. */
  secrets?: Readonly<Record<string, string>>
  /** False where no process gets as far as PostgreSQL and NATS. */
  hasServers?: boolean
}>

const replaceAll = (text: string, replacements: Readonly<Record<string, string>>): string =>
  Object.entries(replacements).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

/**
 * The processes of docker-compose.yml with exactly the environment that Compose gives them. Only names of containers,
 * which this machine does not know, become ports of loopback.
 */
export const prepareCompose = async (options: ComposeOptions) => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-compose-'))
  chmodSync(folder, 0o711)
  const made = join(folder, 'made')
  execFileSync('sh', ['deploy/make-secrets.sh', made])
  const servers = options.hasServers === false ? null : await startComposeServers({ folder, secrets: made })
  const [gateway, page, chain, card, onramp] = await Promise.all(Array.from({ length: 5 }, () => freePort()))
  const addresses = {
    'postgres:5432': `127.0.0.1:${servers?.postgresPort ?? 0}`,
    'nats:4222': `127.0.0.1:${servers?.natsPort ?? 0}`,
    'gateway:8080': `127.0.0.1:${gateway}`,
    'sandbox:8091': `127.0.0.1:${chain}`,
    'sandbox:8092': `127.0.0.1:${card}`,
    'sandbox:8093': `127.0.0.1:${onramp}`,
    'localhost:8090': `127.0.0.1:${page}`,
  }
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  for (const name of readdirSync(made)) {
    const text = options.secrets?.[name] ?? readFileSync(join(made, name), 'utf8')
    writeFileSync(join(secrets, name), replaceAll(text, addresses))
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

  /** @throws Error with the line that the process ended with */
  const start = (name: ProcessName): Promise<RunningProcess> => {
    const container = compose.services[name] ?? {}
    const given = Object.entries(environmentIn(container, env)).map(([setting, value]) => [
      setting,
      replaceAll(value, { ...addresses, '/run/secrets': secrets }),
    ])
    const own = Object.entries(ports).filter(([setting]) => setting.startsWith(`${name.toUpperCase()}_`))
    const listening = Object.fromEntries(own.map(([setting, port]) => [setting, String(port)]))
    const [main = '', ...flags] = (container.command ?? []).toReversed()
    return startNode({
      name,
      flags: [...flags.reverse(), '--import', resolve('tests/journeys/loopback-only.ts')],
      main: resolve(main),
      env: { ...imageEnvironment(), ...(Object.fromEntries(given) as Record<string, string>), ...listening },
      logFile: join(folder, `${name}.log`),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopTimeoutMs: STOP_TIMEOUT_MS,
    })
  }
  const operatorKey = readFileSync(join(secrets, 'operator_api_key'), 'utf8')
  const baseUrl = `http://127.0.0.1:${gateway}`
  return {
    folder,
    start,
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
