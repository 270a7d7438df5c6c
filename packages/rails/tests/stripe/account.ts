import { randomBytes } from 'node:crypto'
import { createBalance } from './balance.ts'
import { invalid, missing } from './errors.ts'
import { type Fields, list, nested, text, textFields } from './form.ts'
import { type Dispute, type Intent, page, type Refund, type Session } from './objects.ts'

const id = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

/** API reference: Create a Checkout Session, as far as it is used; anything else is `parameter_unknown`. */
const SESSION_PARAMS = new Set([
  'mode',
  'allowed_payment_method_types',
  'client_reference_id',
  'line_items',
  'metadata',
  'payment_intent_data',
  'success_url',
  'cancel_url',
  'customer_email',
])
const REFUND_PARAMS = new Set(['payment_intent', 'amount', 'metadata', 'reason'])
const MOST_METADATA = 50
const LONGEST_METADATA = 500
/** Currencies, "Special cases" and "Three-decimal currencies": amounts that must be rounded. */
const STEPS: Readonly<Record<string, number>> = {
  isk: 100,
  ugx: 100,
  bhd: 10,
  jod: 10,
  kwd: 10,
  omr: 10,
  tnd: 10,
}

/** Fee of a payment: whole units where two decimals must be 00. */
const feeOf = (currency: string): number => 30 * (STEPS[currency] ?? 1)
const DISPUTE_FEE = 2_000

const judgeParams = (fields: Fields, known: ReadonlySet<string>): void => {
  const unknown = Object.keys(fields).find((name) => !known.has(name))
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
}

const metadataOf = (field: string | Fields | undefined): Record<string, string> => {
  const metadata = textFields(field)
  const values = Object.values(metadata)
  if (values.length > MOST_METADATA || values.some((value) => value.length > LONGEST_METADATA))
    throw invalid('Metadata values can have up to 500 characters', { param: 'metadata' })
  return metadata
}

const amountOf = (field: string | Fields | undefined, currency: string): number => {
  const amount = Number(text(field))
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > 99_999_999)
    throw invalid('Invalid integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount % (STEPS[currency] ?? 1) !== 0)
    throw invalid('Invalid currency amount', { code: 'invalid_charge_amount', param: 'amount' })
  return amount
}

/** An account at Stripe: what its documentation says of the operations that the adapter uses. */
export const createAccount = (nowSeconds: () => number) => {
  const sessions: Session[] = []
  const intents = new Map<string, Intent>()
  const refunds: Refund[] = []
  const disputes: Dispute[] = []
  const balance = createBalance(nowSeconds)
  const intentMetadata = new Map<string, Record<string, string>>()

  const session = (sessionId: string): Session => {
    const found = sessions.find((each) => each.id === sessionId)
    if (!found) throw missing('checkout.session', sessionId)
    return found
  }
  const intentOf = (intentId: string | null): Intent => {
    const found = intents.get(intentId ?? '')
    if (!found) throw missing('payment_intent', intentId ?? '')
    return found
  }
  const left = (intent: Intent): number =>
    refunds
      .filter((refund) => refund.payment_intent === intent.id && refund.status !== 'failed')
      .reduce((rest, { amount }) => rest - amount, intent.amount_received)

  const addRefund = (
    intent: Intent,
    amount: number,
    metadata: Record<string, string>,
    status: string,
  ): Refund => {
    const refund: Refund = {
      id: id('re'),
      object: 'refund',
      amount,
      currency: intent.currency,
      payment_intent: intent.id,
      metadata,
      status,
      created: nowSeconds(),
    }
    refunds.unshift(refund)
    const category = { type: 'refund', reporting_category: 'refund' }
    if (status === 'succeeded')
      balance.add({ ...category, amount: -amount, currency: refund.currency, source: refund })
    return refund
  }

  let sessionForm: Fields = {}

  return {
    balance,
    intentOf,
    byOrderKey: (orderKey: string): Session => {
      const found = sessions.find(({ metadata }) => metadata['order_key'] === orderKey)
      if (!found) throw missing('checkout.session', orderKey)
      return found
    },
    /** Returns the form of the latest session's request. */
    lastSessionForm: () => sessionForm,
    createSession: (fields: Fields): Session => {
      judgeParams(fields, SESSION_PARAMS)
      sessionForm = fields
      const price = nested(nested(nested(fields['line_items'])['0'])['price_data'])
      const currency = text(price['currency']) ?? ''
      if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, { param: 'currency' })
      if (text(fields['success_url']) === null)
        throw invalid('Missing required param: success_url', {
          code: 'parameter_missing',
          param: 'success_url',
        })
      if ((text(nested(price['product_data'])['name']) ?? '') === '')
        throw invalid('You cannot set name to an empty string', { code: 'parameter_invalid_empty' })
      const made: Session = {
        id: id('cs_test'),
        object: 'checkout.session',
        status: 'open',
        payment_status: 'unpaid',
        amount_total: amountOf(price['unit_amount'], currency),
        currency,
        client_reference_id: text(fields['client_reference_id']),
        customer_email: text(fields['customer_email']),
        customer_details: null,
        metadata: metadataOf(fields['metadata']),
        payment_intent: null,
        url: `https://checkout.stripe.test/c/pay/${randomBytes(8).toString('hex')}`,
      }
      intentMetadata.set(made.id, metadataOf(nested(fields['payment_intent_data'])['metadata']))
      sessions.unshift(made)
      return made
    },
    readSession: (sessionId: string, query: Fields) => {
      const found = session(sessionId)
      const expands = list(query['expand']).includes('payment_intent') && found.payment_intent !== null
      return expands ? { ...found, payment_intent: intentOf(found.payment_intent) } : found
    },
    listSessions: (query: Fields) =>
      page(
        sessions.filter((each) => each.payment_intent === text(query['payment_intent'])),
        { limit: text(query['limit']), startingAfter: text(query['starting_after']) },
      ),
    createRefund: (fields: Fields): Refund => {
      judgeParams(fields, REFUND_PARAMS)
      const intent = intentOf(text(fields['payment_intent']))
      const amount = amountOf(fields['amount'], intent.currency)
      if (disputes.some((dispute) => dispute.payment_intent === intent.id))
        throw invalid('Charge has been charged back', { code: 'charge_disputed' })
      if (left(intent) === 0)
        throw invalid('Charge has already been refunded.', { code: 'charge_already_refunded' })
      if (amount > left(intent))
        throw invalid('Refund amount is greater than unrefunded amount on charge', { param: 'amount' })
      return addRefund(intent, amount, metadataOf(fields['metadata']), 'succeeded')
    },
    listRefunds: (query: Fields) => {
      const { gte, lt } = nested(query['created'])
      const since = Number(text(gte) ?? 0)
      const until = Number(text(lt) ?? Infinity)
      const intentId = text(query['payment_intent'])
      const found = refunds.filter(
        (refund) =>
          (intentId === null || refund.payment_intent === intentId) &&
          refund.created >= since &&
          refund.created < until,
      )
      const one = page(found, { limit: text(query['limit']), startingAfter: text(query['starting_after']) })
      if (!list(query['expand']).includes('data.payment_intent')) return one
      return {
        ...one,
        data: one.data.map((each) => ({ ...each, payment_intent: intentOf(each.payment_intent) })),
      }
    },
    listDisputes: (query: Fields) =>
      page(
        disputes.filter((dispute) => dispute.payment_intent === text(query['payment_intent'])),
        { limit: text(query['limit']), startingAfter: text(query['starting_after']) },
      ),
    /** The payer has paid, or begun to: a payment of the session comes to be. */
    pay: (paid: Session, status: 'processing' | 'succeeded'): void => {
      const known = paid.payment_intent === null ? undefined : intents.get(paid.payment_intent)
      const intent: Intent = known ?? {
        id: id('pi'),
        object: 'payment_intent',
        status,
        amount: paid.amount_total,
        amount_received: 0,
        currency: paid.currency,
        metadata: intentMetadata.get(paid.id) ?? {},
      }
      intent.status = status
      intent.amount_received = status === 'succeeded' ? paid.amount_total : 0
      intents.set(intent.id, intent)
      paid.payment_intent = intent.id
      paid.status = 'complete'
      paid.payment_status = status === 'succeeded' ? 'paid' : 'unpaid'
      const charge = {
        ...{ id: id('ch'), object: 'charge', payment_intent: intent.id },
        ...{ amount: intent.amount, currency: intent.currency },
      }
      const category = { type: 'charge', reporting_category: 'charge' }
      if (status === 'succeeded')
        balance.add({
          ...category,
          amount: intent.amount,
          fee: feeOf(intent.currency),
          currency: intent.currency,
          source: charge,
        })
      paid.customer_details = { email: paid.customer_email ?? 'payer@example.com' }
    },
    addRefund,
    dispute: (intent: Intent, change: Partial<Dispute> = {}): Dispute => {
      const dispute: Dispute = {
        id: id('du'),
        object: 'dispute',
        amount: intent.amount_received,
        currency: intent.currency,
        payment_intent: intent.id,
        status: 'needs_response',
        reason: 'fraudulent',
        created: nowSeconds(),
        evidence: { customer_purchase_ip: '192.0.2.7' },
        balance_transactions: [
          { id: id('txn'), object: 'balance_transaction', fee: DISPUTE_FEE, currency: 'eur' },
        ],
        ...change,
      }
      disputes.unshift(dispute)
      balance.add({
        ...{ type: 'adjustment', reporting_category: 'dispute', amount: -dispute.amount, fee: DISPUTE_FEE },
        ...{ currency: dispute.currency, source: dispute },
      })
      return dispute
    },
  }
}

export type Account = ReturnType<typeof createAccount>
