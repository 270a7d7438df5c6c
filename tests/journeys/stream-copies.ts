import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import { startNats } from '@causeway/dev-env/infrastructure/nats'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'

/**
 * The documented commands for the streams of the platform of one data folder.
 *
 * @param folder where the snapshot is
 */
export const streamCopies = (dataDir: string, folder: string) => {
  const secrets = () => loadSecrets(join(dataDir, 'secrets.json'))
  const run = (port: number | null | undefined, ...args: string[]) =>
    promisify(execFile)(process.execPath, ['packages/chassis/src/stream-backup/command.ts', ...args], {
      env: { NATS_URL: `nats://backup:${secrets().natsPasswords.backup}@127.0.0.1:${port}` },
    })
  return {
    /** Takes a snapshot of the streams of the server of this port. */
    backup: (port: number | null | undefined) => run(port, 'backup', folder),
    /**
     * Restores the snapshot into an empty server that has the streams alone: the gateway would create them anew.
     *
     * @returns what the command said
     */
    restore: async (until: Date): Promise<string> => {
      const { natsPasswords } = secrets()
      const server = await startNats({
        folder: join(dataDir, 'nats'),
        logFile: join(dataDir, 'logs', 'nats-restore.log'),
        env: process.env,
        config: (paths) =>
          natsConfig({ ...paths, hasSandbox: true, password: (user) => JSON.stringify(natsPasswords[user]) }),
      })
      try {
        return (await run(server.port, 'restore', folder, '--until', until.toISOString())).stdout
      } finally {
        await server.stop()
      }
    },
  }
}
