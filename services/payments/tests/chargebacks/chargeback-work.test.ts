import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { listByOrder } from '../../src/chargebacks/store.ts'
import { createCardCalls } from '../card-calls.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

type Step = Readonly<Record<string, unknown> & { Plans?: Step[] }>
const COUNTED = ['Node Type', 'Index Name', 'Actual Rows', 'Actual Loops', 'Rows Removed by Filter']
const pagesOf = (step: Step) => Number(step['Shared Hit Blocks']) + Number(step['Shared Read Blocks'])
/** A plan without times and values: its steps, with the rows and pages of each. */
const countsOf = (step: Step): unknown[] => [
  [...COUNTED.map((name) => step[name]), pagesOf(step)],
  ...(step.Plans ?? []).map(countsOf),
]

/** Explains statements instead of returning their rows. */
const explainer = (client: pg.Client, plans: unknown[]): Parameters<typeof listByOrder>[0] => ({
  query: async ({ text, bind }, values) => {
    const explained = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Step }[] }>(explained, bind(values))
    plans.push(...(rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan }) => countsOf(Plan)))
    return []
  },
})

test("costs the database the same for another partner's order key as for an unknown one", async () => {
  const fiat = createFiatCalls(payments)
  const cards = createCardCalls(payments)
  const shop = await fiat.newShop()
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
  await cards.pay(order)
  await cards.dispute(order)
  const client = new pg.Client({ connectionString: payments.config.databaseUrl })
  await client.connect()
  // Of a partner with many chargebacks: the planner then starts elsewhere if the statement lets it.
  const other = await fiat.newShop()
  const stranger = other.partner.partnerId
  await client.query(
    `INSERT INTO chargebacks
     SELECT (jsonb_populate_record(c, jsonb_build_object(
       'id', c.id || n, 'partner_id', $1::text, 'partner_customer_id', $2::text, 'order_key', 1000000 + n, 'dispute_id', c.dispute_id || n))).*
     FROM chargebacks c, generate_series(1, 3000) AS n`,
    [stranger, other.customerId],
  )
  await client.query('VACUUM ANALYZE chargebacks, fiat_orders, relationships')
  await client.query('SET enable_seqscan = off')
  const workOf = async (partnerId: string, orderKey: string) => {
    const plans: unknown[] = []
    await listByOrder(explainer(client, plans), { partnerId, orderKey, limit: 100 })
    return plans
  }
  await workOf(stranger, order.order_key)
  const others = await workOf(stranger, order.order_key)
  expect(others).toEqual(await workOf(stranger, '999999999'))
  expect(others).not.toEqual(await workOf(shop.partner.partnerId, order.order_key))
  await client.end()
})
