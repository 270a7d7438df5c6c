import { groupBy, outcomeOf, type Entry } from '../journal.ts'
import type { ReadRows } from './databases.ts'
import { expectCount, type Findings } from './findings.ts'

type Made = Readonly<{ key: string; id: string }>

/** How often something may be there under a key, by what its callers saw. */
const boundsOf = (calls: readonly Entry[]): Readonly<{ min: number; max: number }> => {
  const outcomes = calls.map(outcomeOf)
  return {
    min: outcomes.includes('ok') ? 1 : 0,
    max: outcomes.some((outcome) => outcome !== 'refused') ? 1 : 0,
  }
}

const idTold = ({ data }: Entry): string => {
  const order = (data['order'] ?? {}) as { id?: string; order_key?: string }
  return order.id ?? order.order_key ?? String(data['partner_customer_id'])
}

/** Each key made one object where a caller was told so, none where all were refused, and it is the one they were told. */
const checkMade = (
  what: string,
  calls: readonly Entry[],
  made: readonly Made[],
  findings: Findings,
): void => {
  const madeBy = groupBy(made, ({ key }) => key)
  for (const [key, entries] of groupBy(calls, (entry) => entry.key)) {
    const rows = madeBy.get(key) ?? []
    expectCount(findings, `${what}: one a key`, rows.length, boundsOf(entries), () => `${what} under ${key}`)
    for (const entry of entries)
      if (outcomeOf(entry) === 'ok')
        findings.expect(
          'lost',
          `${what}: as acknowledged`,
          rows.some(({ id }) => id === idTold(entry)),
          () => `${what} ${idTold(entry)} of ${key} is not there`,
        )
  }
  const asked = new Set(calls.map(({ key }) => key))
  for (const { key, id } of made)
    if (key.startsWith('soak-'))
      findings.expect(
        'wrong',
        `${what}: asked for`,
        asked.has(key),
        () => `${what} ${id} of ${key}: nobody asked`,
      )
}

/** Compares the journal with the rows of customers and orders. */
export const checkMadeObjects = async (
  entries: readonly Entry[],
  read: ReadRows,
  findings: Findings,
): Promise<void> => {
  const of = (act: Entry['act']) => entries.filter((entry) => entry.act === act)
  const customers = await read<Made>(
    'onboarding',
    'SELECT external_customer_id AS key, id FROM relationships',
  )
  const crypto = await read<Made>('payments', 'SELECT reference AS key, id FROM crypto_orders')
  const card = await read<Made>(
    'payments',
    // An order that the processor failed to open belongs to no call: a later call with its key continues it.
    `SELECT merchant_reference AS key, order_key::text AS id FROM fiat_orders
     WHERE processor_order_id IS NOT NULL`,
  )
  checkMade('customer', of('customer.create'), customers, findings)
  checkMade('crypto order', of('crypto.create'), crypto, findings)
  checkMade('card order', of('card.create'), card, findings)
}

const READERS = 8

/** Every acknowledged order is answered to its partner. */
export const checkReadable = async (
  entries: readonly Entry[],
  read: (path: string) => Promise<number>,
  findings: Findings,
): Promise<void> => {
  const paths = new Set(
    entries.flatMap((entry) => {
      if (outcomeOf(entry) !== 'ok') return []
      if (entry.act === 'crypto.create') return [`/api/v1/partner/orders/${idTold(entry)}`]
      if (entry.act === 'card.create') return [`/api/v1/partner/fiat-orders/${idTold(entry)}`]
      return entry.act === 'customer.create' ? [`/api/v1/partner/customers/${idTold(entry)}`] : []
    }),
  )
  const left = paths.values()
  const readOn = async (): Promise<void> => {
    for (const path of left) {
      const status = await read(path)
      findings.expect('lost', 'read back by the API', status === 200, () => `${path} is answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, readOn))
}
