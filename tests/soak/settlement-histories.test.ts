import { newId } from '@causeway/chassis'
import {
  ASSETS,
  factsOfEvent,
  NETWORK_ASSETS,
  NETWORKS,
  readLedgerFact,
  type Asset,
  type Network,
} from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, quote, toUnits } from '@causeway/rails/networks'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { postingsOf } from '../../services/ledger/src/posting/rules.ts'
import { settledOfCredited } from '../../services/payments/src/crypto-orders/settled-value.ts'
import type { LockedOrder } from '../../services/payments/src/crypto-orders/store.ts'
import { allocate, allocated } from '../../services/payments/src/deposits/allocation.ts'
import { keyOf } from '../../services/payments/src/deposits/deposit-page.ts'
import { applyEntry, type Account } from '../../services/payments/src/deposits/fold.ts'
import { changeMoney } from '../../services/payments/src/deposits/money-changes.ts'
import { depositMovedEvent, movesOf } from '../../services/payments/src/deposits/moves.ts'
import { toTolerance } from '../../services/payments/src/deposits/settlement.ts'
import { addFee } from '../../services/payments/src/price-plans/asset-fee.ts'

const AT = new Date('2026-11-01T00:00:00Z')
const RELATIONSHIP = newId('relationship')
const TRANSACTIONS = 4
const NETWORK_OF = Object.fromEntries(
  NETWORKS.flatMap((network) => NETWORK_ASSETS[network].map((asset) => [asset, network])),
) as Readonly<Record<Asset, Network>>

/** An order that is converted: assets of 6 to 18 decimals, currencies of 0, 2 and 3, with any fee of either payer. */
const someOrder = fc
  .record({
    asset: fc.constantFrom(...ASSETS),
    currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
    hundredths: fc.integer({ min: 1, max: 1_000_000 }),
    price: fc.integer({ min: 1, max: 100_000_000 }),
    percent: fc.integer({ min: 0, max: 10_000 }),
    serviceFeePayer: fc.constantFrom('customer' as const, 'merchant' as const),
  })
  .map(({ asset, currency, hundredths, price, percent, serviceFeePayer }) => {
    const network = NETWORK_OF[asset]
    const pair = {
      network,
      asset,
      currency,
      fiatAmount: (hundredths / 100).toFixed(2),
      price: (price / 1_000).toFixed(3),
    }
    const rule = { percent: percent / 100, fixedCents: 0, payer: serviceFeePayer }
    const { amount, serviceFee } = addFee(quote(pair), pair, rule)
    return {
      ...{ id: newId('cryptoOrder'), partnerId: newId('partner'), partnerCustomerId: RELATIONSHIP },
      ...{ merchantId: newId('merchant'), network, asset, amount, address: '0x1', currency },
      ...{
        fiatAmount: pair.fiatAmount,
        settlement: 'order_currency',
        serviceFee,
        serviceFeePercent: rule.percent,
      },
      ...{ serviceFeePayer, status: 'pending', received: '0', expiresAt: new Date(0) },
    } as LockedOrder
  })

const someStep = fc.record({
  act: fc.constantFrom(
    ...(['mine', 'mine', 'mine', 'leave', 'expire', 'cancel', 'keep', 'apply', 'apply'] as const),
  ),
  tx: fc.nat(TRANSACTIONS - 1),
  block: fc.nat(2),
})
type Step = Readonly<{
  act: 'mine' | 'leave' | 'expire' | 'cancel' | 'keep' | 'apply'
  tx: number
  block: number
}>
/** The parts of the amount due that the transactions send, in thousandths. */
const someParts = fc.array(fc.integer({ min: 1, max: 1_300 }), {
  minLength: TRANSACTIONS,
  maxLength: TRANSACTIONS,
})

/** Posts the facts of an order's moves by the ledger's rules, and sums up each account and unit. */
const createBooks = () => {
  const sums = new Map<string, bigint>()
  const add = (account: string, amount: bigint) => void sums.set(account, (sums.get(account) ?? 0n) + amount)
  const post = (fact: object): void => {
    for (const { debit, credit, unit, amount } of postingsOf(readLedgerFact(fact)).flatMap(
      (each) => each.transfers,
    )) {
      add(`${debit.ownerId ?? debit.name} ${unit}`, -amount)
      add(`${credit.ownerId ?? credit.name} ${unit}`, amount)
    }
  }
  return {
    post,
    of: (account: string) => sums.get(account) ?? 0n,
    open: () => [...sums].filter(([, sum]) => sum !== 0n),
  }
}
type Books = ReturnType<typeof createBooks>

let ids = 0
/** Writes the splits of an order's deposits, as the settlement does. */
const settle = (account: Account, books: Books): Account => {
  const deposits = new Map(account.deposits)
  for (const allocation of allocate(account.order, deposits.values())) {
    const after = allocated(allocation)
    for (const move of movesOf(account.order, allocation.deposit, after))
      factsOfEvent(depositMovedEvent(newId('event'), move, AT)).forEach(books.post)
    const change = changeMoney(account.order, allocation, () => `umy_${(ids += 1)}`)
    const others = after.money.filter(({ id }) => id !== change?.row.id)
    const opened =
      change?.row.endedBy === null ? [{ ...change.row, status: 'open' as const, endedBy: null }] : []
    deposits.set(keyOf(after), { ...after, money: change === null ? after.money : [...others, ...opened] })
  }
  return { ...account, deposits }
}

const report = (
  account: Account,
  amounts: readonly string[],
  { act, tx, block }: Step,
  at: number,
): Account => {
  const { network, asset } = account.order
  const isMined = act === 'mine'
  const entry = {
    ...{ network, asset, address: '0x1', txId: `tx${tx}`, outputIndex: 0, amount: amounts[tx] ?? '1' },
    ...{
      confirmations: isMined ? 2 : 0,
      blockNumber: isMined ? 1 : null,
      blockHash: isMined ? `b${block}` : null,
    },
  }
  const now = new Date(AT.getTime() + at * 1_000)
  return applyEntry(account, entry, { depth: 2, tolerance: toTolerance(0.005), now }).account
}

/** Staff end the open money of a deposit. */
const decide = ({ order, deposits }: Account, { act, tx }: Step): Account => {
  const key = [...deposits.keys()].find((each) => each.includes(`/tx${tx}/`)) ?? ''
  const known = deposits.get(key)
  const open = known?.money.find(({ status }) => status === 'open')
  if (known === undefined || open === undefined) return { order, deposits }
  const endedBy = act === 'keep' ? ('kept' as const) : ('applied' as const)
  const money = known.money.map((each) =>
    each === open ? { ...open, status: 'ended' as const, endedBy } : each,
  )
  return {
    order: act === 'apply' ? { ...order, status: 'paid' } : order,
    deposits: new Map(deposits).set(key, { ...known, money }),
  }
}

const play = (account: Account, amounts: readonly string[], step: Step, at: number): Account => {
  const { act } = step
  if (act === 'mine' || act === 'leave') return report(account, amounts, step, at)
  if (act === 'keep' || act === 'apply') return decide(account, step)
  if (account.order.status !== 'pending') return account
  return { ...account, order: { ...account.order, status: act === 'expire' ? 'expired' : 'cancelled' } }
}

/** The accounts whose sums are not what is applied of the order, converted as one sum. */
const faultsOf = ({ order, deposits }: Account, books: Books): string[] => {
  const unit = `${order.network}/${order.asset}`
  const applied = [...deposits.values()].reduce((sum, { split }) => sum + (split?.applied ?? 0n), 0n)
  const { units, cents } = settledOfCredited(order, order.asset, applied)
  const expected: [string, bigint][] = [
    [`${RELATIONSHIP} ${unit}`, 0n],
    [`${RELATIONSHIP} ${order.currency}`, cents],
    [`fx:${unit} ${unit}`, units],
    [`fx:${order.currency} ${order.currency}`, -cents],
    [`income:service_fee ${unit}`, applied - units],
  ]
  return expected
    .filter(([account, sum]) => books.of(account) !== sum)
    .map(([account, sum]) => `${account}: ${books.of(account)}, not ${sum}`)
}

test('converts exactly what is applied after any history, and leaves nothing once the chain has taken all back', () => {
  let [converted, applications] = [0, 0]
  fc.assert(
    fc.property(someOrder, someParts, fc.array(someStep, { maxLength: 20 }), (order, parts, steps) => {
      const due = toUnits(order.amount, ASSET_DECIMALS[order.asset])
      const amounts = parts.map((part) =>
        fromUnits((due * BigInt(part)) / 1_000n + 1n, ASSET_DECIMALS[order.asset]),
      )
      const books = createBooks()
      let account: Account = { order, deposits: new Map() }
      const takeBack = Array.from({ length: TRANSACTIONS }, (_, tx): Step => ({ act: 'leave', tx, block: 0 }))
      for (const [at, step] of [...steps, ...takeBack].entries()) {
        account = settle(play(account, amounts, step, at), books)
        expect(faultsOf(account, books)).toEqual([])
        if (books.of(`fx:${order.currency} ${order.currency}`) !== 0n) converted += 1
        if (step.act === 'apply' && account.order.status === 'paid') applications += 1
      }
      expect(books.open()).toEqual([])
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(converted, applications)).toBeGreaterThan(100)
})
