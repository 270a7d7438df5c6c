import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createClock, type Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import { createDb, type Db } from './db/db.ts'
import { statement } from './db/positional-statement.ts'
import { sealerOf } from './keys/data-keys.ts'
import { activateNext, deleteRetired, retireActive } from './keys/ring-store.ts'
import { openKeyRing, REFRESH_MS, type KeyRing, type VaultUse } from './keys/ring.ts'
import { isUnderRing, keyIdIn, otherKeyIn, type SealedColumn } from './keys/sealed-column.ts'
import { loadSealedDatabase } from './keys/config.ts'
import { fail } from './lifecycle.ts'
import { createLogger, type Logger } from './log.ts'

const BATCH = 500

const statementsOf = ({ table, key, column, subject }: SealedColumn) => ({
  // Rows are walked once, in the order of their keys. What belongs to a subject leaves the keys of the ring.
  read: statement({
    name: `reseal.read.${table}.${column}`,
    text: `
      SELECT ${key} AS key, ${column} AS sealed, ${subject ?? 'NULL'}::text AS subject FROM ${table}
      WHERE ${key} > $1 AND ${isUnderRing(column)} AND (${subject !== undefined} OR ${keyIdIn(column)} <> $2)
      ORDER BY ${key} LIMIT ${BATCH}`,
    row: z.object({ key: z.string(), sealed: z.string(), subject: z.string().nullable() }),
  }),
  // A value that was written anew in the meantime is sealed with the new key already.
  write: statement({
    name: `reseal.write.${table}.${column}`,
    text: `
      UPDATE ${table} SET ${column} = changed.to
      FROM unnest($1::text[], $2::text[], $3::text[]) AS changed (key, "from", "to")
      WHERE ${table}.${key} = changed.key AND ${column} = changed.from
      RETURNING 1 AS written`,
    row: z.object({ written: z.number() }),
  }),
})

/** Seals every value of a column that an older key sealed anew. @returns how many */
const resealColumn = async (db: Db, vault: Vault, sealed: SealedColumn, now: Date): Promise<number> => {
  const { read, write } = statementsOf(sealed)
  let resealed = 0
  let after = ''
  for (;;) {
    const rows = await db.query(read, [after, vault.sealingKeyId])
    const last = rows.at(-1)
    if (!last) return resealed
    const anew: string[] = []
    for (const { key, sealed: value, subject } of rows) {
      const context = sealed.contextOf(key)
      const sealer = subject === null ? vault : await sealerOf(db, vault, { subject, now })
      anew.push(sealer.seal(vault.open(value, context), context))
    }
    const written = await db.query(write, [rows.map((row) => row.key), rows.map((row) => row.sealed), anew])
    resealed += written.length
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
 * Replaces the key that seals, while the service serves: a new one is made, all replicas learn it, it seals, every
 * value is sealed anew, and the keys before are deleted. A run that broke off is taken up by the next.
 */
export const rotateSealingKey = async (rotation: Rotation): Promise<void> => {
  const { db, ring, columns, log, whenAllHaveRead } = rotation
  await ring.addNext()
  await whenAllHaveRead()
  await db.transaction(async (tx) => {
    await tx.query(retireActive)
    const [activated] = await tx.query(activateNext)
    if (!activated) throw new Error('Another run of this command has made the next key the one that seals')
  })
  await ring.refresh()
  // Until then one of them may still seal with the key before.
  await whenAllHaveRead()
  for (const column of columns) {
    const resealed = await resealColumn(db, ring.vault, column, rotation.clock.now())
    log.info({ table: column.table, column: column.column, resealed }, 'Sealed anew')
  }
  for (const column of columns) {
    const [other] = await db.apart.query(otherKeyIn(column), [[ring.vault.sealingKeyId]])
    if (other)
      throw new Error(`${column.table}.${column.column} still names the key ${other.key_id}: run it again`)
  }
  const deleted = await db.query(deleteRetired)
  log.info({ deleted: deleted.map((key) => key.key_id) }, 'Deleted the keys before')
}

type Command = Readonly<{ service: string; use: VaultUse }>

const reseal = async ({ service, use }: Command): Promise<void> => {
  const { databaseUrl, keys, logLevel } = loadSealedDatabase(service)
  const log = createLogger({ service: 'reseal', level: logLevel })
  const clock = createClock()
  const options = { url: databaseUrl, name: 'reseal', log, clock, poolSize: 2, lanes: 1 }
  const db = createDb({ ...options, statementTimeoutMs: 600_000 })
  const ring = await openKeyRing({ service, db, databaseUrl, clock, log, config: keys, use })
  const whenAllHaveRead = async () => {
    await sleep(3 * REFRESH_MS)
  }
  await rotateSealingKey({ db, ring, columns: use.columns, log, clock, whenAllHaveRead })
  await db.close()
}

/**
 * Command of a service: `rotateSealingKey` on its database, with the service's settings of database and keys. Takes a
 * minute. A fault is one line.
 */
export const runReseal = (command: Command): Promise<void> =>
  reseal(command).catch((error: unknown) => fail(command.service, error))
