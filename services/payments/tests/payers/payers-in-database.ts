import { isErased, queryMany } from '@causeway/chassis'
import { z } from 'zod'
import { SEALED_COLUMNS } from '../../src/columns.ts'
import type { RunningPayments } from '../running-payments.ts'

const listKeys = queryMany({
  name: 'test.payer-keys',
  text: 'SELECT subject, key_sealed FROM data_keys',
  row: z.object({ subject: z.string(), keySealed: z.string() }),
})
const readOrders = ['crypto_orders', 'fiat_orders'].map((table) => ({
  table,
  list: queryMany({
    name: `test.payers.${table}`,
    text: `SELECT id, coalesce(payer_sealed, '') AS sealed FROM ${table}`,
    row: z.object({ id: z.string(), sealed: z.string() }),
  }),
}))
/** Every payer that today's keys decrypt. */
export const revealedIn = async (payments: RunningPayments): Promise<string> => {
  const keys = new Map((await listKeys(payments.db)).map((row) => [row.subject, row.keySealed]))
  const opened: string[] = []
  for (const { table, list } of readOrders)
    for (const { id, sealed } of await list(payments.db)) {
      const column = SEALED_COLUMNS.find((each) => each.table === table)
      const key = keys.get(sealed.split('.')[1] ?? '')
      if (!column || key === undefined || !isErased(sealed)) continue
      opened.push(payments.vault.open(`${sealed}.${key}`, column.contextOf(id)).toString())
    }
  return opened.join('\n')
}
/** Every row of every table, as text, and bytes in hex. */
export const dumpOf = async (payments: RunningPayments): Promise<string> => {
  const tables = await payments.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await payments.sql<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}
