import { describe, expect, test } from '@jest/globals'
import type { Deposit } from '@causeway/rails/chains'
import fc from 'fast-check'
import type { LockedOrder } from '../crypto-orders/store.ts'
import { applyEntry, type Account, type Change } from './fold.ts'
import { toTolerance } from './settlement.ts'

const DEPTH = 2
const DUE = 10
const EXPIRES_AT = new Date('2026-01-02T00:00:00Z')
const BEFORE = new Date('2026-01-01T00:00:00Z')
const AFTER = new Date('2026-01-03T00:00:00Z')

const order = {
  id: 'ord_1',
  network: 'BTC',
  asset: 'BTC',
  amount: String(DUE),
  status: 'pending',
  received: '0',
  expiresAt: EXPIRES_AT,
} as LockedOrder
const opened: Account = { order, deposits: new Map() }

const entry = (txId: string, blockHash: string | null, confirmations: number, amount = 10): Deposit => ({
  seq: 1,
  network: 'BTC',
  asset: 'BTC',
  address: 'bc1q',
  txId,
  outputIndex: 0,
  amount: String(amount),
  confirmations,
  blockNumber: blockHash === null ? null : 100,
  blockHash,
})

const run = (entries: readonly Deposit[], now = BEFORE, from = opened) => {
  let account = from
  const changes: Change[] = []
  for (const each of entries) {
    const applied = applyEntry(account, each, { depth: DEPTH, tolerance: toTolerance(0), now })
    account = applied.account
    changes.push(...applied.changes)
  }
  const told = changes.map(({ type, order: { status, received }, deposit }) =>
    [type, status, received, deposit.blockHash].join(' '),
  )
  return { account, told, status: account.order.status, received: account.order.received }
}

describe('a reversal by the chain', () => {
  test('reverts a payment whose block is gone and that is mined in another block', () => {
    expect(
      run([entry('a', 'b1', 2), entry('a', null, 0), entry('a', 'b2', 1), entry('a', 'b2', 2)]),
    ).toMatchObject({
      status: 'paid',
      received: '10',
      told: ['payment.confirmed paid 10 b1', 'payment.reverted pending 0 b1', 'payment.confirmed paid 10 b2'],
    })
  })

  test('reverts a payment that is mined again in a block that is not deep enough yet', () => {
    expect(run([entry('a', 'b1', 2), entry('a', 'b2', 1)]).told).toEqual([
      'payment.confirmed paid 10 b1',
      'payment.reverted pending 0 b1',
    ])
  })

  test('keeps a payment that is mined again deep enough in the same read, without an event', () => {
    expect(run([entry('a', 'b1', 2), entry('a', 'b2', 2)]).told).toEqual(['payment.confirmed paid 10 b1'])
  })

  test('reverts a payment that is worth less in its new block', () => {
    expect(run([entry('a', 'b1', 2), entry('a', 'b2', 2, 4)]).told).toEqual([
      'payment.confirmed paid 10 b1',
      'payment.reverted pending 0 b1',
      'payment.underpaid underpaid 4 b2',
    ])
  })

  test('reverts a part, which leaves the order underpaid, or a surplus, which leaves it paid', () => {
    const [a, b] = [entry('a', 'b1', 2, 6), entry('b', 'b1', 2, 6)]
    expect(run([a, b, entry('b', null, 0, 6)]).told.at(-1)).toBe('payment.reverted underpaid 6 b1')
    expect(run([entry('c', 'b1', 2), a, entry('a', null, 0)]).told.at(-1)).toBe('payment.reverted paid 10 b1')
  })

  test('gives an order after its end the state that it would have had without the payment', () => {
    const paid = run([entry('a', 'b1', 2)]).account
    expect(run([entry('a', null, 0)], AFTER, paid).told).toEqual(['payment.reverted expired 0 b1'])
    const underpaid = run([entry('a', 'b1', 2, 6)]).account
    const late = run([entry('b', 'b2', 2, 6), entry('b', null, 0, 6)], AFTER, underpaid)
    expect(late.told.at(-1)).toBe('payment.reverted underpaid 6 b2')
  })

  test('reverts nothing when the same block has fewer confirmations', () => {
    expect(run([entry('a', 'b1', 2), entry('a', 'b1', 1)])).toMatchObject({
      status: 'paid',
      told: { length: 1 },
    })
  })

  test('reverts a deposit that was recorded before blocks were kept', () => {
    const { account } = run([entry('a', 'b1', 2)])
    const old = new Map([...account.deposits].map(([key, kept]) => [key, { ...kept, blockHash: null }]))
    const kept = run([entry('a', 'b1', 3)], BEFORE, { ...account, deposits: old })
    expect(kept).toMatchObject({ status: 'paid', told: [] })
    expect(run([entry('a', null, 0)], BEFORE, kept.account).status).toBe('pending')
  })
})

/** A chain of blocks with the transactions that each holds; the last one is its head. */
type Block = Readonly<{ hash: string; txs: readonly string[] }>
type Action = Readonly<{ kind: 'mine' | 'reorganise' | 'replace'; pick: number; depth: number }>
const AMOUNTS: Readonly<Record<string, number>> = { a: 3, b: 4, c: 10, d: 1 }

const actions = fc.array(
  fc.record({
    kind: fc.constantFrom('mine' as const, 'reorganise' as const, 'replace' as const),
    pick: fc.nat(15),
    depth: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 14 },
)

/** Plays a schedule. @returns after each step the entries that a reader of the chain writes, and what counts then */
const play = (schedule: readonly Action[]) => {
  let chain: readonly Block[] = []
  let gone: readonly string[] = []
  let hashes = 0
  let counted: Readonly<Record<string, string>> = {}
  return schedule.map(({ kind, pick, depth }) => {
    const mined = new Set(chain.flatMap(({ txs }) => txs))
    const names = Object.keys(AMOUNTS)
    if (kind === 'mine') {
      const txs = names.filter((name, n) => (pick >> n) % 2 === 1 && !mined.has(name) && !gone.includes(name))
      chain = [...chain, { hash: `b${(hashes += 1)}`, txs }]
    } else if (kind === 'reorganise') chain = chain.slice(0, -depth)
    else gone = [...gone, ...names.filter((name, n) => (pick >> n) % 2 === 1 && !mined.has(name))]
    const places = names.map((name) => {
      const height = chain.findIndex(({ txs }) => txs.includes(name))
      return {
        name,
        hash: chain[height]?.hash ?? null,
        confirmations: height < 0 ? 0 : chain.length - height,
      }
    })
    // What was deep enough counts while its block is there, also when the head has come closer.
    counted = Object.fromEntries(
      places.flatMap(({ name, hash, confirmations }) =>
        hash !== null && (confirmations >= DEPTH || counted[name] === hash) ? [[name, hash]] : [],
      ),
    )
    const entries = places.map(({ name, hash, confirmations }) =>
      entry(name, hash, confirmations, AMOUNTS[name]),
    )
    return { entries, counted }
  })
}

test('leaves an order with what the chain holds after every step of 10,000 schedules, with an event for every change', () => {
  fc.assert(
    fc.property(actions, (schedule) => {
      let account = opened
      let standing: readonly string[] = []
      for (const { entries, counted } of play(schedule)) {
        const before = account.order
        const { account: after, told } = run(entries, BEFORE, account)
        account = after
        const received = Object.keys(counted).reduce((sum, name) => sum + (AMOUNTS[name] ?? 0), 0)
        const taken = [...standing].filter((name) => counted[name] === undefined).length
        const { status } = account.order
        expect({
          received: account.order.received,
          status,
          taken: told.filter((line) => line.startsWith('payment.reverted')).length,
          isTold: status === before.status || told.length > 0,
        }).toEqual({
          received: String(received),
          status: received >= DUE ? 'paid' : received > 0 ? 'underpaid' : 'pending',
          taken,
          isTold: true,
        })
        standing = Object.keys(counted)
      }
    }),
    { numRuns: 10_000 },
  )
})
