import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

/**
 * Runs a server under a watchdog that stops it when its starter is gone, even by SIGKILL.
 *
 * PostgreSQL and nats-server know nothing of the process that started them. The watchdog is a shell that
 * reads from a pipe whose other end the starter holds: when the pipe ends, for whatever reason, the
 * server gets its stop signal. The first line on stdout is the pid of the server itself.
 */
const WATCHDOG = `
exec 3<&0 </dev/null
"$@" 3<&- >&2 &
server=$!
( read -r line <&3; kill -"$STOP_SIGNAL" $server ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
echo $server
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
`

export type ServerCommand = {
  command: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  /** User and group of the process; omitted: the starter's. */
  identity?: { uid: number; gid: number } | undefined
  logFile: string
  /** Signal for a fast, clean shutdown of this server. */
  stopSignal: 'INT' | 'TERM'
  /** After this it is killed. Default 20 seconds. */
  stopTimeoutMs?: number
}

export type ServerProcess = {
  /** Process id of the server, not of its watchdog. */
  pid: number
  running: () => boolean
  /** Settles with the exit code when the server has ended, for whatever reason. */
  exited: Promise<number>
  kill: (signal: NodeJS.Signals) => void
  stop: () => Promise<void>
}

const DEFAULT_STOP_TIMEOUT_MS = 20_000

const readPid = async (stdout: NodeJS.ReadableStream): Promise<number> => {
  let text = ''
  for await (const chunk of stdout) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return Number.parseInt(text, 10)
}

const signalIfRunning = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Starts the command; it may not be ready yet when this returns. */
export const startServerProcess = async (options: ServerCommand): Promise<ServerProcess> => {
  const log = openSync(options.logFile, 'a', 0o600)
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', options.command, ...options.args], {
    // Its own process group: Ctrl-C reaches the supervisor alone, which then stops things in order.
    detached: true,
    cwd: '/',
    env: { ...process.env, ...options.env, STOP_SIGNAL: options.stopSignal },
    stdio: ['pipe', 'pipe', log],
    ...options.identity,
  })
  closeSync(log)
  const { stdin, stdout } = watchdog
  if (stdin === null || stdout === null) throw new Error('a watchdog has pipes')
  stdin.on('error', () => undefined)
  let running = true
  const exited = once(watchdog, 'exit').then(([code]) => {
    running = false
    return typeof code === 'number' ? code : 1
  })
  const pid = await readPid(stdout)
  if (!Number.isInteger(pid)) throw new Error(`${options.command} did not start (exit code ${await exited})`)
  return {
    pid,
    running: () => running,
    exited,
    kill: (signal) => signalIfRunning(pid, signal),
    stop: async () => {
      stdin.end()
      const timer = setTimeout(
        () => signalIfRunning(pid, 'SIGKILL'),
        options.stopTimeoutMs ?? DEFAULT_STOP_TIMEOUT_MS,
      )
      await exited
      clearTimeout(timer)
    },
  }
}
