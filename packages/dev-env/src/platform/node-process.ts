import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One run of a program. */
export type RunningProcess = {
  pid: number
  /** Settles when the process has ended, with the exit code or signal. */
  exited: Promise<string>
  kill: (signal: NodeJS.Signals) => void
  /** Stops it gracefully; kills it after the stop timeout. */
  stop: () => Promise<void>
  port?: number
}

export type NodeCommand = {
  name: string
  /** Flags of Node itself. */
  flags: readonly string[]
  main: string
  env: NodeJS.ProcessEnv
  logFile: string
  readyTimeoutMs: number
  stopTimeoutMs: number
  /** Aborts a start in progress. */
  signal?: AbortSignal | undefined
}

/**
 * Compiled code of every process, kept from one run to the next: a warm process does not load the transpiler. Node
 * separates its versions and users, checks each entry against its source, replaces files atomically, and works
 * without it if it cannot write. It is next to the packages, because a user who may write here may change the code too.
 */
const COMPILE_CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/compiled')

/** glibc's malloc otherwise keeps an arena for each thread: 8 for each processor. The Dockerfile repeats it. */
const MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2' }

const LOG_LIMIT_BYTES = 50 * 1024 * 1024

const openLog = (path: string): { file: number; from: number } => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`)
  return { file: openSync(path, 'a', 0o600), from: size > LOG_LIMIT_BYTES ? 0 : size }
}

const lastLine = (path: string, from: number): string =>
  readFileSync(path).subarray(from).toString().trimEnd().split('\n').at(-1) ?? ''

/** A child sends this over its IPC channel once it is ready. */
const isReadyMessage = (message: unknown): message is { type: 'ready'; healthPort: number } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready'

/**
 * Runs a Node program that reports `{type: 'ready', healthPort}` over IPC, and waits for that report. When this process
 * ends, the program's IPC channel closes and it stops.
 *
 * @throws Error with the last line of its log if it exits before it is ready
 */
export const startNode = async (command: NodeCommand): Promise<RunningProcess> => {
  const log = openLog(command.logFile)
  const child = spawn(process.execPath, [...command.flags, command.main], {
    // Its own process group: Ctrl-C reaches the supervisor alone, which then stops things in order.
    detached: true,
    env: { ...MEMORY_SETTINGS, NODE_COMPILE_CACHE: COMPILE_CACHE, ...command.env },
    stdio: ['ignore', log.file, log.file, 'ipc'],
  })
  closeSync(log.file)
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? `code ${String(code)}`))
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), command.stopTimeoutMs)
    await exited
    clearTimeout(timer)
  }
  const ready = Promise.withResolvers<number>()
  let reported = false
  child.on('message', (message) => {
    if (!isReadyMessage(message)) return
    reported = true
    ready.resolve(message.healthPort)
  })
  const timer = setTimeout(
    () => ready.reject(new Error(`${command.name} is not ready in time`)),
    command.readyTimeoutMs,
  )
  void exited.then((end) => {
    if (reported) return
    const said = lastLine(command.logFile, log.from)
    ready.reject(
      new Error(said.startsWith(`${command.name}: `) ? said : `${command.name} ended (${end}): ${said}`),
    )
  })
  const abort = () => ready.reject(new Error(`${command.name} was stopped while it started`))
  command.signal?.addEventListener('abort', abort)
  try {
    command.signal?.throwIfAborted()
    const port = await ready.promise
    return { pid: child.pid ?? 0, exited, stop, port, kill: (signal) => child.kill(signal) }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
    command.signal?.removeEventListener('abort', abort)
  }
}
