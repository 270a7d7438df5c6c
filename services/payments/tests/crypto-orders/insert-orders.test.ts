import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createClock, createLogger, newId, queryOne, type Db } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { openTestDb, testDatabase, testVault } from '@causeway/chassis/testing'
import { CAPABILITIES } from '@causeway/contracts'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createPreparation } from '../../src/crypto-orders/preparation.ts'
import { insertOrders, type PreparedOrder } from '../../src/crypto-orders/insert-store.ts'
import { cryptoOrderTerms, NO_VERSION } from '../../src/price-plans/rules.ts'
import { upsertRelationships } from '../../src/relationships/store.ts'
import { orderBody } from '../running-payments.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const clock = createClock()
const partnerId = newId('partner')
const partnerCustomerId = newId('relationship')
let taken = 0

const findRate = queryOne({
  name: 'test.find-rate',
  parameters: { orderId: 'text' },
  text: 'SELECT rate, rate_source FROM crypto_orders WHERE id = :orderId',
  row: z.object({ rate: z.string(), rateSource: z.string() }),
})

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
let prepare: (reference: string, owner?: string) => Promise<PreparedOrder>
beforeAll(async () => {
  database = await testDatabase('insert_orders')
  await migrate({
    url: database.url,
    folder: fileURLToPath(new URL('../../migrations', import.meta.url)),
    log,
  })
  db = openTestDb(database.url, clock, { poolSize: 1, pipelinedConnections: 2 })
  const capabilities = CAPABILITIES.map((capability) => ({
    capability,
    enabled: true,
    available: true,
    reason: null,
  }))
  await upsertRelationships(db, [
    {
      partner_customer_id: partnerCustomerId,
      partner_id: partnerId,
      customer_id: newId('merchant'),
      status: 'active',
      capabilities,
      version: 1,
    },
  ])
  const prepareOrder = createPreparation(
    { db, vault: testVault(Buffer.alloc(32, 1)) },
    {
      numbers: { take: () => Promise.resolve((taken += 1)), grantCardKeys: () => Promise.resolve() },
      destinations: createDestinations(SANDBOX_ACCOUNTS),
      timeToLiveMs: 1_000,
      links: { publicBaseUrl: 'https://pay.example', chains: {} },
    },
  )
  prepare = (reference, owner = partnerId) => {
    const { email, currency } = orderBody()
    const body = { reference, network: 'XRP', asset: 'XRP', amount: '1', currency, email } as const
    const rate = { price: '1', at: clock.now(), source: 'a test' }
    const quoted = { amount: '1', networkFee: null, totalToSend: '1', serviceFee: '0', isTooBig: false }
    const terms = cryptoOrderTerms(NO_VERSION, currency)
    return prepareOrder(
      { partnerId: owner, partnerCustomerId, body, now: clock.now() },
      { merchantId: newId('merchant'), rate, quoted, terms },
    )
  }
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const prepareAll = (references: readonly string[]) =>
  Promise.all(references.map((reference) => prepare(reference)))

it('inserts two batches with the same references in opposite order without a deadlock', async () => {
  for (let round = 0; round < 15; round++) {
    const references = Array.from({ length: 200 }, (_, index) => `${round}-${index}`)
    const [forth, back] = [await prepareAll(references), await prepareAll(references.toReversed())]
    const outcomes = (await Promise.all([insertOrders(db, forth), insertOrders(db, back)])).flat()
    expect(outcomes.filter((outcome) => outcome.inserted)).toHaveLength(200)
  }
})

it('returns outcomes in the order of the batch, and inserts a reference named twice once', async () => {
  const outcomes = await insertOrders(db, await prepareAll(['z', 'a', 'z', 'm']))
  expect(outcomes.map((outcome) => outcome.inserted)).toEqual([true, true, false, true])
})

it('keeps the locked rate and its source', async () => {
  const prepared = await prepare('priced')
  await insertOrders(db, [prepared])
  expect(await findRate(db, { orderId: prepared.order.id })).toEqual({ rate: '1', rateSource: 'a test' })
})

it("inserts nothing on another partner's relationship", async () => {
  const outcomes = await insertOrders(db, [await prepare('stranger', newId('partner'))])
  expect(outcomes).toEqual([{ inserted: false, eligibility: null }])
})
