import { createSecretKey, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { encryptWith, type Vault } from '../crypto.ts'
import { queryNone, queryOne, type Queryable } from '../db/statement.ts'
import type { Sealing } from './sealed-column.ts'

/**
 * Keys of one subject each, in the table `data_keys` of a service that keeps personal data (`subject`, `key_sealed`,
 * `created_at`): deleting the row destroys what the key has encrypted, in every backup that leaves the table out.
 */
export const DATA_KEY_SEALING = {
  key: 'subject',
  contextOf: (subject) => `data-key:${subject}`,
} as const satisfies Sealing

const VERSION = 'v2'

/** SQL: the value of a sealed column with the key of its subject behind it, as `open` takes it. */
export const withDataKey = (column: string, subject: string): string =>
  `(${column} || coalesce((SELECT '.' || k.key_sealed FROM data_keys k WHERE k.subject = ${subject}), ''))`

const insert = queryOne({
  name: 'data-keys.insert',
  parameters: { subject: 'text', keySealed: 'text', now: 'timestamptz' },
  text: `
    WITH made AS (
      INSERT INTO data_keys (subject, key_sealed, created_at) VALUES (:subject, :keySealed, :now)
      ON CONFLICT DO NOTHING RETURNING key_sealed
    )
    SELECT key_sealed FROM made UNION ALL SELECT key_sealed FROM data_keys WHERE subject = :subject LIMIT 1`,
  row: z.object({ keySealed: z.string() }),
})
const destroy = queryNone({
  name: 'data-keys.destroy',
  parameters: { subject: 'text' },
  text: 'DELETE FROM data_keys WHERE subject = :subject',
})

/** Encrypts what is about one subject. */
export type SubjectSealer = Readonly<{
  seal: Vault['seal']
  /** The subject's key, sealed, as stored in `data_keys`. */
  keySealed: string
}>

const sealerWith = (vault: Vault, subject: string, keySealed: string): SubjectSealer => {
  const key = createSecretKey(vault.open(keySealed, DATA_KEY_SEALING.contextOf(subject)))
  return {
    keySealed,
    seal: (plain, context) => `${VERSION}.${subject}.${encryptWith(key, plain, context)}`,
  }
}

/** The sealer of a new subject, whose row in `data_keys` the caller writes. @param subject has no dot */
export const newSealer = (vault: Vault, subject: string): SubjectSealer =>
  sealerWith(vault, subject, vault.seal(randomBytes(32), DATA_KEY_SEALING.contextOf(subject)))

/** The sealer of a subject, whose key is made if it has none. It must commit before it is used again. @param subject has no dot */
export const sealerOf = async (
  db: Queryable,
  vault: Vault,
  { subject, now }: Readonly<{ subject: string; now: Date }>,
): Promise<SubjectSealer> => {
  const made = vault.seal(randomBytes(32), DATA_KEY_SEALING.contextOf(subject))
  // A row that another connection adds in the same moment is seen by the second look.
  const values = { subject, keySealed: made, now }
  const kept = (await insert(db, values)) ?? (await insert(db, values))
  if (!kept) throw new Error('A data key was neither found nor created')
  return sealerWith(vault, subject, kept.keySealed)
}

/** Makes unreadable whatever was sealed for a subject. */
export const destroyDataKey = async (db: Queryable, subject: string): Promise<void> => {
  await destroy(db, { subject })
}

/** Checks whether the key of a sealed value, read `withDataKey`, was destroyed: the value is unrecoverable. */
export const isErased = (sealed: string): boolean =>
  sealed.startsWith(`${VERSION}.`) && sealed.split('.').length === 3
