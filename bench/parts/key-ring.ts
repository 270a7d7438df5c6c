import { createClock, createLogger, type Vault } from '@causeway/chassis'
import { createDb, openKeyRing } from '@causeway/chassis/database'
import { join } from 'node:path'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { serviceKeyOf, type SealingService } from '@causeway/dev-env/platform/service-keys'
import type { Product } from './product.ts'

/** The vault of a running service, for rows and cursors that the benchmark writes itself. */
export const vaultOf = async ({ platform }: Product, service: SealingService): Promise<Vault> => {
  const { encryptionKey, postgresPasswords } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  const url = `postgres://${service}:${postgresPasswords[service]}@127.0.0.1:${platform.postgres?.port ?? 0}/${service}`
  const log = createLogger({ service: 'bench', level: 'warn' })
  const clock = createClock()
  const db = createDb({ url, name: 'bench-keys', log, clock, poolSize: 1, pipelinedConnections: 1 })
  const { vault } = await openKeyRing({
    service,
    db,
    databaseUrl: url,
    clock,
    log,
    config: { encryptionKey: Buffer.from(serviceKeyOf(encryptionKey, service), 'base64') },
    use: { columns: [], formerHashPurposes: [] },
  })
  await db.close()
  return vault
}
