import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const DESCRIPTION = 'Gift for Ada Example, 12 Example Square'

const readRow = queryOne({
  name: 'test.read-row',
  parameters: { orderKey: 'bigint' },
  text: 'SELECT row_to_json(r)::text AS row FROM refunds r WHERE order_key = :orderKey',
  row: z.object({ row: z.string() }),
})
const unseal = queryNone({
  name: 'test.unseal',
  parameters: { orderKey: 'bigint', description: 'text' },
  text: 'UPDATE refunds SET description = :description, description_sealed = NULL WHERE order_key = :orderKey',
})
const readOutbox = queryMany({
  name: 'test.read-payloads',
  text: 'SELECT payload FROM outbox_events',
  row: z.object({ payload: z.string() }),
})

let refunds: RunningRefunds
beforeAll(async () => {
  refunds = await startForTests()
})
afterAll(() => refunds.stop())

const rowOf = async (orderKey: string) => (await readRow(refunds.db, { orderKey }))?.row
const descriptionOf = async ({ partner, orderKey }: Awaited<ReturnType<RunningRefunds['newOrder']>>) => {
  const listed = await refunds.list(partner, orderKey)
  return listed.ok ? listed.value.refunds[0]?.description : listed.code
}

it('stores a description sealed, keeps it out of events and returns it to its partner', async () => {
  const order = await refunds.newOrder()
  const body = { amount_cents: 100, description: DESCRIPTION }
  expect(await refunds.refund(order.partner, order.orderKey, body)).toMatchObject({ ok: true })
  expect(await rowOf(order.orderKey)).toMatch(/"description":null.*"description_sealed":"v1\./)
  expect(await rowOf(order.orderKey)).not.toContain('Ada')
  expect(JSON.stringify(await readOutbox(refunds.db))).not.toContain('Ada')
  expect(await descriptionOf(order)).toBe(DESCRIPTION)
})

it('sends the description unchanged to the processor, also when the refund is sent again', async () => {
  const order = await refunds.newOrder()
  await refunds.fault('reset', 1)
  const body = { amount_cents: 100, description: DESCRIPTION }
  expect(await refunds.refund(order.partner, order.orderKey, body)).toMatchObject({ ok: false })
  await eventually(async () => (await refunds.statesOf(order.orderKey))['reconciled'] === 1)
  const [made] = await refunds.atProcessor(order.processorOrderId)
  // Under the same key the processor accepts the same description alone.
  const askWith = (description: string) =>
    refunds.makeAtProcessor(order.processorOrderId, made?.refundId ?? '', 100, description)
  expect(await askWith(DESCRIPTION)).toEqual(made)
  await expect(askWith('Something else')).rejects.toMatchObject({ failure: 'refused' })
})

it('seals a description that a former version stored in plain text, and returns it unchanged', async () => {
  const order = await refunds.newOrder()
  await refunds.refund(order.partner, order.orderKey, { amount_cents: 100, description: DESCRIPTION })
  await unseal(refunds.db, { orderKey: order.orderKey, description: DESCRIPTION })
  expect(await descriptionOf(order)).toBe(DESCRIPTION)
  await refunds.startReplica()
  await eventually(async () => !(await rowOf(order.orderKey))?.includes('Ada'))
  expect(await descriptionOf(order)).toBe(DESCRIPTION)
})

it('returns no description for a refund without one', async () => {
  const order = await refunds.newOrder()
  await refunds.refund(order.partner, order.orderKey, { amount_cents: 100, description: null })
  expect(await rowOf(order.orderKey)).toContain('"description_sealed":null')
  expect(await descriptionOf(order)).toBeNull()
})
