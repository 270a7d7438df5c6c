import { eventually } from '@causeway/chassis/testing'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PNPM_LISTEN = ['--conditions=platform-source', join(ROOT, 'scripts', 'listen.ts')]
const CAUSEWAY_LISTEN = [join(ROOT, 'packages', 'cli', 'bin', 'causeway.js'), 'listen']

/** `pnpm listen` or `causeway listen` as a user starts it, with its output so far. */
export type Listener = Readonly<{
  /** The line that says that it listens. */
  first: () => string
  /** Lines after the first. */
  lines: () => string[]
  /** Its output other than events. */
  notes: () => string
  /** Ctrl-C. @returns its exit code */
  interrupt: () => Promise<number>
  kill: () => void
  /** Kills it as a crash does, and waits until it is gone. */
  crash: () => Promise<void>
}>

const LISTENING = /^(Listening for the events of |\{"listening":).*\n/

const start = async (
  program: readonly string[],
  args: readonly string[],
  env: Record<string, string>,
): Promise<Listener> => {
  const child: ChildProcess = spawn(process.execPath, [...program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  let noted = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    noted += chunk.toString()
    process.stderr.write(chunk)
  })
  await eventually(() => LISTENING.test(printed) || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`The listener ended: ${noted}`)
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(child, 'exit')
    child.kill(signal)
    return (await ended)[0] as number
  }
  return {
    first: () => printed.split('\n')[0] ?? '',
    lines: () => printed.split('\n').slice(1, -1),
    notes: () => noted,
    interrupt: () => end('SIGINT'),
    kill: () => child.kill('SIGKILL'),
    crash: async () => {
      await end('SIGKILL')
    },
  }
}

/** Starts `pnpm listen` and waits until it listens. */
export const startListener = (args: readonly string[], env: Record<string, string>): Promise<Listener> =>
  start(PNPM_LISTEN, args, env)

/** Starts `causeway listen` and waits until it listens. */
export const startCausewayListen = (
  args: readonly string[],
  env: Record<string, string>,
): Promise<Listener> => start(CAUSEWAY_LISTEN, args, env)
