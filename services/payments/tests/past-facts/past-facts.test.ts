import { createLogger, newId, type Db } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { pricePlans, readLedgerFact, type Asset, type LedgerFact } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { pastCardOrders } from '../../src/card-settlement/past-orders.ts'
import { pastCryptoOrders, pastCryptoRefunds } from '../../src/crypto-refunds/past-crypto.ts'
import { createPastFacts } from '../../src/past-facts/past-facts.ts'
import { createCardCalls } from '../card-calls.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const MINUTE_MS = 60_000
const log = createLogger({ service: 'test', level: 'silent' })

let payments: RunningPayments
let client: pg.Client
/** The facts that were recorded with their movements. */
let recorded: LedgerFact[]
/** The events that brought them. */
let outbox: Record<string, unknown>[]

const readFacts = async (): Promise<LedgerFact[]> =>
  (await client.query<{ fact: object }>('SELECT fact FROM ledger_facts ORDER BY fact_id')).rows.map(
    ({ fact }) => readLedgerFact(fact),
  )

const makeCardMovements = async (): Promise<void> => {
  const fiat = createFiatCalls(payments)
  const cards = createCardCalls(payments)
  const { partner, customerId, integrationId } = await fiat.newShop()
  const splits = [11, 2_345].map((amount_cents) => ({
    partner_customer_id: payments.newCustomer(partner).customerId,
    amount_cents,
  }))
  const newOrder = () =>
    fiat.newOrder(partner, customerId, integrationId, { service_fee_payer: 'customer', splits })
  const order = await newOrder()
  await cards.pay(order)
  const { refunds, disputes } = payments.cards.ofOrder(order.order_key)
  const failing = { refund_id: newId('request'), amount_cents: 333, status: 'succeeded' as const }
  refunds.push({ refund_id: newId('request'), amount_cents: 777, status: 'succeeded' }, failing)
  payments.clock.advance(MINUTE_MS)
  await cards.sendNotice(order)
  payments.clock.advance(MINUTE_MS)
  refunds[1] = { ...failing, status: 'failed' }
  await cards.sendNotice(order)
  payments.clock.advance(MINUTE_MS)
  disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
  await cards.sendNotice(order)
  payments.clock.advance(MINUTE_MS)
  refunds.push({ refund_id: newId('request'), amount_cents: 111, status: 'succeeded' })
  await cards.sendNotice(order)
  await cards.dispute(await newOrder())
  await newOrder()
}

/** Has the partner's crypto orders charged a service fee, and their receipts converted. */
const chargeFee = async (partnerId: string): Promise<void> => {
  const staff = { kind: 'operator', actor: 'finance' } as const
  const rules = [{ rail: 'crypto' as const, percent: 1.5, payer: 'customer' as const }]
  const plan = await payments.ask(pricePlans.create, staff, {
    body: { name: 'Crypto', rules, settlement: 'order_currency' },
  })
  if (!plan.ok) throw new Error(plan.code)
  const { price_plan_id } = plan.value.price_plan
  await payments.ask(pricePlans.assignToPartner, staff, { params: { partnerId }, body: { price_plan_id } })
}

const makeCryptoMovements = async (): Promise<void> => {
  const { partner, customerId } = payments.newCustomer()
  await chargeFee(partner.partnerId)
  const excess = await payments.newOrder(partner, customerId)
  await payments.deposit(excess.id, '0.4')
  await payments.becomes(partner, excess.id, 'paid')
  const part = await payments.newOrder(partner, customerId)
  await payments.deposit(part.id, '0.00001')
  await payments.becomes(partner, part.id, 'underpaid')
  const late = await payments.newOrder(partner, customerId)
  await payments.cancel(partner, late.id)
  await payments.deposit(late.id)
  await eventually(async () =>
    (await readFacts()).some((fact) => fact.kind === 'deposit_moved' && fact.order_id === late.id),
  )
  const refunded = await payments.refund(late.id, TO)
  if (!refunded.ok) throw new Error(refunded.code)
}

beforeAll(async () => {
  payments = await startForTests()
  client = new pg.Client({ connectionString: payments.config.databaseUrl })
  await client.connect()
  await makeCardMovements()
  await makeCryptoMovements()
  await Promise.all(payments.replicas.splice(0).map((replica) => replica.stop()))
  recorded = await readFacts()
  outbox = (await client.query<Record<string, unknown>>('SELECT * FROM outbox_events ORDER BY seq')).rows
})
afterAll(async () => {
  await client.end()
  await payments.stop()
})

/** A database whose every other transaction fails at its end. */
const failing = (db: Db): Db => {
  let calls = 0
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const done = await work(tx)
        calls += 1
        if (calls % 2 === 1) throw new Error('Interrupted')
        return done
      }),
  }
}

/** Makes past facts from the beginning. @returns how many times it was interrupted */
const make = async (db: Db = payments.db): Promise<number> => {
  await client.query("UPDATE past_facts SET source = NULL, position = '', due_at = '-infinity'")
  const run = createPastFacts({ db, clock: payments.clock, log }, [
    pastCardOrders(payments.config.cardAvailableAfterMs),
    pastCryptoOrders,
    pastCryptoRefunds,
  ])
  let interrupted = 0
  const step = () =>
    run().catch(() => {
      interrupted += 1
      return true
    })
  while (await step());
  return interrupted
}
const forget = async (): Promise<void> => {
  await client.query('DELETE FROM ledger_facts')
  await client.query('DELETE FROM outbox_events')
}

const units = (asset: Asset, amount: string): bigint =>
  amount.startsWith('-')
    ? -toUnits(amount.slice(1), ASSET_DECIMALS[asset])
    : toUnits(amount, ASSET_DECIMALS[asset])
const MOVED = ['open', 'applied', 'excess', 'late', 'foreign', 'service_fee', 'settled_amount'] as const

/** Facts as they move money: those of a deposit are one sum, because the moves of before are not known. */
const movementsOf = (facts: readonly LedgerFact[]) => {
  const deposits: Record<string, bigint> = {}
  for (const fact of facts)
    if (fact.kind === 'deposit_moved') {
      if (fact.settled_currency !== undefined) {
        const key = `${fact.order_id} ${fact.tx_id} ${fact.settled_currency}`
        deposits[key] = (deposits[key] ?? 0n) + BigInt(fact.settled_cents ?? 0)
      }
      for (const name of MOVED) {
        const key = `${fact.order_id} ${fact.tx_id} ${name}`
        deposits[key] = (deposits[key] ?? 0n) + units(fact.asset, fact[name] ?? '0')
      }
    }
  return { deposits, others: facts.filter(({ kind }) => kind !== 'deposit_moved') }
}

test('records movements of every kind with their facts', () => {
  const kinds = recorded.map(({ kind }) => kind)
  expect([...new Set(kinds)].sort()).toEqual([
    'card_disputed',
    'card_paid',
    'card_refunded',
    'crypto_refunded',
    'deposit_moved',
  ])
  expect(kinds.filter((kind) => kind === 'card_refunded')).toHaveLength(4)
  expect(recorded.filter((fact) => 'service_fee' in fact && 'settled_cents' in fact)).toHaveLength(1)
})

test('makes from rows alone the facts that were recorded with their movements, although it is interrupted', async () => {
  await forget()
  expect(await make(failing(payments.db))).toBeGreaterThan(3)
  const made = await readFacts()
  expect(movementsOf(made)).toEqual(movementsOf(recorded))
  expect((await client.query('TABLE past_fact_gaps')).rows).toEqual([])

  const emitted = () => client.query('SELECT seq FROM outbox_events ORDER BY seq')
  const { rows } = await emitted()
  await make()
  expect(await readFacts()).toEqual(made)
  expect((await emitted()).rows).toEqual(rows)
})

test.each([0, 1])('makes only what is missing where half of the facts are known: case %#', async (half) => {
  await forget()
  const known = recorded.filter((_, at) => at % 2 === half)
  for (const [at, fact] of known.entries())
    await client.query('INSERT INTO ledger_facts VALUES ($1, $2, $3)', [fact.fact_id, at, fact])
  await make()
  expect(movementsOf(await readFacts())).toEqual(movementsOf(recorded))
})

test('keeps under its own id each fact whose event the outbox has, and makes none for it', async () => {
  await forget()
  for (const { seq, event_id: id, subject, payload, created_at: at } of outbox)
    await client.query(
      `INSERT INTO outbox_events (seq, event_id, subject, payload, created_at) OVERRIDING SYSTEM VALUE
       VALUES ($1, $2, $3, $4, $5)`,
      [seq, id, subject, payload, at],
    )
  await make()
  expect(await readFacts()).toEqual(recorded)
})
