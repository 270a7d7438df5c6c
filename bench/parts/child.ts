import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

/** A helper process of the benchmark that answers one message at a time. */
export type Child = Readonly<{
  pid: number
  /** Its report when it was ready. */
  ready: unknown
  ask: (message: unknown) => Promise<unknown>
  /** Settles when it has ended. */
  exited: Promise<void>
  stop: () => Promise<void>
}>

const STOP_TIMEOUT_MS = 3_000

const nextMessage = (child: ChildProcess, main: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit)
      resolve(message)
    }
    const onExit = (code: number | null) => {
      child.off('message', onMessage)
      reject(new Error(`${main} ended with code ${String(code)}`))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })

/**
 * Starts a TypeScript program of the benchmark as a separate process; it ends with this one.
 * @param options.nodeArguments for a profile, for example `--cpu-prof`
 * @param options.logFile file to which its output is appended; default: the output of this process
 */
export const startChild = async (
  main: URL,
  argument: unknown,
  options: { nodeArguments?: readonly string[]; logFile?: string } = {},
): Promise<Child> => {
  const printed = options.logFile === undefined ? null : openSync(options.logFile, 'a')
  const child = fork(main, {
    stdio: ['inherit', printed ?? 'inherit', printed ?? 'inherit', 'ipc'],
    execArgv: [...(options.nodeArguments ?? [])],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (printed !== null) closeSync(printed)
  const exited = once(child, 'exit').then(() => undefined)
  child.send({ argument })
  const ready = await nextMessage(child, main.pathname)
  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    ask(message) {
      const answer = nextMessage(child, main.pathname)
      child.send(message as object)
      return answer
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}
