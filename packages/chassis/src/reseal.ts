import { z } from 'zod'
import { createClock } from './clock.ts'
import { createVault, type SealingKeys, type Vault } from './crypto.ts'
import { createDb, type Db } from './db/db.ts'
import { statement } from './db/statement.ts'
import { createLogger } from './log.ts'

/** A column of sealed values: whose table, which key its rows have, and what a value is bound to. */
export type SealedColumn = Readonly<{
  table: string
  key: string
  column: string
  contextOf: (key: string) => string
}>

const BATCH = 500

const statementsOf = ({ table, key, column }: SealedColumn) => ({
  // Values name their key as their second part; rows are walked once, in the order of their keys.
  read: statement({
    name: `reseal.read.${table}.${column}`,
    text: `
      SELECT ${key} AS key, ${column} AS sealed FROM ${table}
      WHERE ${key} > $1 AND split_part(${column}, '.', 2) <> $2 ORDER BY ${key} LIMIT ${BATCH}`,
    row: z.object({ key: z.string(), sealed: z.string() }),
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
export const resealColumn = async (db: Db, vault: Vault, sealed: SealedColumn): Promise<number> => {
  const { read, write } = statementsOf(sealed)
  let resealed = 0
  let after = ''
  for (;;) {
    const rows = await db.query(read, [after, vault.sealingKeyId])
    const last = rows.at(-1)
    if (!last) return resealed
    const anew = rows.map((row) => {
      const context = sealed.contextOf(row.key)
      return vault.seal(vault.open(row.sealed, context), context)
    })
    const written = await db.query(write, [rows.map((row) => row.key), rows.map((row) => row.sealed), anew])
    resealed += written.length
    after = last.key
  }
}

type Command = Readonly<{
  config: Readonly<{
    databaseUrl: string
    encryptionKey: Buffer
    sealingKeys?: SealingKeys
    logLevel: string
  }>
  columns: readonly SealedColumn[]
}>

/**
 * Command of a service: seals what older keys sealed with the first of SEALING_KEYS. It may run while the service
 * serves, and again at any time; once it has gone through, the older keys can be taken away.
 */
export const runReseal = async ({ config, columns }: Command): Promise<void> => {
  const log = createLogger({ service: 'reseal', level: config.logLevel })
  const db = createDb({
    url: config.databaseUrl,
    name: 'reseal',
    log,
    clock: createClock(),
    poolSize: 1,
    lanes: 1,
  })
  const vault = createVault(config.encryptionKey, config.sealingKeys)
  for (const column of columns) {
    const resealed = await resealColumn(db, vault, column)
    log.info({ table: column.table, column: column.column, resealed }, 'Sealed anew')
  }
  await db.close()
}
