import { flushCompileCache } from 'node:module'
import { isInstrumented } from './config.ts'
import type { Running } from './process-parts.ts'
import { ConfigError } from './settings/load.ts'

type RunOptions = Readonly<{
  name: string
  shutdownTimeoutMs?: number
  /** Imports the service when it is called: libraries that are loaded before are not instrumented. */
  start: () => Promise<Running>
}>

const DEFAULT_SHUTDOWN_MS = 15_000

/** The Node that every test runs on. Older ones start and fail later, at what they lack. */
const NODE_MAJOR = 24

/** @throws Error for a Node that is older than what this is made for */
export const checkNode = (version: string): void => {
  if (Number.parseInt(version) >= NODE_MAJOR) return
  throw new Error(
    `Node ${NODE_MAJOR} or newer is required; this is ${version}. ` +
      'npx -y pnpm@12 runs its commands with the Node that it installs here: node_modules/.bin/node',
  )
}

/** Ends this process with one line that says why. */
export const fail = (name: string, error: unknown): never => {
  const line =
    error instanceof ConfigError ? error.message : error instanceof Error ? error.message : String(error)
  process.stderr.write(`${name}: ${line}\n`)
  process.exit(1)
}

/**
 * Runs a service as this process: tells a supervisor when it is ready, and stops gracefully on SIGTERM, SIGINT or
 * when the supervisor is gone. A start-up fault is one line that names the setting.
 */
export const runService = async (options: RunOptions): Promise<void> => {
  let running: Running | null = null
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), options.shutdownTimeoutMs ?? DEFAULT_SHUTDOWN_MS).unref()
    Promise.resolve(running?.stop()).then(
      () => process.exit(0),
      (error: unknown) => fail(options.name, error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  try {
    checkNode(process.versions.node)
    if (isInstrumented()) await (await import('./telemetry/instrument.ts')).instrument(options.name)
    running = await options.start()
  } catch (error) {
    return fail(options.name, error)
  }
  process.send?.({ type: 'ready', name: options.name, healthPort: running.healthPort })
  // Node writes it when a process exits, and so never where the process is killed.
  flushCompileCache()
}
