import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, queryMany } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { cardNotices, type FiatOrder } from '@causeway/contracts'
import { z } from 'zod'
import { SEALED_COLUMNS } from '../../src/columns.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { PAYER_RETENTION_MS, startForTests, type RunningPayments } from '../running-payments.ts'

const MONTH_MS = 31 * 24 * 3_600_000
const BUYER = 'canary@example.com'
const CARD_PAYER = 'card-canary@example.com'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const readSealed = ['crypto_orders', 'fiat_orders'].map((table) => ({
  table,
  list: queryMany({
    name: `test.sealed-payers.${table}`,
    text: `SELECT id, payer_sealed AS sealed FROM ${table} WHERE payer_sealed IS NOT NULL`,
    row: z.object({ id: z.string(), sealed: z.string() }),
  }),
}))
const listKeys = queryMany({
  name: 'test.data-keys',
  text: 'SELECT subject, key_sealed FROM data_keys',
  row: z.object({ subject: z.string(), keySealed: z.string() }),
})

type Sealed = Readonly<{ table: string; id: string; sealed: string }>
/** A backup of all payers, without the keys. */
const backUp = async (): Promise<Sealed[]> => {
  const found = await Promise.all(
    readSealed.map(async ({ table, list }) => (await list(payments.db)).map((row) => ({ table, ...row }))),
  )
  return found.flat()
}
/** The payers in a backup that the key ring and today's data keys decrypt. */
const revealed = async (backup: readonly Sealed[]): Promise<string[]> => {
  const keys = new Map((await listKeys(payments.db)).map((row) => [row.subject, row.keySealed]))
  return backup.flatMap(({ table, id, sealed }) => {
    const column = SEALED_COLUMNS.find((each) => each.table === table)
    const key = keys.get(sealed.split('.')[1] ?? '')
    if (column === undefined || key === undefined) return []
    return [payments.vault.open(`${sealed}.${key}`, column.contextOf(id)).toString()]
  })
}

const sendNotice = (order: FiatOrder) => {
  const { payment_id } = payments.cards.ofOrder(order.order_key)
  const notice = { notice_id: newId('request'), processor: 'processor', event: 'changed', kind: 'payment' }
  const body = payments.cards.sign({ ...notice, payment_id })
  return payments.ask(cardNotices.receive, { kind: 'public' }, { params: { processor: 'processor' }, body })
}

it('erases payers by age, in live rows and backups, and payments continue as before', async () => {
  const fiat = createFiatCalls(payments)
  const { partner, customerId } = payments.newCustomer()
  const crypto = await payments.newOrder(partner, customerId, { email: BUYER })
  const shop = await fiat.newShop()
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, {
    payer_email: CARD_PAYER,
  })
  const payment = payments.cards.ofOrder(order.order_key)
  payment.status = 'completed'
  expect(await sendNotice(order)).toMatchObject({ ok: true })
  const backup = await backUp()
  const before = (await revealed(backup)).join()
  expect([before.includes(BUYER), before.includes(CARD_PAYER)]).toEqual([true, true])

  // They stay as long as any payer of their month is younger than the retention.
  payments.clock.advance(PAYER_RETENTION_MS - MONTH_MS)
  expect(await revealed(backup)).toHaveLength(2)
  payments.clock.advance(2 * MONTH_MS)
  await eventually(async () => (await revealed(backup)).length === 0)
  expect((await backUp()).map(({ id }) => id).sort()).toEqual([crypto.id, order.order_id].sort())

  payment.refunds.push({ refund_id: newId('request'), amount_cents: 2_500, status: 'succeeded' })
  expect(await sendNotice(order)).toMatchObject({ ok: true })
  expect(await fiat.get(shop.partner, order.order_key)).toMatchObject({
    value: { order: { refunded_cents: 2_500 } },
  })
  payment.disputes.push({ dispute_id: newId('request'), amount_cents: 900, currency: 'EUR' })
  expect(await sendNotice(order)).toMatchObject({ ok: true })
  expect(await fiat.get(shop.partner, order.order_key)).toMatchObject({
    value: { order: { status: 'chargeback' } },
  })
  expect(await revealed(await backUp())).toEqual([])
})
