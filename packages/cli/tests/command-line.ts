import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const BIN = join(import.meta.dirname, '..', 'bin', 'causeway.js')

/** Output and exit code of a command. */
export type Ended = Readonly<{ code: number; stdout: string; stderr: string }>

/** Runs the program as a user does, with a separate configuration. */
export const createCommandLine = (env: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-cli-'))
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, [BIN, ...args], { env: { XDG_CONFIG_HOME: folder, ...env, ...more } })
  return {
    credentialsFile: join(folder, 'causeway', 'credentials.json'),
    start,
    /** Runs a command to its end. @param options.stdin what is piped in */
    async run(args: string, options: Readonly<{ stdin?: string; env?: Record<string, string> }> = {}) {
      const child = start(args.split(' '), options.env)
      child.stdin.end(options.stdin ?? '')
      const ended = once(child, 'close') as Promise<[number]>
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      return { code, stdout, stderr } satisfies Ended
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
export type CommandLine = ReturnType<typeof createCommandLine>
