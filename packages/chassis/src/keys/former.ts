import { ConfigError } from '../settings/load.ts'
import { deriveKey } from '../crypto.ts'
import type { Queryable } from '../db/statement.ts'
import { otherKeyIn, someKeyIn, type SealedColumn } from './sealed-column.ts'
import type { KeyConfig } from './settings.ts'

/** A data key before it is wrapped. */
export type DataKey = Readonly<{ id: string; purpose: string; key: Buffer }>

/** Id of the key that sealed everything before there was a key ring: a fingerprint of the root key. */
const formerId = (rootKey: Buffer): string => deriveKey(rootKey, 'key-id').toString('hex').slice(0, 8)

/**
 * Returns the data keys of a database from before key rings, when all keys derived from one root key. Only the keys of this
 * service are adopted, so that the root key, from which other services' keys derived, is not stored.
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
 * Finds the root key of the values in a database without a key ring; null if it has no values.
 * @throws ConfigError when the settings do not contain it
 */
export const findFormerRoot = async (
  db: Queryable,
  { encryptionKey, previousEncryptionKey }: KeyConfig,
  columns: readonly SealedColumn[],
): Promise<Buffer | null> => {
  for (const column of columns) {
    const found = await someKeyIn(column)(db)
    if (found === null) continue
    const root = [encryptionKey, previousEncryptionKey].find((key) => key && formerId(key) === found.keyId)
    if (root === undefined) throw fault(column, found.keyId)
    for (const each of columns) {
      const other = await otherKeyIn(each)(db, { keyIds: [found.keyId] })
      if (other !== null) throw fault(each, other.keyId)
    }
    return root
  }
  return null
}
