import {
  afterCallOutside,
  asReplay,
  beginUnderKey,
  claimIdempotencyKey,
  createBulkhead,
  expireLease,
  fingerprintOf,
  keyIdOf,
  newId,
  newIdAt,
  NotDoneError,
  outboxFields,
  readStoredReply,
  refuse,
  releaseOwnKey,
  reply,
  type Claim,
  type ServiceContext,
  type KeyUse,
  type Outcome,
} from '@causeway/chassis'
import { fiatOrders, type FiatOrder } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { cardProcessorOf, effectOf, type CardProcessors, type Checkout } from '@causeway/rails/cards'
import { sealPayer } from '../payers/sealed-payers.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import type { OrderNumbers } from '../order-numbers/order-numbers.ts'
import { isCardKeyMissing } from '../order-numbers/store.ts'
import type { Relationships } from '../relationships/relationships.ts'
import {
  createCheckoutCheck,
  NOT_VISIBLE,
  type AllowedCheckout,
  type CheckoutRefusal,
  type CreateRequest,
} from './checkout-check.ts'
import { descriptionOf, payUrlOf, presentFiatOrder, type FiatOrderRecord } from './domain.ts'
import { fiatOrderEvent } from './events.ts'
import type { MerchantNames } from './merchant-names.ts'
import { describeProcessor, noticeUrlOf } from './processors.ts'
import { requestedShares } from './requested-shares.ts'
import { maxRefundableCents } from './service-fee.ts'
import * as store from './store.ts'

export type FiatOrderOptions = Readonly<{
  relationships: Relationships
  numbers: OrderNumbers
  processors: CardProcessors
  /** Maximum concurrent calls of a replica to a processor, and their timeout. */
  connections: number
  processorTimeoutMs: number
  merchantNames: MerchantNames
  serviceFeePercent: number
  /** How long an order waits for a notice before its payment is read. */
  pollAfterMs: number
  publicBaseUrl: string
}>

/** Longer than a processor may take to open a checkout. */
const LEASE_MS = 10_000
const PROVIDER_ERROR = refuse('provider_error')

/** The order that a call has recorded under its key; only a claim that is refused has none. */
type Recorded = Readonly<{ recorded: string; order?: FiatOrderRecord }>

const useOf = (request: CreateRequest): KeyUse => ({
  partnerId: request.caller.partnerId,
  operation: fiatOrders.create.subject,
  key: request.idempotencyKey ?? '',
  fingerprint: fingerprintOf(request.params, request.body),
  requestId: request.requestId,
  now: request.now,
})

/** Makes the new order's row, without the parts that its key's claim has. */
const rowOf = (
  request: CreateRequest,
  checkout: AllowedCheckout,
  made: { payerSealed: string | null; merchantName: string | null },
) => {
  const { terms, amounts } = checkout
  const { body, params } = request
  const { partnerFeeCents, splits } = requestedShares(request)
  return {
    ...amounts,
    partnerFeeCents,
    splits: JSON.stringify(splits),
    partnerCustomerId: params.customerId,
    merchantId: checkout.merchantId,
    integrationId: checkout.integrationId,
    kind: body.kind ?? 'order',
    currency: body.currency,
    serviceFeePercent: terms.fee.percent,
    serviceFeePayer: terms.fee.payer,
    priceVersionId: terms.priceVersionId,
    disputeFeeCents: terms.disputeFeeCents,
    merchantReference: body.merchant_reference ?? null,
    processor: checkout.processor,
    payerSealed: made.payerSealed,
    merchantName: made.merchantName,
  }
}

/**
 * Opens the hosted page at the processor. The order's id is the idempotency key: a repeated call gets the same page.
 */
const openCheckout = (options: FiatOrderOptions, order: FiatOrderRecord, payerEmail: string | null) =>
  cardProcessorOf(options.processors, order.processor).createCheckout({
    orderId: order.id,
    orderKey: String(order.orderKey),
    kind: order.kind,
    totalCents: order.totalCents,
    refundableCents: maxRefundableCents(order, order.serviceFeePayer),
    currency: order.currency,
    merchantName: order.merchantName,
    description: descriptionOf(order),
    payerEmail,
    // A buyer without a shop to return to gets the receipt.
    returnUrl: order.returnUrl ?? payUrlOf(options.publicBaseUrl, order),
    failureUrl: order.failureUrl,
    noticeUrl: noticeUrlOf(options.publicBaseUrl, order.processor),
  })

/**
 * Binds the opened checkout to its order, appends its event and stores the reply, in one statement: once, whether the
 * call that recorded the order does it or one that claimed its expired lease.
 */
const bindCheckout = async (
  { db, clock }: ServiceContext,
  options: FiatOrderOptions,
  use: KeyUse,
  recorded: FiatOrderRecord,
  made: Checkout,
) => {
  const now = clock.now()
  const order = { ...recorded, ...made, processorStatus: 'new' }
  const described = describeProcessor(options.processors, options.publicBaseUrl, order.processor)
  const eventId = newIdAt('event', now.getTime())
  const change = { eventId, type: 'payment.pending', partnerSees: true, now } as const
  const answer = { order: presentFiatOrder(order, described.psp, options.publicBaseUrl) }
  const bound = await store.bindCheckout(db, {
    ...keyIdOf(use),
    ...outboxFields(fiatOrderEvent({ ...change, order, ...described })),
    replyJson: JSON.stringify(answer),
    orderId: order.id,
    ...made,
    processorStatus: order.processorStatus,
    pollAt: new Date(now.getTime() + options.pollAfterMs),
  })
  if (bound) {
    db.emitted()
    return reply(answer)
  }
  const settled = await readStoredReply<typeof answer>(db, use)
  if (!settled) throw new Error('A recorded card order no longer exists')
  return settled
}

/** Duration of a creation without its processor's call, in a replica that is not overloaded. */
const OWN_WORK_MS = 250
/** How many creations wait for each that runs. In a replica that makes 200 a second, the last of them waits 1.3 s. */
const WAITING_PER_CONNECTION = 4

/**
 * A replica begins no more creations than it has connections to a processor: one more would wait for its call with its
 * order recorded, and end as a 500. It waits before it begins instead, as long as its call can still be finished before
 * the deadline, and is then refused with nothing done.
 */
const createEntrance = (
  { clock, timeoutFactor }: Pick<ServiceContext, 'clock' | 'timeoutFactor'>,
  { connections, processorTimeoutMs }: Readonly<{ connections: number; processorTimeoutMs: number }>,
) => {
  const bulkhead = createBulkhead({ places: connections, maxWaiting: connections * WAITING_PER_CONNECTION })
  const takesMs = processorTimeoutMs + OWN_WORK_MS * timeoutFactor
  return <T>({ deadlineMs }: Readonly<{ deadlineMs: number }>, create: () => Promise<T>) =>
    bulkhead.run(deadlineMs - clock.outsideMs() - takesMs, create)
}

/** A claim under a lease of this call's own. */
type HeldClaim = Exclude<Claim<unknown, never>, { kind: 'answered' }>

/**
 * Cleans up after a failed attempt to open a checkout (decisions §11). Where the effect is unknown the key is kept and
 * its lease expired: the next call with it asks the processor again under the same order id.
 * @returns whether the key is kept, where the processor failed or refused
 * @throws any other failure
 */
const handleFailure = async (
  { db, clock }: ServiceContext,
  { use, claim }: Readonly<{ use: KeyUse; claim: HeldClaim }>,
  orderId: string,
  error: unknown,
) => {
  const effect = effectOf(error)
  // A call that has taken a key over knows of itself alone: the one before it may have opened the checkout, or still may.
  const mayBeOpen = effect === 'not_sent' && claim.kind === 'taken-over'
  if (effect === 'unknown' || mayBeOpen) {
    await afterCallOutside(() => expireLease(db, use, clock.now()))
    if (error instanceof RailError && error.failure === 'unavailable') return { isKeyKept: true }
    if (!mayBeOpen) throw error
  } else
    await db.transaction(async (tx) => {
      // A call that was stalled past its lease leaves the order to the one that has its key now.
      if (await releaseOwnKey(tx, use, claim.leaseUntil))
        await store.deleteUnopened(tx, { partnerId: use.partnerId, orderId })
    })
  if (effect === 'not_sent') throw new NotDoneError('The processor cannot be reached', { cause: error })
  return { isKeyKept: false }
}

/**
 * Creates a card order in two steps around the call to its processor: the order is recorded under its key, the
 * processor opens a checkout under the order's id, and then both are bound. The next call with the key completes a call
 * that died; opening a checkout twice under one id is one checkout.
 */
export const createFiatOrderCreation = (context: ServiceContext, options: FiatOrderOptions) => {
  const { db, clock } = context
  const payerSealer = createPayerSealer(context)
  const check = createCheckoutCheck(context, options)
  const enter = createEntrance(context, options)

  /** A refusal comes after the key: one with a stored reply replays it, even if the capability was revoked since. */
  const claimAndRecord = async (
    request: CreateRequest,
    checkout: AllowedCheckout | CheckoutRefusal,
    use: KeyUse,
  ): Promise<Claim<{ order: FiatOrder }, CheckoutRefusal['code'], Recorded>> => {
    const bounds = { leaseMs: LEASE_MS * context.timeoutFactor, deadlineMs: request.deadlineMs, clock }
    if (!checkout.ok) return claimIdempotencyKey(db, use, bounds, () => Promise.resolve(checkout))
    const { body, caller, params } = request
    const recorded = newId('fiatOrder')
    const merchantName = await options.merchantNames.of(caller.partnerId, params.customerId)
    const payer = { ip: body.payer_ip ?? null, email: body.payer_email ?? null }
    const payerSealed = sealPayer(await payerSealer(clock.now()), recorded, payer)
    const row = rowOf(request, checkout, { payerSealed, merchantName })
    return beginUnderKey(db, use, bounds, async (claim) => {
      const insert = () => store.insertUnderKey(db, { ...row, ...claim, recorded })
      const order = await insert().catch(async (error: unknown) => {
        if (!isCardKeyMissing(error)) throw error
        await options.numbers.grantCardKeys()
        return insert()
      })
      return order && { recorded, order }
    })
  }

  const create = async (request: CreateRequest) => {
    const { body, caller } = request
    const checkout = await check(request)
    if (checkout === NOT_VISIBLE) return checkout
    const use = useOf(request)
    const claim = await claimAndRecord(request, checkout, use)
    if (claim.kind === 'answered') return claim.outcome
    const order =
      claim.kind === 'claimed'
        ? claim.order
        : await store.getRecorded(db, { partnerId: caller.partnerId, orderId: claim.recorded })
    if (!order) throw new Error('A recorded card order no longer exists')
    // A call that completes an earlier one replays its answer.
    const asAnswer = (outcome: Outcome<{ order: FiatOrder }, 'provider_error'>) =>
      claim.kind === 'taken-over' ? asReplay(outcome, claim.requestId) : outcome
    try {
      const made = await openCheckout(options, order, body.payer_email ?? null)
      return asAnswer(await afterCallOutside(() => bindCheckout(context, options, use, order, made)))
    } catch (error) {
      const refusal = await handleFailure(context, { use, claim }, order.id, error)
      return refusal.isKeyKept ? asAnswer(PROVIDER_ERROR) : PROVIDER_ERROR
    }
  }
  return (request: CreateRequest) => enter(request, () => create(request))
}
