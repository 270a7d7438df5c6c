import { createClock, createLogger, newId, type Clock } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { openTestDb, testDatabase } from '@causeway/chassis/testing'
import { readLedgerFact, type LedgerFact } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pastCardOrders } from '../../src/card-settlement/past-orders.ts'
import { pastCryptoOrders, pastCryptoRefunds } from '../../src/crypto-refunds/past-crypto.ts'
import { startPastFacts } from '../../src/past-facts/jobs/make-past-facts.ts'
import { createPastFacts } from '../../src/past-facts/past-facts.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** The migration with which past facts are made. */
const NUMBER = 73
const HOUR_MS = 3_600_000
const log = createLogger({ service: 'test', level: 'silent' })
const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`
const [PARTNER, CUSTOMER, MERCHANT] = [newId('partner'), newId('relationship'), newId('merchant')]

let before: string
let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
beforeAll(async () => {
  before = mkdtempSync(join(tmpdir(), 'causeway-before-'))
  for (const file of readdirSync(MIGRATIONS))
    if (Number.parseInt(file) < NUMBER) cpSync(join(MIGRATIONS, file), join(before, file))
  database = await testDatabase('past_facts')
  await migrate({ url: database.url, folder: before, log })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
  rmSync(before, { recursive: true })
})

const insert = (table: string, row: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(row)
  const places = names.map((_, at) => `$${at + 1}`)
  return client.query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  )
}
const owner = { partner_id: PARTNER, partner_customer_id: CUSTOMER, merchant_id: MERCHANT }

/** A card order of 102.50 EUR with a fee of 2.50 that the customer paid. */
const insertCardOrder = async (change: Readonly<Record<string, unknown>>): Promise<string> => {
  const id = newId('fiatOrder')
  await insert('fiat_orders', {
    ...{ id, ...owner, integration_id: 'int_1', kind: 'order', currency: 'EUR' },
    ...{ total_cents: 10_250, amount_cents: 10_000, service_fee_cents: 250, service_fee_percent: 2.5 },
    ...{
      service_fee_payer: 'customer',
      processor: 'stripe',
      processor_order_id: id,
      order_url: 'https://cards.example',
    },
    ...{ created_at: day(1), ...change },
  })
  return id
}

let orders = 0
const insertCryptoOrder = async (
  status: string,
  change: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const id = newId('cryptoOrder')
  orders += 1
  await insert('crypto_orders', {
    ...{
      id,
      ...owner,
      reference: id,
      network: 'BTC',
      asset: 'BTC',
      amount: 0.5,
      total_to_send: 0.5,
      currency: 'EUR',
    },
    ...{
      fiat_amount: '10.00',
      rate: 1,
      rate_at: day(1),
      derivation_index: orders,
      address: id,
      watch_address: id,
    },
    ...{
      payer_sealed: '',
      status,
      received: 0,
      created_at: day(1),
      expires_at: day(2),
      updated_at: day(2),
      ...change,
    },
  })
  return id
}
const insertDeposit = (orderId: string, txId: string, parts: Readonly<Record<string, number>>) =>
  insert('crypto_deposits', {
    ...{ network: 'BTC', tx_id: txId, output_index: 0, order_id: orderId, asset: 'BTC', confirmations: 2 },
    ...{
      amount: Object.values(parts).reduce((sum, part) => sum + part, 0) || 0.5,
      seen_at: day(2),
      counted_at: day(3),
    },
    ...(Object.keys(parts).length > 0 && {
      ...{ open_amount: 0, applied_amount: 0, excess_amount: 0, late_amount: 0, foreign_amount: 0 },
      ...Object.fromEntries(Object.entries(parts).map(([bucket, part]) => [`${bucket}_amount`, part])),
    }),
  })

const make = async (clock: Clock): Promise<LedgerFact[]> => {
  const db = openTestDb(database.url, clock)
  const run = createPastFacts({ db, clock, log }, [
    pastCardOrders(48 * HOUR_MS),
    pastCryptoOrders,
    pastCryptoRefunds,
  ])
  while (await run());
  await db.close()
  const { rows } = await client.query<{ fact: object }>('SELECT fact FROM ledger_facts ORDER BY fact_id')
  return rows.map(({ fact }) => readLedgerFact(fact))
}

test('derives the facts of a database from before the ledger from its rows, an hour after the upgrade, and lists the rest', async () => {
  await insert('integrations', {
    ...{ id: 'int_1', ...owner, name: 'Shop', processor: 'stripe', seeded: true },
    ...{ created_at: day(1) },
  })
  await insertCardOrder({ status: 'pending' })
  const paid = await insertCardOrder({ status: 'paid', completed_at: day(2), refunded_cents: 1_000 })
  await insert('fiat_refunds_seen', {
    ...{
      processor: 'stripe',
      processor_refund_id: 'r1',
      order_id: paid,
      amount_cents: 1_000,
      seen_at: day(3),
    },
  })
  const disputed = await insertCardOrder({ status: 'chargeback', chargeback_cents: 10_250 })
  await insert('chargebacks', {
    ...{
      id: newId('chargeback'),
      ...owner,
      order_id: disputed,
      order_key: 2,
      processor: 'stripe',
      dispute_id: 'd1',
    },
    ...{ amount_cents: 10_250, currency: 'EUR', fee_cents: 1_500, fee_currency: 'USD', created_at: day(4) },
  })
  const unexplained = await insertCardOrder({
    status: 'refunded',
    completed_at: day(2),
    refunded_cents: 10_250,
  })

  const applied = await insertCryptoOrder('paid')
  await insertDeposit(applied, 'a', { applied: 0.5, excess: 0.1 })
  const unsplit = await insertCryptoOrder('paid')
  await insertDeposit(unsplit, 'b', {})
  const sentBack = await insertCryptoOrder('refunded', { refund_address: 'elsewhere', refunded_at: day(5) })
  await insertDeposit(sentBack, 'c', { late: 0.25 })
  await insert('unattributed_money', {
    ...{
      id: newId('unattributedMoney'),
      kind: 'late',
      unit: 'BTC/BTC',
      amount: 0.25,
      order_id: sentBack,
      network: 'BTC',
    },
    ...{
      tx_id: 'c',
      output_index: 0,
      address: 'c',
      received_at: day(3),
      status: 'ended',
      ended_by: 'refund',
    },
    ...{ ended_at: day(5) },
  })
  const silent = await insertCryptoOrder('refunded', { refund_address: 'elsewhere', refunded_at: day(5) })

  await migrate({ url: database.url, folder: MIGRATIONS, log })
  const startedMs = Date.parse(day(9))
  const clock = createClock(() => startedMs)
  const db = openTestDb(database.url, clock)
  const job = await startPastFacts({ db, clock, log } as never, [])
  await job.stop()
  await db.close()
  expect(await make(clock)).toEqual([])
  clock.advance(HOUR_MS)
  const facts = await make(clock)

  const told = facts.map(({ kind, fact_id: id, at }) => [kind, id, at])
  expect(told).toEqual(
    [
      ['card_paid', `card_paid:${paid}`, day(2)],
      ['card_refunded', 'card_refunded:stripe:r1', day(3)],
      ['card_paid', `card_paid:${disputed}`, day(4)],
      ['card_disputed', 'card_disputed:stripe:d1', day(4)],
      ['card_paid', `card_paid:${unexplained}`, day(2)],
      ['deposit_moved', 'deposit_moved:BTC:a:0:BTC', day(3)],
      ['deposit_moved', 'deposit_moved:BTC:c:0:BTC', day(3)],
      ['crypto_refunded', `crypto_refunded:${sentBack}`, day(5)],
    ].sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1)),
  )
  const factOf = (id: string) => facts.find(({ fact_id }) => fact_id === id)
  expect(factOf('card_refunded:stripe:r1')).toMatchObject({
    ...{ amount_cents: 1_000, service_fee_cents: 24, available_at: day(4), order_id: paid },
  })
  expect(factOf('card_disputed:stripe:d1')).toMatchObject({
    ...{ amount_cents: 10_250, estimated: true, fee: { currency: 'USD', amount_cents: 1_500 } },
  })
  expect(factOf('deposit_moved:BTC:a:0:BTC')).toMatchObject({
    applied: '0.5',
    excess: '0.1',
    order_id: applied,
  })
  expect(factOf(`crypto_refunded:${sentBack}`)).toMatchObject({ amount: '0.25', bucket: 'late' })

  const { rows: gaps } = await client.query<{ subject: string }>('SELECT subject FROM past_fact_gaps')
  expect(gaps.map(({ subject }) => subject).sort()).toEqual([unexplained, silent].sort())
})
