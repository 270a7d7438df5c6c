import { factsOfEvent, readLedgerFact, type LedgerFact } from '@causeway/contracts'
import { newId } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import { ASSET_DECIMALS } from '@causeway/rails/networks'
import { postingsOf } from '../../services/ledger/src/posting/rules.ts'
import { ledgerFactsOf } from '../../services/payments/src/card-settlement/ledger-facts.ts'
import {
  refundIdsAfter,
  settlePayment,
  type CountedIds,
} from '../../services/payments/src/card-settlement/transitions.ts'
import type { LockedOrder } from '../../services/payments/src/crypto-orders/store.ts'
import { allocate } from '../../services/payments/src/deposits/allocation.ts'
import { applyEntry, type Account } from '../../services/payments/src/deposits/fold.ts'
import { keyOf } from '../../services/payments/src/deposits/deposit-page.ts'
import { changeMoney } from '../../services/payments/src/deposits/money-changes.ts'
import { depositMovedEvent, movesOf } from '../../services/payments/src/deposits/moves.ts'
import { toTolerance } from '../../services/payments/src/deposits/settlement.ts'
import type { OpenFiatOrder } from '../../services/payments/src/fiat-orders/domain.ts'
import type { CardOrderRow, DepositsRow, Sums } from './checks/books-model.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const AVAILABLE_AFTER_MS = 3_000

/** One step of a history. The numbers choose among what is possible then. */
export type HistoryStep = Readonly<{ act: HistoryAct; order: number; choice: number }>
export const HISTORY_ACTS = [
  'capture',
  'refund',
  'fail refund',
  'dispute',
  'end',
  'read',
  'read again',
  'mine',
  'leave',
  'end crypto',
  'keep',
  'apply',
] as const
export type HistoryAct = (typeof HISTORY_ACTS)[number]

/** A card order, with its payment at the processor. `rows`: as payments' tables keep what moved its money. */
type Card = {
  order: OpenFiatOrder
  payment: Pick<CardPayment, 'status' | 'processorStatus' | 'currency' | 'paidCents'>
  refunds: CardRefund[]
  disputes: CardDispute[]
  former: CardPayment | null
  rows: {
    refunds: { id: string; amountCents: number; at: number; failedAt: number | null }[]
    disputes: (CardDispute & { at: number })[]
  }
}

const newCard = (place: number): Card => {
  const isCustomers = place % 2 === 0
  const id = newId('fiatOrder')
  const order = {
    ...{ id, orderKey: 1_001 + place, partnerId: newId('partner'), partnerCustomerId: newId('relationship') },
    ...{
      merchantId: newId('merchant'),
      integrationId: newId('integration'),
      merchantName: 'Shop',
      kind: 'order',
    },
    ...{
      status: 'pending',
      currency: 'EUR',
      totalCents: 1_025 + 7 * place,
      amountCents: isCustomers ? 1_000 : 1_025,
    },
    ...{ serviceFeeCents: 25 + (place % 3), serviceFeePercent: 2.5 },
    ...{ serviceFeePayer: isCustomers ? 'customer' : 'merchant', refundedCents: 0, chargebackCents: 0 },
    ...{ merchantReference: null, processor: place % 3 === 0 ? 'stripe' : 'adyen', processorOrderId: id },
    ...{ processorStatus: 'new', orderUrl: 'https://cards.example', returnUrl: null, failureUrl: null },
    ...{ createdAt: new Date(START_MS), updatedAt: null, completedAt: null },
  } as OpenFiatOrder
  const payment = { status: 'new', processorStatus: 'new', currency: 'EUR', paidCents: 0 } as const
  return { order, payment, refunds: [], disputes: [], former: null, rows: { refunds: [], disputes: [] } }
}

const newCrypto = (): Account => ({
  order: {
    ...{ id: newId('cryptoOrder'), partnerId: newId('partner'), partnerCustomerId: newId('relationship') },
    ...{ merchantId: newId('merchant'), network: 'ETH', asset: 'USDC', address: '0x1', amount: '10' },
    ...{ status: 'pending', received: '0', expiresAt: new Date(START_MS) },
  } as LockedOrder,
  deposits: new Map(),
})

const toRows = ({ order, rows }: Card): CardOrderRow => {
  const firstAt = Math.min(...rows.disputes.map(({ at }) => at))
  return {
    relationshipId: order.partnerCustomerId,
    processor: order.processor,
    currency: order.currency,
    totalCents: order.totalCents,
    serviceFeeCents: order.serviceFeeCents,
    isFeeReturned: order.serviceFeePayer === 'customer',
    refunds: rows.refunds
      .filter(({ failedAt }) => failedAt === null || failedAt > firstAt)
      .map(({ amountCents, at, failedAt }) => ({
        amountCents,
        isAfterDispute: at > firstAt,
        hasFailed: failedAt !== null,
      })),
    disputes: rows.disputes,
  }
}

const decimal = (units: bigint, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * A history of payments as its own rules make it, without a database: card orders and crypto orders, a processor and a chain
 * that report late, twice and in any order, and staff. Its facts are posted by the ledger's rules, each twice; its rows are
 * those that payments would store.
 */
export const createHistory = ({
  cards: cardCount,
  cryptos,
}: Readonly<{ cards: number; cryptos: number }>) => {
  const cards = Array.from({ length: cardCount }, (_, place) => newCard(place))
  const accounts = Array.from({ length: cryptos }, newCrypto)
  const posted = new Map<string, string>()
  const sums = new Map<string, bigint>()
  let at = 0
  let ids = 0

  const postOnce = (fact: LedgerFact): void => {
    for (const { source, rule, transfers } of postingsOf(fact)) {
      const content = JSON.stringify(transfers, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      const known = posted.get(`${source} ${rule}`)
      if (known !== undefined && known !== content) throw new Error(`${source} has other content than before`)
      posted.set(`${source} ${rule}`, content)
      if (known !== undefined) continue
      for (const { debit, credit, unit, amount } of transfers)
        for (const [account, sign] of [
          [debit, -1n],
          [credit, 1n],
        ] as const) {
          const key = `${account.ownerId ?? account.name} ${unit}`
          sums.set(key, (sums.get(key) ?? 0n) + sign * amount)
        }
    }
  }
  const post = (facts: readonly object[]): void => {
    for (const fact of [...facts, ...facts.toReversed()]) postOnce(readLedgerFact(fact))
  }

  const read = (card: Card, payment: CardPayment): void => {
    const { rows } = card
    const now = new Date(START_MS + at * 1_000)
    const idsOf = (hasFailed: boolean) =>
      new Set(rows.refunds.filter(({ failedAt }) => (failedAt !== null) === hasFailed).map(({ id }) => id))
    const counted: CountedIds = {
      refundIds: idsOf(false),
      failedRefundIds: idsOf(true),
      disputeIds: new Set(rows.disputes.map(({ disputeId }) => disputeId)),
    }
    const settlement = settlePayment(card.order, payment, counted, now)
    for (const step of settlement.steps) {
      post(ledgerFactsOf(step, { availableAfterMs: AVAILABLE_AFTER_MS, now }))
      if (step.type === 'payment.chargeback') rows.disputes.push({ ...step.dispute, at })
      if (step.type !== 'payment.refunded') continue
      const { processorRefundId: id, amountCents, status } = step.refund
      const known = rows.refunds.find((row) => row.id === id)
      if (status === 'failed' && known !== undefined) known.failedAt = at
      else rows.refunds.push({ id, amountCents, at, failedAt: null })
    }
    const stillCounted = refundIdsAfter(counted, settlement)
    if (rows.refunds.some(({ id, failedAt }) => (failedAt === null) !== stillCounted.has(id)))
      throw new Error('The rows of refunds are not what the order counts')
    card.order = settlement.order
  }

  /** Writes the splits of an order's deposits, as the settlement does. */
  const settle = (place: number, account: Account): void => {
    const deposits = new Map(account.deposits)
    for (const allocation of allocate(account.order, deposits.values())) {
      const before = allocation.deposit
      const after = { ...before, split: allocation.split }
      for (const move of movesOf(account.order, before, after))
        post(factsOfEvent(depositMovedEvent(newId('event'), move, new Date(START_MS + at * 1_000))))
      const change = changeMoney(account.order, allocation, () => `umy_${(ids += 1)}`)
      const others = after.money.filter(({ id }) => id !== change?.row.id)
      const opened =
        change?.row.endedBy === null ? [{ ...change.row, status: 'open' as const, endedBy: null }] : []
      deposits.set(keyOf(before), { ...after, money: change === null ? after.money : [...others, ...opened] })
    }
    accounts[place] = { ...account, deposits }
  }

  const playCard = (card: Card, act: HistoryAct, choice: number): void => {
    const payment = (): CardPayment =>
      ({
        ...card.payment,
        refunds: [...card.refunds],
        disputes: [...card.disputes],
      }) as unknown as CardPayment
    if (act === 'capture') {
      const paidCents = card.order.totalCents - (choice % 5 === 0 ? 1 : 0)
      card.payment = { ...card.payment, status: 'completed', processorStatus: 'completed', paidCents }
    }
    if (act === 'end' && card.payment.status === 'new') card.payment = { ...card.payment, status: 'expired' }
    const refunded = card.refunds.reduce(
      (sum, { amountCents, status }) => sum + (status === 'failed' ? 0 : amountCents),
      0,
    )
    const left = card.order.totalCents - refunded
    if (act === 'refund' && left > 0) {
      const amountCents = 1 + (choice % Math.min(left, 400))
      const processorRefundId = `r${(ids += 1)}`
      const made = { refundId: null, orderKey: null, currency: 'EUR', createdAt: new Date(START_MS) }
      card.refunds.push({ ...made, processorRefundId, amountCents, status: 'succeeded' })
    }
    const chosen = choice % Math.max(1, card.refunds.length)
    const refund = card.refunds[chosen]
    if (act === 'fail refund' && refund !== undefined) card.refunds[chosen] = { ...refund, status: 'failed' }
    if (act === 'dispute' && card.disputes.length < 2) {
      const amountCents = choice % 3 === 0 ? null : 1 + (choice % card.order.totalCents)
      const currency = choice % 3 === 1 ? 'EUR' : 'USD'
      card.disputes.push({
        ...{ disputeId: `d${(ids += 1)}`, disputedAt: null, reason: null },
        ...{ amountCents, currency: amountCents === null ? null : currency },
        ...(choice % 2 === 0
          ? { feeCents: null, feeCurrency: null }
          : { feeCents: 1_500, feeCurrency: 'USD' }),
      })
    }
    if (act === 'read again' && card.former !== null) read(card, card.former)
    if (act === 'read') {
      const now = payment()
      read(card, now)
      card.former = choice % 2 === 0 ? now : card.former
    }
  }

  const playCrypto = (place: number, act: HistoryAct, choice: number): void => {
    const account = accounts[place]
    if (account === undefined) return
    const { order } = account
    if (act === 'mine' || act === 'leave') {
      const isMined = act === 'mine'
      const tx = choice % 4
      const entry = {
        ...{ network: 'ETH' as const, address: '0x1', txId: `tx${tx}`, outputIndex: 0 },
        ...{
          asset: tx === 3 ? ('ETH' as const) : ('USDC' as const),
          amount: ['4', '7', '10', '1.5'][tx] ?? '1',
        },
        ...{ confirmations: isMined ? 2 : 0, blockNumber: isMined ? 1 : null },
        blockHash: isMined ? `b${(choice >> 2) % 3}` : null,
      }
      const now = new Date(START_MS + at * 1_000)
      settle(place, applyEntry(account, entry, { depth: 2, tolerance: toTolerance(0), now }).account)
    }
    if (act === 'end crypto' && order.status === 'pending')
      settle(place, { ...account, order: { ...order, status: choice % 2 === 0 ? 'expired' : 'cancelled' } })
    if (act !== 'keep' && act !== 'apply') return
    for (const [key, deposit] of account.deposits) {
      const open = deposit.money.find(({ status }) => status === 'open')
      if (open === undefined) continue
      const ended = {
        ...open,
        status: 'ended' as const,
        endedBy: act === 'keep' ? ('kept' as const) : ('applied' as const),
      }
      const money = deposit.money.map((each) => (each === open ? ended : each))
      const status = act === 'apply' ? ('paid' as const) : order.status
      const deposits = new Map(account.deposits).set(key, { ...deposit, money })
      settle(place, { order: { ...order, status }, deposits })
      return
    }
  }

  return {
    play({ act, order, choice }: HistoryStep): void {
      at += 1
      const card = cards[order % cards.length]
      if (card !== undefined) playCard(card, act, choice)
      playCrypto(order % accounts.length, act, choice)
    },
    /** The rows of payments' tables: orders that are paid, and deposits that count. */
    rows(): Readonly<{ orders: CardOrderRow[]; deposits: DepositsRow[] }> {
      const isPaid = ({ order: { status } }: Card) => !['pending', 'expired', 'cancelled'].includes(status)
      const deposits = accounts.flatMap(({ order, deposits: own }) =>
        [...own.values()].flatMap(({ network, asset, split }) => {
          if (split === null) return []
          const part = (units: bigint) => decimal(units, ASSET_DECIMALS[asset])
          const { open, applied, excess, late, foreign } = split
          return [
            {
              ...{ relationshipId: order.partnerCustomerId, network, asset, open: part(open) },
              ...{ applied: part(applied), excess: part(excess), late: part(late), foreign: part(foreign) },
            },
          ]
        }),
      )
      return { orders: cards.filter(isPaid).map(toRows), deposits }
    },
    /** The books, as the model names their accounts. */
    sums: (): Sums => new Map([...sums].filter(([, sum]) => sum !== 0n)),
    /** How many postings the books have. */
    postings: () => posted.size,
  }
}
