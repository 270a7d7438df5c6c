import { ConfigError } from '../config.ts'
import { deriveKey } from '../crypto.ts'
import type { Queryable } from '../db/db.ts'
import { otherKeyIn, someKeyIn, type SealedColumn } from './sealed-column.ts'
import type { KeyConfig } from './settings.ts'

/** A data key before it is wrapped. */
export type DataKey = Readonly<{ id: string; purpose: string; key: Buffer }>

/** Id of the key that sealed everything before there was a key ring: a fingerprint of the root key. */
const formerId = (rootKey: Buffer): string => deriveKey(rootKey, 'key-id').toString('hex').slice(0, 8)

/**
 * The data keys of a database from before there was a key ring: everything then derived from one root key. Only what
 * this service used is taken over, so that the root key itself, of which other services' keys derived, lies nowhere.
 * @param hashPurposes purposes of the keyed hashes that the service had then
 */
export const formerKeysOf = (rootKey: Buffer, hashPurposes: readonly string[]): DataKey[] => [
  { id: formerId(rootKey), purpose: 'seal', key: deriveKey(rootKey, 'seal') },
  ...hashPurposes.map((purpose) => ({
    id: deriveKey(rootKey, `hash-id/${purpose}`).toString('hex').slice(0, 8),
    purpose: `hash:${purpose}`,
    key: deriveKey(rootKey, purpose),
  })),
]

const fault = ({ table, column }: SealedColumn, keyId: string): ConfigError =>
  new ConfigError(
    `Bad settings: neither ENCRYPTION_KEY nor PREVIOUS_ENCRYPTION_KEY is the key ${keyId} that ${table}.${column} is sealed with`,
  )

/**
 * The root key under which a database without a key ring has values, or null when it has none.
 * @throws ConfigError when it is none of the settings
 */
export const findFormerRoot = async (
  db: Queryable,
  { encryptionKey, previousEncryptionKey }: KeyConfig,
  columns: readonly SealedColumn[],
): Promise<Buffer | null> => {
  for (const column of columns) {
    const [found] = await db.query(someKeyIn(column))
    if (found === undefined) continue
    const root = [encryptionKey, previousEncryptionKey].find((key) => key && formerId(key) === found.key_id)
    if (root === undefined) throw fault(column, found.key_id)
    for (const each of columns) {
      const [other] = await db.query(otherKeyIn(each), [[found.key_id]])
      if (other !== undefined) throw fault(each, other.key_id)
    }
    return root
  }
  return null
}
