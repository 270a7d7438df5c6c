import { cardOrderModel, type CardCall } from '../history/card-order-model.ts'
import { cryptoOrderModel, type CryptoCall } from '../history/crypto-order-model.ts'
import { keyModel, type KeyCall } from '../history/key-model.ts'
import { checkLinearizable, type Operation, type SequentialModel } from '../history/linearizable.ts'
import { groupBy, outcomeOf, type Act, type Entry } from '../journal.ts'
import { MAX_REFUNDABLE_CENTS } from '../load/card-orders.ts'
import type { Findings } from './findings.ts'

const KEYED: readonly Act[] = ['crypto.create', 'card.create', 'refund.create']
type OrderFields = Readonly<{ id?: string; order_key?: string; status?: string; refunded_cents?: number }>
const orderIn = ({ data }: Entry): OrderFields => data['order'] ?? {}

const operation = <T>({ begin, end }: Entry, call: T, isOver = true): Operation<T> => ({
  begin,
  end: isOver ? end : null,
  call,
})

/** Identifies what a call made. For a refund, its response: a second refund would have different totals. */
const madeIn = (entry: Entry): string =>
  entry.act === 'crypto.create'
    ? String(orderIn(entry).id)
    : entry.act === 'card.create'
      ? String(orderIn(entry).order_key)
      : JSON.stringify(entry.data)

const keyCall = (entry: Entry): Operation<KeyCall> => {
  const outcome = outcomeOf(entry)
  if (outcome === 'unknown') return operation(entry, { saw: 'unknown' }, false)
  if (outcome === 'ok')
    return operation(entry, { saw: 'made', what: madeIn(entry), isReplay: entry.isReplay })
  if (entry.code !== 'provider_error') return operation(entry, { saw: 'refused' })
  return operation(entry, { saw: entry.act === 'card.create' ? 'unopened' : 'failed' })
}

const cryptoCalls = (entry: Entry): Operation<CryptoCall>[] => {
  const outcome = outcomeOf(entry)
  if (entry.act === 'outside.deposit') return [operation(entry, { op: 'deposit' }, false)]
  if (entry.act === 'crypto.read')
    return outcome === 'ok' ? [operation(entry, { op: 'read', status: String(orderIn(entry).status) })] : []
  if (entry.act !== 'crypto.cancel') return []
  if (outcome === 'unknown') return [operation(entry, { op: 'cancel', saw: 'unknown' }, false)]
  if (outcome === 'ok') return [operation(entry, { op: 'cancel', saw: 'done' })]
  return entry.code === 'invalid_state' ? [operation(entry, { op: 'cancel', saw: 'not pending' })] : []
}

/** The calls of one refund's key as one: it happened between the first request and the first outcome. */
const refundCall = (calls: readonly Entry[]): Operation<CardCall>[] => {
  const [first] = calls
  if (first === undefined) return []
  const begin = Math.min(...calls.map((call) => call.begin))
  const amountCents = first.amountCents ?? 0
  const told = calls
    .filter((call) => outcomeOf(call) === 'ok')
    .reduce<Entry | null>((earliest, call) => (earliest && earliest.end < call.end ? earliest : call), null)
  if (told) {
    const { refunded_cents: refundedCents, remaining_refundable_cents: remainingCents } = told.data
    const saw = {
      saw: 'made',
      refundedCents: Number(refundedCents),
      remainingCents: Number(remainingCents),
    } as const
    return [{ begin, end: told.end, call: { op: 'refund', amountCents, ...saw } }]
  }
  return calls.some((call) => outcomeOf(call) === 'unknown')
    ? [{ begin, end: null, call: { op: 'refund', amountCents, saw: 'unknown' } }]
    : []
}

/** Returns the remaining amount in the refusal of a refund. */
const remainingIn = ({ details }: Entry): number => Number(details[0]?.['remaining_refundable_cents'])

const cardCalls = (entry: Entry): Operation<CardCall>[] => {
  if (entry.act === 'outside.pay') return [operation(entry, { op: 'pay' }, false)]
  if (entry.act === 'outside.dispute') return [operation(entry, { op: 'dispute' }, false)]
  if (entry.act === 'card.read' && outcomeOf(entry) === 'ok') {
    const { status, refunded_cents: refundedCents } = orderIn(entry)
    return [operation(entry, { op: 'read', status: String(status), refundedCents: Number(refundedCents) })]
  }
  const asked = { op: 'refund', amountCents: entry.amountCents ?? 0 } as const
  if (entry.code === 'order_not_paid') return [operation(entry, { ...asked, saw: 'not paid' })]
  if (entry.code === 'amount_exceeds_remaining')
    return [operation(entry, { ...asked, saw: 'too much', remainingCents: remainingIn(entry) })]
  return []
}

/** The order's own records of its refunds, where they may come after the refunds' answers. */
const counts = (refunds: readonly Operation<CardCall>[]): readonly Operation<CardCall>[] =>
  refunds.flatMap(({ begin, call }) =>
    call.op === 'refund' ? [{ begin, end: null, call: { op: 'count', amountCents: call.amountCents } }] : [],
  )

/** Maximum share of orders with card calls that show a refund only after its response; one fault can delay five. */
const MAX_LATE_SHARE = 0.02
const MAX_LATE_MIN = 8

const show = <T>({ begin, end, call }: Operation<T>): string =>
  `${begin.toFixed(0)}..${end?.toFixed(0) ?? ''} ${JSON.stringify(call)}`

/** Checks that each order and each key behaved as if it served one call at a time. */
export const checkHistories = (entries: readonly Entry[], findings: Findings): void => {
  const check = <State, T>(
    what: string,
    about: string,
    history: readonly Operation<T>[],
    model: SequentialModel<State, T>,
  ): void => {
    const verdict = checkLinearizable(history, model)
    findings.expect('wrong', `linearizable ${what}`, verdict.linearizable, () => {
      const { longest, stuck } = verdict as Extract<typeof verdict, { linearizable: false }>
      return `${about}: after ${longest.map(show).join('; ') || 'nothing'} impossible: ${stuck.map(show).join('; ')}`
    })
  }
  const keyed = entries.filter(({ act }) => KEYED.includes(act))
  for (const [key, calls] of groupBy(keyed, (entry) => entry.key))
    check('keys', key, calls.map(keyCall), keyModel)

  // An onramp provider may end an order itself.
  const bought = new Set(entries.filter(({ act }) => act === 'crypto.onramp').map(({ about }) => about))
  const crypto = entries.filter(({ act, about }) => /^(crypto|outside)\./.test(act) && !bought.has(about))
  for (const [id, calls] of groupBy(crypto, ({ about }) => about))
    if (calls.some(({ act }) => act === 'crypto.read'))
      check('crypto orders', id, calls.flatMap(cryptoCalls), cryptoOrderModel)

  let late = 0
  const orders = [...groupBy(entries, ({ about }) => about)].filter(([, calls]) =>
    calls.some(({ act }) => act === 'card.read'),
  )
  for (const [order, calls] of orders) {
    const refunds = [
      ...groupBy(calls, ({ act, key }) => (act === 'refund.create' ? key : undefined)).values(),
    ].flatMap(refundCall)
    const history = [...calls.flatMap(cardCalls), ...refunds]
    const isLate = !checkLinearizable(history, cardOrderModel(MAX_REFUNDABLE_CENTS, false)).linearizable
    if (isLate) late += 1
    check(
      'card orders',
      order,
      isLate ? [...history, ...counts(refunds)] : history,
      cardOrderModel(MAX_REFUNDABLE_CENTS, isLate),
    )
  }
  // Payments was away just when it was to count them: rare, even under faults.
  findings.expect(
    'wrong',
    'refund: shown with its answer, but for a few',
    late <= Math.max(MAX_LATE_MIN, orders.length * MAX_LATE_SHARE),
    () => `${late} of ${orders.length} orders showed a refund after its answer`,
  )
}
