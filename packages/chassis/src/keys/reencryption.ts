import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createClock, type Clock } from '../clock.ts'
import type { Vault } from '../crypto.ts'
import { createDb, type Db } from '../db/db.ts'
import { queryMany } from '../db/statement.ts'
import { fail } from '../lifecycle.ts'
import { createLogger, type Logger } from '../log.ts'
import { loadSealedDatabase } from './config.ts'
import { sealerOf } from './data-keys.ts'
import { activateNext, deleteRetired, retireActive } from './ring-store.ts'
import { openKeyRing, REFRESH_MS, type KeyRing, type VaultUse } from './ring.ts'
import { isUnderRing, keyIdIn, otherKeyIn, type SealedColumn } from './sealed-column.ts'

const BATCH = 500

const statementsOf = ({ table, key, column, subject }: SealedColumn) => ({
  // Rows are read once, in the order of their keys. A row that has a subject is re-encrypted with the subject's data
  // key, even if its value is under the key that seals now.
  readBatch: queryMany({
    name: `reencrypt.read.${table}.${column}`,
    parameters: { after: 'text', ...(subject === undefined ? { sealingKeyId: 'text' as const } : {}) },
    text: `
      SELECT ${key} AS key, ${column} AS sealed, ${subject ?? 'NULL'}::text AS subject FROM ${table}
      WHERE ${key} > :after AND ${isUnderRing(column)}
        ${subject === undefined ? `AND ${keyIdIn(column)} <> :sealingKeyId` : ''}
      ORDER BY ${key} LIMIT ${BATCH}`,
    row: z.object({ key: z.string(), sealed: z.string(), subject: z.string().nullable() }),
  }),
  // A value that was written in the meantime is sealed with the new key already.
  replace: queryMany({
    name: `reencrypt.write.${table}.${column}`,
    parameters: { keys: 'text[]', from: 'text[]', to: 'text[]' },
    text: `
      UPDATE ${table} SET ${column} = changed.to
      FROM unnest(:keys, :from, :to) AS changed (key, "from", "to")
      WHERE ${table}.${key} = changed.key AND ${column} = changed.from
      RETURNING 1 AS written`,
    row: z.object({ written: z.number() }),
  }),
})

/** Re-encrypts every value of a column that an older key sealed. @returns how many */
const reencryptColumn = async (db: Db, vault: Vault, sealed: SealedColumn, now: Date): Promise<number> => {
  const { readBatch, replace } = statementsOf(sealed)
  let reencrypted = 0
  let after = ''
  for (;;) {
    const rows = await readBatch(db, { after, sealingKeyId: vault.sealingKeyId })
    const last = rows.at(-1)
    if (!last) return reencrypted
    const to: string[] = []
    for (const { key, sealed: value, subject } of rows) {
      const context = sealed.contextOf(key)
      const sealer = subject === null ? vault : await sealerOf(db, vault, { subject, now })
      to.push(sealer.seal(vault.open(value, context), context))
    }
    const written = await replace(db, {
      keys: rows.map((row) => row.key),
      from: rows.map((row) => row.sealed),
      to,
    })
    reencrypted += written.length
    after = last.key
  }
}

type Rotation = Readonly<{
  db: Db
  ring: KeyRing
  columns: readonly SealedColumn[]
  log: Logger
  clock: Clock
  /** Waits until every running replica has read the ring. */
  whenAllHaveRead: () => Promise<void>
}>

/**
 * Replaces the key that seals, while the service serves: adds a key, activates it once all replicas have read it,
 * re-encrypts every value, and deletes the keys before. A run that broke off is continued by the next.
 */
export const rotateSealingKey = async (rotation: Rotation): Promise<void> => {
  const { db, ring, columns, log, whenAllHaveRead } = rotation
  await ring.addNext()
  await whenAllHaveRead()
  await db.transaction(async (tx) => {
    await retireActive(tx)
    if (!(await activateNext(tx))) throw new Error('Another run of this command has activated the next key')
  })
  await ring.refresh()
  // Until then one of them may still seal with the key before.
  await whenAllHaveRead()
  for (const sealed of columns) {
    const { table, column } = sealed
    const reencrypted = await reencryptColumn(db, ring.vault, sealed, rotation.clock.now())
    log.info({ event: 'keys.column_reencrypted', table, column, reencrypted }, 'Re-encrypted a column')
  }
  for (const sealed of columns) {
    const other = await otherKeyIn(sealed)(db.pooled, { keyIds: [ring.vault.sealingKeyId] })
    if (other)
      throw new Error(
        `${sealed.table}.${sealed.column} still uses the key ${other.keyId}: run the command again`,
      )
  }
  const keyIds = (await deleteRetired(db)).map((key) => key.keyId)
  log.info({ event: 'keys.retired_deleted', keyIds }, 'Deleted the retired keys')
}

type Command = Readonly<{ service: string; use: VaultUse }>

const reencrypt = async ({ service, use }: Command): Promise<void> => {
  const { databaseUrl, keys, logLevel } = loadSealedDatabase(service)
  const log = createLogger({ service: 'reencrypt', level: logLevel })
  const clock = createClock()
  const options = { url: databaseUrl, name: 'reencrypt', log, clock, poolSize: 2, pipelinedConnections: 1 }
  const db = createDb({ ...options, statementTimeoutMs: 600_000 })
  const ring = await openKeyRing({ service, db, databaseUrl, clock, log, config: keys, use })
  const whenAllHaveRead = async () => {
    await sleep(3 * REFRESH_MS)
  }
  await rotateSealingKey({ db, ring, columns: use.columns, log, clock, whenAllHaveRead })
  await db.close()
}

/**
 * Command of a service: {@link rotateSealingKey} on its database, with the service's settings of database and keys.
 * Takes a minute, and the time to read every sealed value. A fault is one line.
 */
export const runReencryption = (command: Command): Promise<void> =>
  reencrypt(command).catch((error: unknown) => fail(command.service, error))
