import { createSecretKey } from 'node:crypto'
import { createClock } from '../clock.ts'
import { createVault, type Vault } from '../crypto.ts'
import type { Db } from '../db/db.ts'
import { formerKeysOf } from '../keys/former.ts'
import { openKeyRing, type KeyRing, type VaultUse } from '../keys/ring.ts'
import type { KeyConfig } from '../keys/settings.ts'
import { createLogger, type Logger } from '../log.ts'

/**
 * A vault without a key ring, with every key derived from one root key, as all services had before there were key rings:
 * `sealingKeyId` and the keyed hashes are the same.
 */
export const testVault = (rootKey: Buffer): Vault => {
  const [seal] = formerKeysOf(rootKey, [])
  if (seal === undefined) throw new Error('No key')
  const sealing = new Map([[seal.id, createSecretKey(seal.key)]])
  // Keyed hashes were derived from the root key itself.
  return createVault(() => ({ sealingKeyId: seal.id, sealing, hashing: rootKey, hashingFor: new Map() }))
}

/** Opens the key ring of a running service once more; its database must be migrated. */
export const testKeyRing = async (
  service: string,
  at: Readonly<{ db: Db; databaseUrl: string; config: KeyConfig; use?: VaultUse; log?: Logger }>,
): Promise<KeyRing> => {
  const log = createLogger({ service: 'test', level: 'silent' })
  const use = { columns: [], formerHashPurposes: [] }
  return openKeyRing({ service, clock: createClock(), log, use, ...at })
}
