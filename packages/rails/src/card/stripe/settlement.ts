import type { Stripe } from 'stripe'
import { z } from 'zod'
import { RailError } from '../../rail-error.ts'
import {
  KINDS_OF_ORDERS,
  type OriginalAmount,
  type SettlementKind,
  type SettlementLine,
  type SettlementPage,
  type SettlementReport,
} from '../../settlement/line.ts'
import { openStripe } from './adapter.ts'
import { fromStripeAmount } from './amounts.ts'
import { askStripe } from './failures.ts'
import { PAGE_SIZE, sessionOf } from './lists.ts'
import { expanded, idOf } from './payments.ts'

/** Stripe: Reporting categories. Everything else is an adjustment. */
const KINDS: Readonly<Record<string, SettlementKind>> = {
  charge: 'payment',
  charge_failure: 'payment',
  refund: 'refund',
  refund_failure: 'refund',
  partial_capture_reversal: 'payment',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  payout: 'payout',
  payout_reversal: 'payout',
}

/**
 * Place of a walk over the payouts since a time (Unix seconds), newest first. `payout`: the payout that is read, by its own
 * transaction and id; `after`: the last line of it that was read. `next`: the time from which the next walk starts.
 */
const Place = z.object({
  since: z.int(),
  next: z.int().nullable(),
  payout: z.object({ transaction: z.string(), id: z.string(), after: z.string().nullable() }).nullable(),
})
type Place = Readonly<z.infer<typeof Place>>

const START: Place = { since: 0, next: null, payout: null }

const readPlace = (position: string | null): Place => {
  if (position === null) return START
  return Place.parse(JSON.parse(Buffer.from(position, 'base64url').toString()))
}
const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

type Transaction = Stripe.BalanceTransaction

/** The payment of a charge, refund or dispute. */
const paymentOf = ({ source }: Transaction): string | null => {
  const object = expanded(source)
  if (object === null || !('payment_intent' in object)) return null
  return idOf(object.payment_intent)
}

/** A charge of which a part is never captured: its amount is not that of this transaction. */
const PARTIAL = 'partial_capture_reversal'
/** Digits after the point that a floating-point number can have: none is cut off. */
const RATE_DIGITS = 20

/**
 * Returns what a transaction moved in the currency of its payment, where Stripe has converted it: the amount of its charge,
 * refund or dispute (Stripe: the Balance Transaction object, `exchange_rate`). Fees are in the currency of the account.
 */
const originalOf = (transaction: Transaction, kind: SettlementKind): OriginalAmount | null => {
  const { amount, currency, exchange_rate: rate, reporting_category: category } = transaction
  const object = expanded(transaction.source)
  if (object?.object !== 'charge' && object?.object !== 'refund' && object?.object !== 'dispute') return null
  if (!KINDS_OF_ORDERS.includes(kind) || category === PARTIAL) return null
  if (object.currency === currency) return null
  const cents = fromStripeAmount(object.amount, object.currency)
  const isTaken = amount < 0 || (amount === 0 && kind !== 'payment' && kind !== 'dispute_reversal')
  return {
    cents: isTaken ? 0 - cents : cents,
    currency: object.currency.toUpperCase(),
    rate: rate?.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: RATE_DIGITS }) ?? null,
  }
}

const toLine = (transaction: Transaction, payoutRef: string, sessionId: string | null): SettlementLine => {
  const { id, amount, fee, net, currency, available_on: availableOn } = transaction
  const kind = KINDS[transaction.reporting_category] ?? 'adjustment'
  const cents = (units: number) => fromStripeAmount(units, currency)
  // A fee on its own is an amount at Stripe.
  const [gross, kept] = kind === 'fee' ? [0, fee - amount] : [amount, fee]
  return {
    lineId: id,
    kind,
    processorOrderId: sessionId,
    grossCents: cents(gross),
    feeCents: cents(kept),
    netCents: cents(net),
    currency: currency.toUpperCase(),
    original: originalOf(transaction, kind),
    availableOn: new Date(availableOn * 1_000).toISOString().slice(0, 10),
    payoutRef,
  }
}

/**
 * `completed`: Stripe tells which transactions the payout contains. `in_progress`: a later walk reads them. Else it never tells:
 * the payout is manual or instant.
 */
const statusOf = ({ source }: Transaction): string | null => {
  const payout = expanded(source)
  return payout !== null && 'reconciliation_status' in payout ? payout.reconciliation_status : null
}

/** The next payout of a walk, by its own transaction. */
const nextPayout = async (stripe: Stripe, { since, payout }: Place): Promise<Transaction | null> => {
  const { data } = await stripe.balanceTransactions.list({
    type: 'payout',
    created: { gte: since },
    limit: 1,
    expand: ['data.source'],
    ...(payout !== null && { starting_after: payout.transaction }),
  })
  return data[0] ?? null
}

/** Reads a page of the lines of a payout. A payment that has no checkout is not ours: its lines name no order. */
const readPayout = async (
  stripe: Stripe,
  { id, after }: Pick<NonNullable<Place['payout']>, 'id' | 'after'>,
): Promise<{ lines: SettlementLine[]; last: string | null }> => {
  const page = await stripe.balanceTransactions.list({
    payout: id,
    limit: PAGE_SIZE,
    expand: ['data.source'],
    ...(after !== null && { starting_after: after }),
  })
  const payments = new Set(page.data.map(paymentOf).filter((each) => each !== null))
  const sessions = new Map(
    await Promise.all([...payments].map(async (each) => [each, await sessionOf(stripe, each)] as const)),
  )
  const lines = page.data.map((each) => toLine(each, id, sessions.get(paymentOf(each) ?? '') ?? null))
  return { lines, last: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
}

/** Reads the next payout of the walk, its own line first; after the last one the walk is over. */
const readNext = async (stripe: Stripe, place: Place): Promise<SettlementPage> => {
  const found = await nextPayout(stripe, place)
  if (found === null)
    return { lines: [], position: writePlace({ ...START, since: place.next ?? place.since }), isLast: true }
  const id = idOf(found.source)
  if (id === null) throw new RailError('malformed', 'a payout without an id')
  const [status, transaction] = [statusOf(found), found.id]
  // The next walk starts at the oldest payout that is in progress, else at the newest payout.
  const next = status === 'in_progress' || place.next === null ? found.created : place.next
  const page =
    status === 'completed' ? await readPayout(stripe, { id, after: null }) : { lines: [], last: null }
  const own = status === 'in_progress' ? [] : [toLine(found, id, null)]
  const lines = [...own, ...page.lines.filter(({ lineId }) => lineId !== transaction)]
  const payout = { transaction, id, after: page.last }
  return { lines, position: writePlace({ ...place, next, payout }), isLast: false }
}

const readFrom = async (stripe: Stripe, place: Place): Promise<SettlementPage> => {
  const { payout } = place
  if (payout?.after == null) return readNext(stripe, place)
  const page = await readPayout(stripe, payout)
  const lines = page.lines.filter(({ lineId }) => lineId !== payout.transaction)
  return { lines, position: writePlace({ ...place, payout: { ...payout, after: page.last } }), isLast: false }
}

/**
 * The balance transactions of Stripe's automatic payouts, payout by payout. Stripe does not tell which transactions a manual or
 * instant payout contains: of those there is the line of the payout alone.
 */
export const createStripeSettlement = (options: Parameters<typeof openStripe>[0]): SettlementReport => {
  const { stripe, close } = openStripe(options)
  return {
    processor: 'stripe',
    read: (position) => askStripe(() => readFrom(stripe, readPlace(position))),
    close,
  }
}
