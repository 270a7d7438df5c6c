/** `pnpm ledger:rebuild [--compare]`: rebuilds the books from a local start's facts, in a separate server by default. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import { settingsOfService } from '@causeway/dev-env/platform/local-service'

const TARGET = 'LEDGER_REBUILD_DATABASE_URL'

/** Starts a server for the time of the command. */
const startServer = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-rebuild-'))
  // PostgreSQL's unprivileged user may pass through it.
  chmodSync(folder, 0o711)
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
    durable: false,
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: server.adminUrl, stop }
}

const settings = {
  ...settingsOfService('ledger', process.env),
  ...settingsOfService('payments', process.env),
  // Where the others name their databases, the signer's is optional.
  ...(process.env['PAYMENTS_DATABASE_URL'] === undefined && settingsOfService('signer', process.env)),
}
const server = process.env[TARGET] === undefined ? await startServer() : null
try {
  Object.assign(process.env, settings, server && { [TARGET]: server.url })
  await import('../services/ledger/src/rebuild/command.ts')
} finally {
  await server?.stop()
}
