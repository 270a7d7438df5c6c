import type { Db } from '@causeway/chassis'
import { openTestDb, runSql, testDatabase } from '@causeway/chassis/testing'
import type { LedgerFact } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { insert as insertAdjustment } from '../src/adjustments/store.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { compareBooks, readEnd, rebuildBooks } from '../src/rebuild/rebuild.ts'
import { insertPostings, postingValues } from '../src/settlement-postings/store.ts'
import { settlementPosting, type SettlementPosting } from '../src/settlement-postings/movements.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { MERCHANT, payoutsOf } from './fixtures/payouts.ts'
import { deposited, disputed, paid, refunded, swept, timeOf } from './fixtures/facts.ts'

/** Facts as payments keeps them. */
const FACTS = [
  ...[paid(), refunded(), disputed(), deposited()],
  deposited({
    ...{ fact_id: 'deposited-2', open: '0', applied: '0.5', service_fee: '0.005' },
    ...{ settled_amount: '0.495', settled_cents: 2_970_000, settled_currency: 'EUR' },
  }),
]
/** The fact of a sweep, as the signer keeps it. */
const SWEPT = swept()
/** Adjustments and a write-off by staff. */
const ADJUSTED = [
  ['adj_1', 700n, false],
  ['adj_2', -200n, false],
  ['adj_4', 50n, true],
] as const
/** Payouts to a customer and to a partner, with their steps; what moves money in the books is posted. */
const STEPS = [
  ['pay_1', MERCHANT, 25n, ['sent', 'settled', 'returned']],
  ['pay_2', MERCHANT, 25n, ['cancelled']],
  ['pay_3', paid().partner_id, 0n, ['sent', 'settled']],
] as const
const PAYOUT_POSTINGS = 7
/** A settlement line with a fee, a conversion, and the correction of a dispute. */
const SETTLED: SettlementPosting = {
  ...{ source: 'settlement:stripe:L1', processor: 'stripe', orderKey: '7', orderId: null },
  effectiveAt: new Date(timeOf(5)),
  movements: [
    { debit: 'fee', credit: 'receivable', unit: 'EUR', amount: 165n, ownerId: null, kind: null },
    { debit: 'fx', credit: 'receivable', unit: 'USD', amount: 1_500n, ownerId: null, kind: null },
    { debit: 'receivable', credit: 'fx', unit: 'EUR', amount: 1_320n, ownerId: null, kind: null },
    {
      ...{ debit: 'owner', credit: 'receivable', unit: 'EUR', amount: 100n },
      ...{ ownerId: paid().partner_customer_id, kind: 'dispute' },
    },
  ],
}
const LATER = timeOf(10)

let books: OpenedBooks
let rebuilt: OpenedBooks
let payments: OpenedSource
let signer: OpenedSource

type OpenedSource = Readonly<{ url: string; db: Db; close: () => Promise<void> }>

/** The database of a service that keeps these facts, two of which have one sequence. */
const openSource = async (
  service: 'payments' | 'signer',
  facts: readonly LedgerFact[],
): Promise<OpenedSource> => {
  const { url, drop } = await testDatabase(service)
  for (const [index, fact] of facts.entries())
    await runSql(url, 'INSERT INTO ledger_facts (fact_id, seq, fact) VALUES ($1, $2, $3)', [
      fact.fact_id,
      1 + Math.floor(index / 2),
      fact,
    ])
  const db = openTestDb(url)
  return { url, db, close: () => db.close().then(drop) }
}

beforeAll(async () => {
  ;[books, rebuilt] = await Promise.all([openBooks(), openBooks()])
  payments = await openSource('payments', FACTS)
  signer = await openSource('signer', [SWEPT])
})
beforeEach(async () => {
  await Promise.all([books.empty(), rebuilt.empty()])
  await books.change('TRUNCATE adjustments, settlement_postings')
  const payouts = payoutsOf(books)
  for (const fact of [...FACTS, SWEPT]) await books.post([fact], timeOf(0))
  for (const [id, amount, isWriteOff] of ADJUSTED) {
    const now = new Date(timeOf(1))
    const adjusted = { ownerId: paid().partner_customer_id, unit: 'EUR', amount, isWriteOff }
    await postBatch(books.db.pooled, { postings: [adjustmentPosting(adjusted, id, now)] }, now)
    await insertAdjustment(books.db.pooled, {
      ...{ ...adjusted, amount: String(amount), adjustmentId: id, reason: 'Goodwill', now },
    })
  }
  await insertPostings(books.db.pooled, postingValues([SETTLED]))
  const settled = [settlementPosting(SETTLED)].filter((posting) => posting !== null)
  await postBatch(books.db.pooled, { postings: settled }, SETTLED.effectiveAt)
  for (const [id, ownerId, fee, steps] of STEPS) {
    await payouts.pay(id, { ownerId, amount: 100n, fee, takesAdvance: true })
    for (const step of steps) await payouts.step(id, step)
  }
})
afterAll(async () => {
  await Promise.all([books, rebuilt, payments, signer].map((each) => each.close()))
})

const rebuild = (sources = [payments, signer]) =>
  rebuildBooks(
    { sources: sources.map(({ db }) => db.pooled), books: books.db.pooled },
    { db: rebuilt.db, clock: { now: () => new Date(LATER) } },
  )
const compare = async (through?: string) =>
  compareBooks(books.db.pooled, rebuilt.db.pooled, through ?? (await readEnd(books.db.pooled)))

test('rebuilds identical books from facts, adjustments, payouts and settlements that are posted twice in random order', async () => {
  expect(await rebuild()).toBe(FACTS.length + 1 + ADJUSTED.length + PAYOUT_POSTINGS + 1)
  expect(await compare()).toEqual([])
  await books.postDue(LATER)
  expect(await compare()).toEqual([])
  expect(await rebuilt.sums()).toEqual(await books.sums())
})

test.each([
  [
    'an amount was changed',
    'UPDATE books.transfers SET amount = amount + 1 WHERE seq = 1 AND line = 1',
    'the books have other content',
  ],
  [
    'an entry was deleted',
    'DELETE FROM books.entries WHERE seq = 1 AND line = 1',
    'the books have other content',
  ],
  ['a posting is missing', 'DELETE FROM books.scheduled', 'missing in the books'],
  [
    'a posting has no fact',
    `INSERT INTO books.scheduled SELECT source, 'invented', due_at, digest, posting FROM books.scheduled LIMIT 1`,
    'no fact, adjustment, reserve, payout or settlement gives this posting',
  ],
  [
    'an adjustment was changed',
    "UPDATE books.transfers SET amount = amount + 1 FROM books.journal AS j WHERE j.seq = transfers.seq AND j.source = 'adj_1'",
    'the books have other content',
  ],
  [
    'an adjustment was posted without a reason of staff',
    "UPDATE books.journal SET source = 'adj_3' WHERE source = 'adj_1'",
    '(missing in the books|no fact, adjustment, reserve, payout or settlement gives this posting)',
  ],
  [
    'a payout was posted with another amount',
    "UPDATE books.transfers SET amount = amount + 1 FROM books.journal AS j WHERE j.seq = transfers.seq AND j.source = 'pay_1'",
    'the books have other content',
  ],
])('finds that %s', async (_, change, fault) => {
  await rebuild()
  await books.change(change)
  const found = await compare()
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((line) => !new RegExp(`: ${fault}$`).test(line))).toEqual([])
})

test('leaves out what was posted after the rebuild began', async () => {
  const end = await readEnd(books.db.pooled)
  await rebuild()
  await books.post([paid({ fact_id: 'paid-later' })], timeOf(0))
  expect(await compare(end)).toEqual([])
  expect(await compare()).toEqual([
    'paid-later fact: no fact, adjustment, reserve, payout or settlement gives this posting',
    'paid-later release: no fact, adjustment, reserve, payout or settlement gives this posting',
  ])
})

test('lists the postings of a source that is left out', async () => {
  await rebuild([payments])
  expect(await compare()).toEqual([
    `${SWEPT.fact_id} fact: no fact, adjustment, reserve, payout or settlement gives this posting`,
  ])
})

test('reads no facts from the database of a signer that has never run', async () => {
  const { url, drop } = await testDatabase('empty')
  const empty = openTestDb(url)
  await rebuild([payments, signer, { url, db: empty, close: drop }])
  expect(await compare()).toEqual([])
  await empty.close()
  await drop()
})

describe('the command', () => {
  const COMMAND = fileURLToPath(new URL('../src/rebuild/command.ts', import.meta.url))
  const run = async (env: Readonly<Record<string, string>>) => {
    const command = promisify(execFile)(process.execPath, [COMMAND, '--compare'], {
      env: {
        LEDGER_DATABASE_URL: books.url,
        PAYMENTS_DATABASE_URL: payments.url,
        LEDGER_REBUILD_DATABASE_URL: rebuilt.url,
        ...env,
      },
    })
    const { stdout, stderr } = await command.catch(
      (error: unknown) => error as Record<'stdout' | 'stderr', string>,
    )
    return [stdout.trim().split('\n').at(-1), stderr.trim().split('\n')]
  }
  beforeEach(async () => {
    await books.change(
      `INSERT INTO received_facts VALUES ('${SWEPT.fact_id}', 'signer', 1, '') ON CONFLICT DO NOTHING`,
    )
  })

  test('reads the signer’s facts where its database is named', async () => {
    expect(await run({ SIGNER_DATABASE_URL: signer.url })).toEqual(['The books are identical', ['']])
  })

  test('says that the signer’s facts are missing where its database is not named and the books have some', async () => {
    expect(await run({})).toEqual([
      'The books differ',
      [
        'The books have facts of the signer, which are missing here: set SIGNER_DATABASE_URL to read them',
        `${SWEPT.fact_id} fact: no fact, adjustment, reserve, payout or settlement gives this posting`,
      ],
    ])
  })
})
