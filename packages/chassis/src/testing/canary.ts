import { EVENT_STREAM } from '@causeway/contracts'
import pg from 'pg'
import type { Bus } from '../bus/connect.ts'

const rowsOf = async (databaseUrl: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const found = await client.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    const rows: string[] = []
    for (const { name } of found.rows) {
      const read = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)
      rows.push(...read.rows.map(({ row }) => row))
    }
    return rows
  } finally {
    await client.end()
  }
}

const messagesOf = async (bus: Bus): Promise<string[]> => {
  const { streams } = await bus.jetstreamManager()
  const { state } = await streams.info(EVENT_STREAM)
  const messages: string[] = []
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1)
    messages.push((await streams.getMessage(EVENT_STREAM, { seq }))?.string() ?? '')
  return messages
}

/**
 * Finds where a value that must not be stored in clear is: in every row of a database as text, bytes as hexadecimal,
 * and in every message of the event stream.
 */
export const keptInClear = async (value: string, databaseUrl: string, bus: Bus): Promise<string[]> => {
  const kept = [...(await rowsOf(databaseUrl)), ...(await messagesOf(bus))]
  const forms = [value, Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64')]
  return kept.filter((text) => forms.some((form) => text.includes(form)))
}
