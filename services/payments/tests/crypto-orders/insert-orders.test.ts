import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createClock, createDb, createLogger, migrate, newId, type Db } from '@causeway/chassis'
import { testDatabase, testVault } from '@causeway/chassis/testing'
import { CAPABILITIES } from '@causeway/contracts'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails'
import { fileURLToPath } from 'node:url'
import { createDraftMaker } from '../../src/crypto-orders/preparation.ts'
import { createIndices } from '../../src/crypto-orders/derivation-index-store.ts'
import { mintOrders, type Draft } from '../../src/crypto-orders/insert-store.ts'
import { upsertRelationships } from '../../src/relationships/store.ts'
import { orderBody } from '../running-payments.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const clock = createClock()
const partnerId = newId('partner')
const partnerCustomerId = newId('relationship')

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
let draft: (reference: string, owner?: string) => Promise<Draft>
beforeAll(async () => {
  database = await testDatabase('mint')
  await migrate({
    url: database.url,
    folder: fileURLToPath(new URL('../../migrations', import.meta.url)),
    log,
  })
  db = createDb({ url: database.url, name: 'test', log, clock, poolSize: 1, lanes: 2 })
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
  const make = createDraftMaker(
    { db, vault: testVault(Buffer.alloc(32, 1)) },
    {
      destinations: createDestinations(SANDBOX_ACCOUNTS),
      timeToLiveMs: 1_000,
      publicBaseUrl: 'https://pay.example',
    },
  )
  draft = (reference, owner = partnerId) => {
    const { email, currency } = orderBody()
    const body = { reference, network: 'XRP', asset: 'XRP', amount: '1', currency, email } as const
    const rate = { price: '1', at: clock.now() }
    return make({ partnerId: owner, partnerCustomerId, body, now: clock.now() }, newId('merchant'), rate)
  }
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const draftsOf = (references: readonly string[]) =>
  Promise.all(references.map((reference) => draft(reference)))

it('two batches that name the same references in opposite orders do not wait for each other in a ring', async () => {
  for (let round = 0; round < 15; round++) {
    const references = Array.from({ length: 200 }, (_, index) => `${round}-${index}`)
    const [forth, back] = [await draftsOf(references), await draftsOf(references.toReversed())]
    const minted = (await Promise.all([mintOrders(db, forth), mintOrders(db, back)])).flat()
    expect(minted.filter((outcome) => outcome.inserted)).toHaveLength(200)
  }
})

it('answers in the order of its drafts, and mints a reference named twice in one batch once', async () => {
  const minted = await mintOrders(db, await draftsOf(['z', 'a', 'z', 'm']))
  expect(minted.map((outcome) => outcome.inserted)).toEqual([true, true, false, true])
})

it("mints nothing on another partner's relationship", async () => {
  const minted = await mintOrders(db, [await draft('stranger', newId('partner'))])
  expect(minted).toEqual([{ inserted: false, standing: null }])
})

it('two replicas that take 1,000 indices at once are never given one twice', async () => {
  const replicas = [createIndices(db), createIndices(db)]
  const taken = await Promise.all(
    replicas.flatMap((replica) => Array.from({ length: 500 }, () => replica.take('BTC'))),
  )
  expect(new Set(taken).size).toBe(1_000)
  expect(Math.min(...taken)).toBe(1)
})
