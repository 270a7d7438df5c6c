import { newId } from '@causeway/chassis'
import { createWriteBlocker, eventually, killNow, startServiceProcess } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { announceNegativeBalances } from '../src/negative-balances/jobs/announce.ts'
import { ownedAccount, suspense } from '../src/posting/accounts.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { transferOf, type Posting } from '../src/posting/posting.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
  // The tests and their processes examine the postings.
  await ledger.stopReplicas()
})
afterAll(async () => {
  await ledger.startReplica()
  await ledger.stop()
})

const newRelationship = async (status = 'active', grants = ['wallets']): Promise<string> => {
  const id = newId('relationship')
  await ledger.sql(
    `INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
     VALUES ($1, $2, $3, $4, $5, 1)`,
    [id, newId('partner'), newId('merchant'), status, grants],
  )
  return id
}
const post = (...postings: Posting[]) => postBatch(ledger.db.pooled, { postings }, new Date())
const moved = (ownerId: string, amount: bigint, unit = 'EUR') =>
  adjustmentPosting({ ownerId, unit, amount }, newId('adjustment'), new Date())
/** One posting with several amounts of an owner's balance. */
const movedTogether = (ownerId: string, amounts: readonly bigint[], balance: 'available' | 'pending') => {
  const owned = ownedAccount(ownerId, balance)
  return {
    ...moved(ownerId, 1n),
    transfers: amounts.flatMap((amount) =>
      amount > 0n
        ? transferOf(suspense('EUR'), owned, 'EUR', amount, 'adjustment')
        : transferOf(owned, suspense('EUR'), 'EUR', -amount, 'adjustment'),
    ),
  }
}
const announce = async () => {
  while (await announceNegativeBalances(ledger)) continue
}
/** Events that partners received about a customer, in order. */
const toldOf = async (id: string) =>
  (await ledger.events())
    .flatMap(({ name, partners }) => (name === 'balance.negative' ? partners : []))
    .filter((each) => each.partner_customer_id === id)
    .map(({ data }) => [data['unit'], data['available']])

test('announces each posting that takes an available balance below zero, once for many replicas', async () => {
  const id = await newRelationship()
  await post(moved(id, 100n), moved(id, -150n), moved(id, -10n), moved(id, 60n), moved(id, -1n))
  await post(moved(id, -5n, 'ETH/USDC'))
  await Promise.all([announce(), announce(), announce()])
  await announce()
  expect(await toldOf(id)).toEqual([
    ['EUR', -50],
    ['EUR', -1],
    ['ETH/USDC', '-0.000005'],
  ])
  const [first] = (await ledger.events()).filter(({ name }) => name === 'balance.negative')
  const [posting] = await ledger.sql<{ id: string; at: Date }>(
    `SELECT j.id, j.recorded_at AS at FROM books.journal AS j JOIN books.entries AS e USING (seq)
     JOIN books.accounts AS a ON a.id = e.account_id WHERE a.owner_id = $1 AND e.balance_after = -50`,
    [id],
  )
  expect(first?.partners[0]?.data).toMatchObject({
    journal_id: posting?.id,
    recorded_at: posting?.at.toISOString(),
  })
})

test('compares the balance before a posting with the one after it, and ignores what it is in between', async () => {
  const [through, below] = [await newRelationship(), await newRelationship()]
  await post(moved(through, 10n), movedTogether(through, [-50n, 45n], 'available'))
  await post(movedTogether(below, [30n, -20n, -20n], 'available'))
  await announce()
  expect([await toldOf(through), await toldOf(below)]).toEqual([[], [['EUR', -10]]])
})

test('announces no other balances, nor those of partners and of customers that are revoked or do not show their balances', async () => {
  const pending = await newRelationship()
  const others = [
    await newRelationship('revoked'),
    await newRelationship('active', ['payouts']),
    newId('partner'),
    newId('merchant'),
  ]
  await post(movedTogether(pending, [-5n], 'pending'), ...others.map((id) => moved(id, -5n)))
  await announce()
  for (const id of [pending, ...others]) expect(await toldOf(id)).toEqual([])
})

test('announces nothing of postings from before the migration, and what is posted afterwards', async () => {
  const [before, after] = [await newRelationship(), await newRelationship()]
  await post(moved(before, -5n))
  await ledger.sql('DROP TABLE balance_watch')
  await ledger.sql(readFileSync(new URL('../migrations/34_balance-watch.sql', import.meta.url), 'utf8'))
  await post(moved(after, -5n))
  await announce()
  expect([await toldOf(before), await toldOf(after)]).toEqual([[], [['EUR', -5]]])
})

const start = () =>
  startServiceProcess('ledger', [MAIN], ledger.config, {
    ENCRYPTION_KEY: ledger.config.keys.encryptionKey?.toString('base64'),
    PUBLIC_BASE_URL: ledger.config.publicBaseUrl,
  })

test.each(
  (['outbox_events', 'balance_watch'] as const).flatMap((table) =>
    (['breakOff', 'release'] as const).map((end) => [table, end] as const),
  ),
)('announces a balance once when it is killed at its write to %s (%s)', async (table, end) => {
  const id = await newRelationship()
  await announce()
  const blocker = await createWriteBlocker(ledger.config.databaseUrl, table)
  const child = await start()
  await blocker.begin()
  await post(moved(id, -70n))
  await blocker.reached()
  await killNow(child)
  await blocker[end]()
  await blocker.close()
  await ledger.sql('DROP FUNCTION block_writes() CASCADE')

  const next = await start()
  await eventually(async () => (await toldOf(id)).length > 0)
  const later = await newRelationship()
  await post(moved(later, -1n))
  await eventually(async () => (await toldOf(later)).length > 0)
  expect(await toldOf(id)).toEqual([['EUR', -70]])
  await killNow(next)
})
