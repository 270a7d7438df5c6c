import { eventually } from '@causeway/chassis/testing'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'scripts', 'listen.ts')

/** `pnpm listen` as a user starts it, with its output so far. */
export type Listener = Readonly<{
  /** Lines after the first, which says that it listens. */
  lines: () => string[]
  /** Ctrl-C. @returns its exit code */
  interrupt: () => Promise<number>
  kill: () => void
}>

/** Starts it and waits until it listens. */
export const startListener = async (
  args: readonly string[],
  env: Record<string, string>,
): Promise<Listener> => {
  const child: ChildProcess = spawn(process.execPath, ['--conditions=platform-source', SCRIPT, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await eventually(() => /^Listening for the events of .*\n/.test(printed))
  return {
    lines: () => printed.split('\n').slice(1, -1),
    interrupt: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      return (await ended)[0] as number
    },
    kill: () => child.kill('SIGKILL'),
  }
}
