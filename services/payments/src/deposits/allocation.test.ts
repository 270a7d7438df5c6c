import { describe, expect, test } from '@jest/globals'
import type { UnattributedMoneyEnd, UnattributedMoneyKind } from '@causeway/contracts'
import fc from 'fast-check'
import type { KeptDeposit, MoneyPart } from '../crypto-orders/deposits-store.ts'
import type { LockedOrder } from '../crypto-orders/store.ts'
import { allocate, allocated, towardsOrder, type Claim } from './allocation.ts'
import { keyOf } from './deposit-page.ts'
import { applyEntry, type Account } from './fold.ts'
import { changeMoney } from './money-changes.ts'
import { movesOf } from './moves.ts'
import { toTolerance } from './settlement.ts'

const DUE = 10
const order = (status: Claim['status'], fee = 0): Claim => ({
  status,
  asset: 'BTC',
  amount: fromSats(DUE),
  serviceFee: fromSats(fee),
  ...{ serviceFeePayer: 'merchant', settlement: 'asset', currency: 'EUR', fiatAmount: '1.00' },
})
const fromSats = (units: number): string => (units / 1e8).toFixed(8)

const part = (
  kind: UnattributedMoneyKind,
  units: number,
  endedBy: UnattributedMoneyEnd | null,
): MoneyPart => ({
  id: 'umy_1',
  kind,
  unit: 'BTC/BTC',
  amount: fromSats(units),
  status: endedBy === null ? 'open' : 'ended',
  endedBy,
})
const deposit = (txId: string, units: number, change: Partial<KeptDeposit> = {}): KeptDeposit => ({
  network: 'BTC',
  txId,
  outputIndex: 0,
  orderId: 'ord_1',
  asset: 'BTC',
  amount: fromSats(units),
  confirmations: 2,
  blockNumber: 1,
  blockHash: 'b',
  countedAt: new Date(txId.charCodeAt(0)),
  split: null,
  heldAt: null,
  sender: null,
  serviceFee: '0',
  settledAmount: '0',
  settledCents: 0,
  money: [],
  ...change,
})

/** The buckets that are not empty, and what waits for staff, by transaction. */
const told = (status: Claim['status'], deposits: readonly KeptDeposit[]) =>
  allocate(order(status), deposits).map(({ deposit: { txId }, split, unattributed }) => {
    const parts = Object.entries(split ?? {}).filter(([, units]) => units !== 0n)
    const waits = unattributed === null ? '' : ` / ${unattributed.kind} ${unattributed.units}`
    return `${txId}: ${parts.map(([bucket, units]) => `${bucket} ${units}`).join(', ')}${waits}`
  })

describe('the parts of an order’s deposits', () => {
  test.each([
    ['pending', [], []],
    ['underpaid', [deposit('a', 4)], ['a: open 4']],
    ['paid', [deposit('a', 10)], ['a: applied 10']],
    ['paid', [deposit('a', 4), deposit('b', 9)], ['a: applied 4', 'b: applied 6, excess 3 / excess 3']],
    ['paid', [deposit('a', 10), deposit('b', 10)], ['a: applied 10', 'b: excess 10 / second 10']],
    ['paid', [deposit('b', 10), deposit('a', 10)], ['a: applied 10', 'b: excess 10 / second 10']],
    ['expired', [deposit('a', 4)], ['a: late 4 / late 4']],
    ['cancelled', [deposit('a', 10)], ['a: late 10 / late 10']],
    ['refunded', [deposit('a', 10)], ['a: late 10 / late 10']],
    ['paid', [deposit('a', 10, { countedAt: null }), deposit('b', 10)], ['b: applied 10', 'a: ']],
  ] as const)('are split by %s: case %#', (status, deposits, expected) => {
    expect(told(status, deposits)).toEqual(expected)
  })

  test('are foreign in another asset for every status of the order', () => {
    const foreign = deposit('a', 0, { asset: 'ETH', amount: '0.000000000000000007' })
    for (const status of ['pending', 'paid', 'cancelled'] as const)
      expect(told(status, [foreign])).toEqual(['a: foreign 7 / foreign 7'])
  })

  test('are applied as a whole within the tolerance', () => {
    expect(told('paid', [deposit('a', 9)])).toEqual(['a: applied 9'])
  })

  test('stay where they were and never count again once staff have decided on them', () => {
    const kept = deposit('a', 4, { money: [part('late', 4, 'kept')] })
    expect(told('paid', [kept, deposit('b', 12)])).toEqual([
      'a: late 4',
      'b: applied 10, excess 2 / excess 2',
    ])
    expect(towardsOrder(order('expired'), [kept, deposit('b', 6)])).toBe('0.00000006')
  })

  test('count when staff have applied them, and later deposits fill what is still due', () => {
    const applied = deposit('a', 4, { money: [part('late', 4, 'applied')] })
    expect(told('paid', [applied, deposit('b', 9)])).toEqual([
      'a: applied 4',
      'b: applied 6, excess 3 / excess 3',
    ])
  })

  test('leave what paid the order unchanged when staff apply more than the amount due', () => {
    const applied = deposit('b', 10, { money: [part('excess', 7, 'applied')] })
    expect(told('paid', [deposit('a', 7), applied])).toEqual(['a: applied 7', 'b: applied 10'])
  })

  test('do not count while they are being sent back', () => {
    const refunding = { ...part('excess', 3, null), status: 'refunding' as const }
    expect(told('underpaid', [deposit('a', 10, { money: [refunding] })])).toEqual(['a: open 7, excess 3'])
  })

  test('bear the fee where they are applied, each the difference of the rounded cumulative fee', () => {
    const feesOf = (status: Claim['status'], deposits: readonly KeptDeposit[]) =>
      allocate(order(status, 3), deposits).map(
        ({ deposit: { txId }, serviceFee }) => `${txId}: ${serviceFee}`,
      )
    const three = [deposit('a', 2), deposit('b', 3), deposit('c', 9)]
    expect(feesOf('paid', three)).toEqual(['a: 0.00000001', 'b: 0.00000001', 'c: 0.00000001'])
    expect(feesOf('underpaid', three)).toEqual(['a: 0', 'b: 0', 'c: 0'])
    expect(feesOf('cancelled', three)).toEqual(['a: 0', 'b: 0', 'c: 0'])
  })

  test('bear the same share of another asset that staff have applied', () => {
    const foreign = deposit('a', 0, {
      asset: 'ETH',
      amount: '0.00000000000000001',
      money: [{ ...part('foreign', 0, 'applied'), unit: 'BTC/ETH', amount: '0.00000000000000001' }],
    })
    expect(allocate(order('paid', 3), [foreign])[0]?.serviceFee).toBe('0.000000000000000003')
  })

  test('keep the same deposit applied among those that counted together', () => {
    const at = new Date(1)
    const applied = { open: 0n, applied: 10n, excess: 0n, late: 0n, foreign: 0n }
    expect(
      told('paid', [
        deposit('a', 10, { countedAt: at }),
        deposit('b', 10, { countedAt: at, split: applied }),
      ]),
    ).toEqual(['b: applied 10', 'a: excess 10 / second 10'])
  })
})

const locked = {
  id: 'ord_1',
  partnerId: 'p',
  partnerCustomerId: 'c',
  merchantId: 'm',
  network: 'BTC',
  asset: 'BTC',
  address: 'bc1q',
  amount: fromSats(DUE),
  serviceFee: fromSats(3),
  serviceFeePercent: 30,
  serviceFeePayer: 'merchant',
  settlement: 'order_currency',
  currency: 'EUR',
  fiatAmount: '0.77',
  status: 'pending',
  received: '0',
  expiresAt: new Date('2026-01-02T00:00:00Z'),
} as LockedOrder

type Step = Readonly<{
  tx: number
  block: number
  act: 'mine' | 'leave' | 'expire' | 'cancel' | 'keep' | 'apply'
}>
const steps = fc.array(
  fc.record({
    tx: fc.nat(3),
    block: fc.nat(2),
    act: fc.constantFrom(
      ...(['mine', 'mine', 'mine', 'leave', 'expire', 'cancel', 'keep', 'apply'] as const),
    ),
  }),
  { maxLength: 20 },
)
const AMOUNTS = [4, 7, 10, 1] as const

/** Applies one step of the chain, of time or of staff. */
const play = (account: Account, { tx, block, act }: Step, now: Date): Account => {
  const status = account.order.status
  if (act === 'expire' || act === 'cancel')
    return status === 'pending'
      ? { ...account, order: { ...account.order, status: act === 'expire' ? 'expired' : 'cancelled' } }
      : account
  const key = `BTC/tx${tx}/0`
  if (act === 'keep' || act === 'apply') {
    const known = account.deposits.get(key)
    const open = known?.money.find((each) => each.status === 'open')
    if (!known || !open) return account
    const money = known.money.map((each) =>
      each === open
        ? {
            ...each,
            status: 'ended' as const,
            endedBy: act === 'keep' ? ('kept' as const) : ('applied' as const),
          }
        : each,
    )
    const order = act === 'apply' ? { ...account.order, status: 'paid' as const } : account.order
    return { order, deposits: new Map(account.deposits).set(key, { ...known, money }) }
  }
  const isMined = act === 'mine'
  const entry = {
    network: 'BTC' as const,
    asset: 'BTC' as const,
    address: 'bc1q',
    txId: `tx${tx}`,
    outputIndex: 0,
    amount: fromSats(AMOUNTS[tx] ?? 1),
    confirmations: isMined ? 2 : 0,
    blockNumber: isMined ? 1 : null,
    blockHash: isMined ? `b${block}` : null,
  }
  return applyEntry(account, entry, { depth: 2, tolerance: toTolerance(0), now }).account
}

let ids = 0
/** Writes the split and the rows of every deposit, as the settlement does. */
const record = (account: Account, books: Map<string, Record<string, bigint>>): Account => {
  const deposits = new Map(account.deposits)
  for (const allocation of allocate(account.order, deposits.values())) {
    const key = keyOf(allocation.deposit)
    const before = allocation.deposit
    const after = allocated(allocation)
    for (const move of movesOf(account.order, before, after)) {
      const book = books.get(key) ?? {}
      for (const bucket of ['open', 'applied', 'excess', 'late', 'foreign'] as const)
        book[bucket] = (book[bucket] ?? 0n) + BigInt(Math.round(Number(move[bucket]) * 1e8))
      book['fee'] = (book['fee'] ?? 0n) + BigInt(Math.round(Number(move.service_fee ?? 0) * 1e8))
      book['settled'] = (book['settled'] ?? 0n) + BigInt(Math.round(Number(move.settled_amount ?? 0) * 1e8))
      book['cents'] = (book['cents'] ?? 0n) + BigInt(move.settled_cents ?? 0)
      books.set(key, book)
    }
    const change = changeMoney(account.order, allocation, () => `umy_${(ids += 1)}`)
    const others = after.money.filter(({ id }) => id !== change?.row.id)
    const isOpen = change !== null && change.row.endedBy === null
    const money =
      change === null
        ? after.money
        : [...others, ...(isOpen ? [{ ...change.row, status: 'open' as const, endedBy: null }] : [])]
    deposits.set(key, { ...after, money })
  }
  return { ...account, deposits }
}

const satsOf = ({ amount }: Readonly<{ amount: string }>) => BigInt(Math.round(Number(amount) * 1e8))
const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n)

/** Returns the faults in the parts of a deposit, its rows and its moves. */
const faultsOf = (deposit: KeptDeposit, book: Record<string, bigint> = {}): string[] => {
  const { split, countedAt, money } = deposit
  const total = countedAt === null ? 0n : satsOf(deposit)
  const elsewhere = split === null ? 0n : split.excess + split.late + split.foreign
  const waits = money.filter(
    ({ status, endedBy }) => status === 'open' || (countedAt !== null && endedBy !== 'applied'),
  )
  return [
    ...(sumOf(Object.values(split ?? {})) === total ? [] : ['the parts are not the whole']),
    ...(sumOf(waits.map(satsOf)) === elsewhere ? [] : ['what counts for nothing is not listed']),
    ...Object.entries(split ?? {})
      .filter(([bucket, units]) => (book[bucket] ?? 0n) !== units)
      .map(([bucket]) => `the moves do not add up: ${bucket}`),
    ...((book['fee'] ?? 0n) === satsOf({ amount: deposit.serviceFee }) ? [] : ['the fees do not add up']),
    ...((book['fee'] ?? 0n) <= (split?.applied ?? 0n) ? [] : ['the fee exceeds what was applied']),
    ...((book['settled'] ?? 0n) === (split?.applied ?? 0n) - (book['fee'] ?? 0n)
      ? []
      : ['what was applied is not converted']),
    ...((book['settled'] ?? 0n) === satsOf({ amount: deposit.settledAmount }) &&
    (book['cents'] ?? 0n) === BigInt(deposit.settledCents)
      ? []
      : ['the conversions do not add up']),
  ]
}

test('puts every unit of a counted deposit in one bucket after any history, and the moves add up to it', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const books = new Map<string, Record<string, bigint>>()
      let account: Account = { order: locked, deposits: new Map() }
      let at = Date.parse('2026-01-01T00:00:00Z')
      const faults: string[] = []
      for (const step of history) {
        account = record(play(account, step, new Date((at += 1_000))), books)
        for (const [key, deposit] of account.deposits) faults.push(...faultsOf(deposit, books.get(key)))
      }
      expect(faults).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})
