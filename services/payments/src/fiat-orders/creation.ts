import {
  asReplay,
  beginStep,
  fingerprintOf,
  lapseStep,
  newId,
  NotDoneError,
  refuse,
  releaseStep,
  reply,
  settledStep,
  settleStep,
  type ServiceContext,
  type KeyUse,
  type Outcome,
} from '@causeway/chassis'
import { fiatOrders, MAX_AMOUNT_CENTS, type FiatOrder } from '@causeway/contracts'
import { cardProcessorOf, effectOf, RailError, type CardProcessors, type Checkout } from '@causeway/rails'
import { fiatOrderEvent } from './events.ts'
import { isOpen, presentFiatOrder, type FiatOrderRecord } from './domain.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import { sealPayer } from '../payers/sealed-payers.ts'
import { maxRefundableCents, splitPrice } from './service-fee.ts'
import * as store from './store.ts'
import { describeProcessor, noticeUrlOf } from './processors.ts'
import { createCheckoutJudge, HIDDEN, type CreateRequest, type JudgedCheckout } from './checkout.ts'
import type { MerchantNames } from './merchant-names.ts'
import type { Relationships } from '../relationships/relationships.ts'

export type FiatOrderOptions = Readonly<{
  relationships: Relationships
  processors: CardProcessors
  merchantNames: MerchantNames
  serviceFeePercent: number
  /** How long an order waits for a notice before its processor is asked. */
  pollAfterMs: number
  publicBaseUrl: string
}>

/** Longer than a processor may take to open a checkout. */
const LEASE_MS = 10_000
/** Who bears the service fee where the request does not say (decisions §10). */
const DEFAULT_PAYER = 'merchant'
const PROVIDER_ERROR = refuse('provider_error')

const useOf = (request: CreateRequest): KeyUse => ({
  partnerId: request.caller.partnerId,
  operation: fiatOrders.create.subject,
  key: request.idempotencyKey ?? '',
  fingerprint: fingerprintOf(request.params, request.body),
  requestId: request.requestId,
  now: request.now,
})

/** Why the request alone cannot become an order, or null. A fee on top counts: the total is an amount too. */
const refuseAmounts = ({ body }: CreateRequest, feePercent: number) => {
  const { totalCents } = splitPrice(body.amount_cents, feePercent, body.service_fee_payer ?? DEFAULT_PAYER)
  return totalCents > MAX_AMOUNT_CENTS
    ? refuse('invalid_request', [{ field: 'amount_cents', reason: 'too_big' }])
    : null
}

/** The new order's row. */
const rowOf = (
  { body, caller, now, params }: CreateRequest,
  checkout: JudgedCheckout,
  made: { id: string; feePercent: number; payerSealed: string | null; merchantName: string | null },
) => {
  const payer = body.service_fee_payer ?? DEFAULT_PAYER
  return {
    ...splitPrice(body.amount_cents, made.feePercent, payer),
    id: made.id,
    partnerId: caller.partnerId,
    partnerCustomerId: params.customerId,
    merchantId: checkout.merchantId,
    integrationId: checkout.integrationId,
    kind: body.kind ?? 'order',
    currency: body.currency,
    serviceFeePercent: made.feePercent,
    serviceFeePayer: payer,
    merchantReference: body.merchant_reference ?? null,
    processor: checkout.processor,
    payerSealed: made.payerSealed,
    merchantName: made.merchantName,
    now,
  }
}

/** Asks the processor for the hosted page. The order's own id is the idempotency key: twice is once. */
const openCheckout = (options: FiatOrderOptions, order: FiatOrderRecord, payerEmail: string | null) =>
  cardProcessorOf(options.processors, order.processor).createCheckout({
    orderId: order.id,
    orderKey: String(order.orderKey),
    kind: order.kind,
    totalCents: order.totalCents,
    refundableCents: maxRefundableCents(order, order.serviceFeePayer),
    currency: order.currency,
    merchantName: order.merchantName,
    description: order.merchantReference ?? `Order ${order.orderKey}`,
    payerEmail,
    returnUrl: order.returnUrl,
    failureUrl: order.failureUrl,
    noticeUrl: noticeUrlOf(options.publicBaseUrl, order.processor),
  })

/**
 * Binds the opened checkout to its order, tells of it and answers, in one transaction: once, whether the call that
 * recorded the order does it or one that took it for dead.
 */
const bind = (
  { db, clock }: ServiceContext,
  options: FiatOrderOptions,
  use: KeyUse,
  id: string,
  made: Checkout,
) =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const pollAt = new Date(now.getTime() + options.pollAfterMs)
    const order = await store.openCheckout(tx, { partnerId: use.partnerId, orderId: id, ...made, pollAt })
    if (!order) {
      const settled = await settledStep<{ order: FiatOrder }>(tx, use)
      if (settled) return settled
    }
    if (!order || !isOpen(order)) throw new Error('A recorded order is gone')
    const told = describeProcessor(options.processors, options.publicBaseUrl, order.processor)
    const change = { eventId: newId('event'), type: 'payment.pending', partnerSees: true, now } as const
    tx.emit(fiatOrderEvent({ ...change, order, ...told }))
    return settleStep(tx, use, reply({ order: presentFiatOrder(order, told.psp) }))
  })

/**
 * What a failed attempt to open a checkout is answered with (decisions §11). Where the effect is unknown the key
 * stays, and nobody holds it: the next call with it asks the processor again under the same order id.
 * @returns that the processor failed or refused, and whether its key stays
 * @throws what else went wrong
 */
const giveUp = async ({ db, clock }: ServiceContext, use: KeyUse, orderId: string, error: unknown) => {
  const effect = effectOf(error)
  if (effect === 'unknown') {
    await lapseStep(db, use, clock.now())
    if (error instanceof RailError && error.failure === 'unavailable') return { isKeyKept: true }
    throw error
  }
  await db.transaction(async (tx) => {
    await store.deleteUnopened(tx, { partnerId: use.partnerId, orderId })
    await releaseStep(tx, use)
  })
  if (effect === 'not_sent') throw new NotDoneError('The processor cannot be reached', { cause: error })
  return { isKeyKept: false }
}

/**
 * Creates a card order in two steps: the order is recorded under its key, the processor opens a checkout under the
 * order's id, and then both are bound. A call that dies in between is finished by the next one with its key; opening
 * a checkout twice under one id is one checkout.
 */
export const createFiatOrderCreation = (context: ServiceContext, options: FiatOrderOptions) => {
  const { db, clock } = context
  const payerSealer = createPayerSealer(context)
  const judge = createCheckoutJudge(context, options)

  return async (request: CreateRequest) => {
    const { body, caller } = request
    const unfit = refuseAmounts(request, options.serviceFeePercent)
    if (unfit) return unfit
    const checkout = await judge(request)
    if (checkout === HIDDEN) return checkout
    const merchantName = checkout.ok
      ? await options.merchantNames.of(caller.partnerId, request.params.customerId)
      : null
    const use = useOf(request)
    const bounds = { leaseMs: LEASE_MS, deadlineMs: request.deadlineMs, clock }
    // Any other refusal is given inside: a key that has its answer replays it, whatever became of the capability since.
    const begun = await beginStep<{ order: FiatOrder }, Exclude<typeof checkout, { ok: true }>['code']>(
      db,
      use,
      bounds,
      async (tx) => {
        if (!checkout.ok) return checkout
        const id = newId('fiatOrder')
        const payer = { ip: body.payer_ip ?? null, email: body.payer_email ?? null }
        const payerSealed = sealPayer(await payerSealer(clock.now()), id, payer)
        const made = { id, feePercent: options.serviceFeePercent, payerSealed, merchantName }
        await store.insert(tx, rowOf(request, checkout, made))
        return { ok: true, recorded: id }
      },
    )
    if (begun.kind === 'settled') return begun.outcome
    const order = await store.getRecorded(db, { partnerId: caller.partnerId, orderId: begun.recorded })
    if (!order) throw new Error('A recorded order is gone')
    // What a dead or unanswered call began is its answer, whoever finishes it.
    const asAnswer = (outcome: Outcome<{ order: FiatOrder }, 'provider_error'>) =>
      begun.kind === 'resume' ? asReplay(outcome, begun.requestId) : outcome
    try {
      const made = await openCheckout(options, order, body.payer_email ?? null)
      return asAnswer(await bind(context, options, use, order.id, made))
    } catch (error) {
      const refusal = await giveUp(context, use, order.id, error)
      return refusal.isKeyKept ? asAnswer(PROVIDER_ERROR) : PROVIDER_ERROR
    }
  }
}
