import { newId } from '@causeway/chassis'
import {
  factsOfEvent,
  type Asset,
  type DepositBucket,
  type LedgerFact,
  type Network,
} from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { LockedOrder } from '../../services/payments/src/crypto-orders/store.ts'
import type { KeptDeposit, MoneyPart } from '../../services/payments/src/crypto-orders/deposits-store.ts'
import { chooseParts } from '../../services/payments/src/crypto-refunds/refund-source.ts'
import { refundFact } from '../../services/payments/src/crypto-refunds/ledger-facts.ts'
import { allocate, allocated } from '../../services/payments/src/deposits/allocation.ts'
import { applyEntry, type Account } from '../../services/payments/src/deposits/fold.ts'
import { keyOf } from '../../services/payments/src/deposits/deposit-page.ts'
import { changeMoney } from '../../services/payments/src/deposits/money-changes.ts'
import { depositMovedEvent, movesOf } from '../../services/payments/src/deposits/moves.ts'
import { toTolerance } from '../../services/payments/src/deposits/settlement.ts'
import { factsOfStep } from '../../services/signer/src/transfers/facts.ts'
import type { CryptoRefundRow, DepositsRow, TransferRow } from './checks/books-model.ts'

export const CRYPTO_ACTS = [
  'mine',
  'leave',
  'end crypto',
  'keep',
  'apply',
  'refund money',
  'refund order',
  'end refund',
  'make facts again',
] as const
export type CryptoAct = (typeof CRYPTO_ACTS)[number]

/** A refund as payments keeps it, with the place of its order and the money that it takes. */
type Refund = Parameters<typeof refundFact>[0] &
  Readonly<{
    place: number
    kind: MoneyPart['kind'] | null
    moneyIds: readonly string[]
    status: 'requested' | 'confirmed' | 'failed'
    endedAt: Date | null
  }>

/** Replaces acts of payments, to see that the books then differ. */
export type CryptoMutant = Readonly<{
  /** Facts of a refund each time that they are made. `making` counts the times. */
  refundFacts?: (refund: Refund, fact: LedgerFact, making: number) => LedgerFact[]
}>
const shippedFacts: NonNullable<CryptoMutant['refundFacts']> = ({ status }, fact) =>
  status === 'confirmed' ? [fact] : []

/** Service fees of the orders: none, one that divides unevenly, and all of the amount. */
const FEES = ['0', '0.333333', '10', '0.000005']

/** Prices of the orders in currencies of 2, 0 and 3 decimals; two of four orders are converted. */
const PRICES = [
  { currency: 'EUR', fiatAmount: '9.95' },
  { currency: 'JPY', fiatAmount: '5' },
  { currency: 'KWD', fiatAmount: '3.33' },
]

const newAccount = (place: number): Account => {
  const [network, asset] = place % 3 === 2 ? ['BTC', 'BTC'] : ['ETH', 'USDC']
  return {
    order: {
      ...{ id: newId('cryptoOrder'), partnerId: newId('partner'), partnerCustomerId: newId('relationship') },
      ...{ merchantId: newId('merchant'), network, asset, address: '0x1', amount: '10' },
      ...{
        serviceFee: FEES[place % FEES.length],
        serviceFeePercent: 3,
        serviceFeePayer: place === 5 ? 'customer' : 'merchant',
      },
      ...{
        settlement: place % 4 < 2 ? 'order_currency' : 'asset',
        ...PRICES[place % PRICES.length],
      },
      ...{ status: 'pending', received: '0', expiresAt: new Date(0) },
    } as LockedOrder,
    deposits: new Map(),
  }
}

const decimal = (units: bigint, asset: Asset): string => fromUnits(units, ASSET_DECIMALS[asset])
const unitsOf = (amount: string, asset: Asset): bigint => toUnits(amount, ASSET_DECIMALS[asset])
const coinOf = (network: Network): Asset => (network === 'BTC' ? 'BTC' : 'ETH')
/** A fee of at most 0.0009 of the coin: no money is smaller. */
const feeOf = (choice: number): string => `0.000${choice % 10}`

/** Applies a change to each part of an account's money; it returns the parts that replace it. */
const withMoney = (
  { order, deposits }: Account,
  change: (part: MoneyPart, deposit: KeptDeposit) => readonly MoneyPart[],
): Account => ({
  order,
  deposits: new Map(
    [...deposits].map(([key, deposit]) => [
      key,
      { ...deposit, money: deposit.money.flatMap((part) => change(part, deposit)) },
    ]),
  ),
})

/** The money of a failed refund is open again, with what became open meanwhile: a deposit has one open row. */
const reopen = (account: Account, ids: readonly string[]): Account => {
  const mine = (part: MoneyPart) => part.status === 'refunding' && ids.includes(part.id)
  return withMoney(account, (part, { asset, money }) => {
    const [returned, open] = [money.find(mine), money.find(({ status }) => status === 'open')]
    if (returned === undefined || (part !== returned && part !== open)) return [part]
    if (open === undefined) return [{ ...part, status: 'open' }]
    const sum = unitsOf(open.amount, asset) + unitsOf(returned.amount, asset)
    return part === returned ? [] : [{ ...open, amount: decimal(sum, asset) }]
  })
}

type Options = Readonly<{
  count: number
  post: (facts: readonly object[]) => void
  now: () => Date
  mutant: CryptoMutant
}>

/**
 * Crypto orders with deposits that a chain reports late, twice and takes back, and with the acts of staff on their money.
 * The rules are payments' and the signer's own; what their statements do to rows is done here.
 */
export const createCryptoHistory = ({ count, post, now, mutant }: Options) => {
  const accounts = Array.from({ length: count }, (_, place) => newAccount(place))
  const refunds = new Map<string, Refund>()
  const lostFees: TransferRow[] = []
  let ids = 0
  let makings = 0

  /** Writes the splits of an order's deposits, as the settlement does. */
  const settle = (place: number, account: Account): void => {
    const deposits = new Map(account.deposits)
    for (const allocation of allocate(account.order, deposits.values())) {
      const before = allocation.deposit
      const after = allocated(allocation)
      for (const move of movesOf(account.order, before, after))
        post(factsOfEvent(depositMovedEvent(newId('event'), move, now())))
      const change = changeMoney(account.order, allocation, () => `umy_${(ids += 1)}`)
      const others = after.money.filter(({ id }) => id !== change?.row.id)
      const opened =
        change?.row.endedBy === null ? [{ ...change.row, status: 'open' as const, endedBy: null }] : []
      deposits.set(keyOf(before), { ...after, money: change === null ? after.money : [...others, ...opened] })
    }
    accounts[place] = { ...account, deposits }
  }

  const postRefund = (refund: Refund): void => {
    const order = accounts[refund.place]?.order
    if (order === undefined || refund.endedAt === null) return
    const owner = { orderId: order.id, partnerCustomerId: order.partnerCustomerId, kind: refund.kind }
    const fact = refundFact(refund, owner, refund.endedAt)
    post((mutant.refundFacts ?? shippedFacts)(refund, fact, (makings += 1)))
  }

  /** The network took the fee of a transfer that it did not execute. */
  const loseFee = ({ id, network, asset, amount }: Refund, at: Date, networkFee: string): void => {
    const signed = JSON.stringify({
      network,
      asset,
      feeAsset: coinOf(network),
      sources: [{ amount }],
      amount,
    })
    const transfer = { id, purpose: 'refund', status: 'broadcast', signed } as const
    post(factsOfStep(transfer, { step: 'failed', at, networkFee }))
    const lost = { network, asset, taken: '0', arrived: '0', networkFee }
    lostFees.push({ ...lost, purpose: 'refund', status: 'failed' })
  }

  /** Ends a refund under way: it was sent, by the signer or by hand, or it failed and may have cost a fee. */
  const endRefund = (refund: Refund, how: 'sent' | 'by hand' | 'failed', choice: number): void => {
    const { id, place, network, asset, amount, moneyIds } = refund
    const account = accounts[place]
    if (account === undefined) return
    const [coin, networkFee] = [coinOf(network), feeOf(choice)]
    const [endedAt, status] = [now(), how === 'failed' ? ('failed' as const) : ('confirmed' as const)]
    // Gas that the network did not take stays with the money.
    const most = unitsOf(networkFee, coin) + BigInt(choice % 2)
    const arrives = unitsOf(amount, asset) - (asset === coin ? most : 0n)
    const sent = how === 'sent' ? { sentAmount: decimal(arrives, asset), networkFee } : {}
    const ended = { ...refund, ...sent, status, endedAt }
    refunds.set(id, ended)
    if (how === 'failed') {
      accounts[place] = reopen(account, moneyIds)
      if (choice % 3 !== 0) loseFee(ended, endedAt, networkFee)
    } else {
      const after = withMoney(account, (part) =>
        moneyIds.includes(part.id) && part.status === 'refunding'
          ? [{ ...part, status: 'ended', endedBy: 'refund' }]
          : [part],
      )
      const order = refund.kind === null ? { ...after.order, status: 'refunded' as const } : after.order
      accounts[place] = { ...after, order }
    }
    postRefund(ended)
  }

  type Source = Pick<Refund, 'asset' | 'amount' | 'kind' | 'moneyIds'>
  /** Reserves money for a refund, which the signer then sends, or which staff have sent. */
  const request = (place: number, source: Source, choice: number): void => {
    const account = accounts[place]
    if (account === undefined) return
    const { network } = account.order
    const refund: Refund = {
      ...source,
      ...{ id: `rfd_${(ids += 1)}`, place, network, sentAmount: null, networkFee: null },
      ...{ status: 'requested', endedAt: null },
    }
    refunds.set(refund.id, refund)
    accounts[place] = withMoney(account, (part) => [
      source.moneyIds.includes(part.id) && part.status === 'open' ? { ...part, status: 'refunding' } : part,
    ])
    if (choice % 4 === 0) endRefund(refund, 'by hand', choice)
  }

  const openMoney = ({ deposits }: Account) =>
    [...deposits.values()].flatMap((deposit) =>
      deposit.money.filter(({ status }) => status === 'open').map((part) => ({ ...deposit, ...part })),
    )

  const requestOne = (place: number, account: Account, choice: number): void => {
    const open = openMoney(account)
    const part = open[choice % Math.max(1, open.length)]
    if (part === undefined) return
    const { id, asset, amount, kind } = part
    request(place, { asset, amount, kind, moneyIds: [id] }, choice)
  }

  const requestAll = (place: number, account: Account, choice: number): void => {
    const { network, asset, status } = account.order
    const isUnderWay = [...refunds.values()].some(
      (refund) => refund.place === place && refund.kind === null && refund.status !== 'failed',
    )
    if (status !== 'cancelled' || isUnderWay) return
    const { amount, parts } = chooseParts(
      network,
      asset,
      openMoney(account).filter((part) => part.asset === asset),
    )
    if (parts.length > 0)
      request(place, { asset, amount, kind: null, moneyIds: parts.map(({ id }) => id) }, choice)
  }

  /** Staff keep an amount, or apply it to its order with the merchant's consent. */
  const decide = (place: number, { order, deposits }: Account, act: 'keep' | 'apply'): void => {
    if (act === 'apply' && order.status === 'refunded') return
    for (const [key, deposit] of deposits) {
      const open = deposit.money.find(({ status }) => status === 'open')
      if (open === undefined) continue
      const endedBy = act === 'keep' ? ('kept' as const) : ('applied' as const)
      const ended = { ...open, status: 'ended' as const, endedBy }
      const money = deposit.money.map((each) => (each === open ? ended : each))
      const status = act === 'apply' ? ('paid' as const) : order.status
      settle(place, {
        order: { ...order, status },
        deposits: new Map(deposits).set(key, { ...deposit, money }),
      })
      return
    }
  }

  const report = (place: number, account: Account, isMined: boolean, choice: number): void => {
    const { network, asset } = account.order
    const tx = choice % 4
    const entry = {
      ...{ network, address: '0x1', txId: `tx${tx}`, outputIndex: 0 },
      ...{ asset: tx === 3 ? coinOf(network) : asset, amount: ['4', '7', '10', '1.5'][tx] ?? '1' },
      ...{ confirmations: isMined ? 2 : 0, blockNumber: isMined ? 1 : null },
      blockHash: isMined ? `b${(choice >> 2) % 3}` : null,
    }
    settle(place, applyEntry(account, entry, { depth: 2, tolerance: toTolerance(0), now: now() }).account)
  }

  const play = (place: number, act: CryptoAct, choice: number): void => {
    const account = accounts[place]
    if (account === undefined) return
    const { order } = account
    const underWay = [...refunds.values()].filter(({ status }) => status === 'requested')
    if (act === 'mine' || act === 'leave') report(place, account, act === 'mine', choice)
    if (act === 'end crypto' && order.status === 'pending')
      settle(place, { ...account, order: { ...order, status: choice % 2 === 0 ? 'expired' : 'cancelled' } })
    if (act === 'keep' || act === 'apply') decide(place, account, act)
    if (act === 'refund money') requestOne(place, account, choice)
    if (act === 'refund order') requestAll(place, account, choice)
    const chosen = underWay[choice % Math.max(1, underWay.length)]
    if (act === 'end refund' && chosen !== undefined)
      endRefund(chosen, choice % 5 < 2 ? 'failed' : 'sent', choice)
    if (act === 'make facts again') for (const refund of refunds.values()) postRefund(refund)
  }

  const depositRows = (): DepositsRow[] =>
    accounts.flatMap(({ order, deposits }) =>
      [...Map.groupBy(deposits.values(), ({ asset }) => asset)].map(([asset, ofAsset]): DepositsRow => {
        const sum = (bucket: DepositBucket) =>
          decimal(
            ofAsset.reduce((units, { split }) => units + (split?.[bucket] ?? 0n), 0n),
            asset,
          )
        return {
          ...{ relationshipId: order.partnerCustomerId, network: order.network, asset },
          order: {
            ...{ asset: order.asset, amount: order.amount, serviceFee: order.serviceFee },
            isFeeOnTop: order.serviceFeePayer === 'customer',
            convertedTo:
              order.settlement === 'asset' ? null : { currency: order.currency, price: order.fiatAmount },
          },
          ...{ open: sum('open'), applied: sum('applied'), excess: sum('excess') },
          ...{ late: sum('late'), foreign: sum('foreign') },
        }
      }),
    )
  const refundRows = (): CryptoRefundRow[] =>
    [...refunds.values()]
      .filter(({ status }) => status === 'confirmed')
      .map(({ place, network, asset, kind, amount, sentAmount, networkFee }) => ({
        ...{ relationshipId: accounts[place]?.order.partnerCustomerId ?? '', network, asset, kind },
        ...{ amount: sentAmount ?? amount, networkFee: networkFee ?? '0' },
      }))

  return {
    play,
    /** The rows of payments' and the signer's tables: deposits that count, refunds that were sent, fees of those that failed. */
    rows: () => ({
      deposits: depositRows(),
      refunds: refundRows(),
      lostFees,
    }),
  }
}
