import { readLedgerFact, type LedgerFact } from '@causeway/contracts'
import { newId } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import { postingsOf } from '../../services/ledger/src/posting/rules.ts'
import { ledgerFactsOf } from '../../services/payments/src/card-settlement/ledger-facts.ts'
import {
  refundIdsAfter,
  settlePayment,
  type CountedIds,
} from '../../services/payments/src/card-settlement/transitions.ts'
import type { OpenFiatOrder } from '../../services/payments/src/fiat-orders/domain.ts'
import type { BookedRows, CardOrderRow, Sums } from './checks/books-model.ts'
import { createCryptoHistory, CRYPTO_ACTS, type CryptoAct, type CryptoMutant } from './crypto-history.ts'
import { createSweepHistory } from './sweep-history.ts'

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
  'sweep',
  'end sweep',
  ...CRYPTO_ACTS,
] as const
export type HistoryAct = (typeof HISTORY_ACTS)[number]
const isCryptoAct = (act: HistoryAct): act is CryptoAct => (CRYPTO_ACTS as readonly string[]).includes(act)

/** Replaces rules of the ledger or acts of payments, to see that the books then differ from the model. */
export type HistoryMutant = CryptoMutant & Readonly<{ postingsOf?: typeof postingsOf }>

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

/** Up to four receivers, who at some places leave the merchant nothing or next to nothing. */
const newSplits = (place: number) =>
  Array.from({ length: place % 5 }, (_, receiver) => ({
    partner_customer_id: newId('relationship'),
    amount_cents: [1, 1, 7, 850][receiver] ?? 1,
  }))

const newCard = (place: number): Card => {
  const isCustomers = place % 2 === 0
  const [amountCents, serviceFeeCents] = [1_000 + 7 * place, 25 + (place % 3)]
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
      totalCents: amountCents + serviceFeeCents,
      amountCents,
    },
    ...{ serviceFeeCents, serviceFeePercent: 2.5 },
    ...{ serviceFeePayer: isCustomers ? 'customer' : 'merchant', refundedCents: 0, chargebackCents: 0 },
    ...{
      partnerFeeCents: place % 4 === 0 ? 0 : 31 * (place % 5),
      splits: newSplits(place),
      reversedCents: 0,
      disputeFeeCents: place % 3 === 1 ? 1_500 + place : null,
    },
    ...{ merchantReference: null, processor: place % 3 === 0 ? 'stripe' : 'adyen', processorOrderId: id },
    ...{ processorStatus: 'new', orderUrl: 'https://cards.example', returnUrl: null, failureUrl: null },
    ...{ createdAt: new Date(START_MS), updatedAt: null, completedAt: null },
  } as OpenFiatOrder
  const payment = { status: 'new', processorStatus: 'new', currency: 'EUR', paidCents: 0 } as const
  return { order, payment, refunds: [], disputes: [], former: null, rows: { refunds: [], disputes: [] } }
}

const toRows = ({ order, rows }: Card): CardOrderRow => {
  const firstAt = Math.min(...rows.disputes.map(({ at }) => at))
  return {
    relationshipId: order.partnerCustomerId,
    partnerId: order.partnerId,
    processor: order.processor,
    currency: order.currency,
    totalCents: order.totalCents,
    serviceFeeCents: order.serviceFeeCents,
    isFeeReturned: order.serviceFeePayer === 'customer',
    partnerFeeCents: order.partnerFeeCents,
    disputeFeeCents: order.disputeFeeCents,
    splits: order.splits.map((split) => ({
      relationshipId: split.partner_customer_id,
      amountCents: split.amount_cents,
    })),
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

/**
 * A history of payments as its own rules make it, without a database: card orders and crypto orders, a processor and a chain
 * that report late, twice and in any order, and staff. Its facts are posted by the ledger's rules, each twice; its rows are
 * those that payments would store.
 */
export const createHistory = ({
  cards: cardCount,
  cryptos,
  mutant = {},
}: Readonly<{ cards: number; cryptos: number; mutant?: HistoryMutant }>) => {
  const cards = Array.from({ length: cardCount }, (_, place) => newCard(place))
  const posted = new Map<string, string>()
  const sums = new Map<string, bigint>()
  let at = 0
  let ids = 0

  const postOnce = (fact: LedgerFact): void => {
    for (const { source, rule, transfers } of (mutant.postingsOf ?? postingsOf)(fact)) {
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

  const now = () => new Date(START_MS + at * 1_000)
  const crypto = createCryptoHistory({ count: cryptos, post, now, mutant })
  const sweeps = createSweepHistory({ post, now })

  const read = (card: Card, payment: CardPayment): void => {
    const { rows } = card
    const idsOf = (hasFailed: boolean) =>
      new Set(rows.refunds.filter(({ failedAt }) => (failedAt !== null) === hasFailed).map(({ id }) => id))
    const counted: CountedIds = {
      refundIds: idsOf(false),
      failedRefundIds: idsOf(true),
      disputeIds: new Set(rows.disputes.map(({ disputeId }) => disputeId)),
    }
    const settlement = settlePayment(card.order, payment, counted, now())
    for (const step of settlement.steps) {
      post(ledgerFactsOf(step, { availableAfterMs: AVAILABLE_AFTER_MS, now: now() }))
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

  return {
    play({ act, order, choice }: HistoryStep): void {
      at += 1
      const card = cards[order % cards.length]
      if (card !== undefined) playCard(card, act, choice)
      if (isCryptoAct(act)) crypto.play(order % cryptos, act, choice)
      if (act === 'sweep') sweeps.start(choice)
      if (act === 'end sweep') sweeps.end(choice)
    },
    /** The rows of payments' and the signer's tables that imply the books. */
    rows(): BookedRows {
      const isPaid = ({ order: { status } }: Card) => !['pending', 'expired', 'cancelled'].includes(status)
      const { lostFees, ...rows } = crypto.rows()
      return {
        ...rows,
        orders: cards.filter(isPaid).map(toRows),
        transfers: [...lostFees, ...sweeps.rows()],
      }
    },
    /** The books, as the model names their accounts. */
    sums: (): Sums => new Map([...sums].filter(([, sum]) => sum !== 0n)),
    /** How many postings the books have. */
    postings: () => posted.size,
  }
}
