import { contextOf, createProcesses, type Body, type Outside } from '@causeway/chassis/exploration'
import type { RefundableOrder } from '@causeway/contracts'
import type { CardProcessor, CardRefund } from '@causeway/rails/cards'
import type { Payments } from '../../src/clients/payments.ts'
import { createComparison } from '../../src/reconciliation/compare-refunds.ts'
import { createDifferences } from '../../src/reconciliation/differences.ts'
import { createExternalRefunds } from '../../src/reconciliation/external-refund.ts'
import { createLateFailures } from '../../src/reconciliation/late-failure.ts'
import { createLateSuccess } from '../../src/reconciliation/late-success.ts'
import { createRefundCreation } from '../../src/refunds/create.ts'
import { createRefundCompletion } from '../../src/refunds/jobs/complete-refunds.ts'
import { createMarkSent } from '../../src/refunds/mark-sent.ts'
import { createProcessorRequests, type ProcessorRequests } from '../../src/refunds/processor-requests.ts'
import type { CreateRequest } from '../../src/refunds/slot.ts'
import { createRefundTransitions, type RefundTransitions } from '../../src/refunds/transitions.ts'
import { createValidation } from '../../src/refunds/validation.ts'

const PARTNER = 'ptn_explored'
const ORDER_KEY = '1001'
export const PAID_CENTS = 100
export const GRACE_MS = 15_000
/** A call gives up immediately when the slot or the key is taken: waiting equals a later call. */
const PATIENCE_MS = 400

/** Payments tells of a paid order whatever was refunded: the ceiling and the slot alone have to protect the money. */
const ORDER: RefundableOrder = {
  order_id: 'fio_explored',
  order_key: ORDER_KEY,
  partner_customer_id: 'pcu_explored',
  kind: 'order',
  status: 'paid',
  currency: 'EUR',
  total_cents: PAID_CENTS,
  amount_cents: PAID_CENTS,
  service_fee_payer: 'customer',
  processor: 'processor',
  processor_order_id: 'payment_explored',
  capability: { enabled: true, available: true, reason: null },
}

/** The calls of an exploration: `replay` has the key of `first`. */
export const CALLS = {
  first: { key: 'one', amountCents: 60 },
  replay: { key: 'one', amountCents: 60 },
  other: { key: 'two', amountCents: 60 },
} as const
export type CallName = keyof typeof CALLS

/** Production rules that a mutant replaces. */
export type RefundMutant = Readonly<{
  processor?: (processor: CardProcessor) => CardProcessor
  transitions?: (transitions: RefundTransitions, outside: Outside) => RefundTransitions
  requests?: (requests: ProcessorRequests, transitions: RefundTransitions) => ProcessorRequests
  payments?: (payments: Payments) => Payments
}>

const processorOver = ({ ask }: Outside): CardProcessor =>
  ({
    traits: { partialRefunds: true, orderLines: false, amountStep: () => 1 },
    readPayment: (id: string) => ask('processor', 'readPayment', id),
    refund: (request: unknown) => ask('processor', 'refund', request),
    listRefunds: (id: string) => ask('processor', 'listRefunds', id),
  }) as unknown as CardProcessor

const paymentsOver = ({ ask }: Outside): Payments => ({
  getOrder: () => Promise.resolve(ORDER),
  recordRefund: ({ id, processorRefundId }) => ask('payments', 'recordRefund', { id, processorRefundId }),
  reconcileOrder: (_processor, _orderKey, processorRefundId) =>
    ask('payments', 'reconcileOrder', { processorRefundId }),
})

/** The service as `service.ts` puts it together, over what is outside. */
const wire = (outside: Outside, mutant: RefundMutant) => {
  const context = contextOf(outside)
  const payments = (mutant.payments ?? ((each) => each))(paymentsOver(outside))
  const processor = (mutant.processor ?? ((each) => each))(processorOver(outside))
  const processorOf = () => processor
  const shipped = createRefundTransitions({ ...context, payments })
  const transitions = mutant.transitions?.(shipped, outside) ?? shipped
  const shippedRequests = createProcessorRequests({ ...context, transitions, processorOf })
  const requests = mutant.requests?.(shippedRequests, transitions) ?? shippedRequests
  const markSent = createMarkSent({ ...context, graceMs: GRACE_MS, dailyLimitCents: null })
  const validate = createValidation({ ...context, payments, processorOf, markSent })
  const creation = {
    validate,
    transitions,
    requests,
    payments,
    graceMs: GRACE_MS,
    wakeCompletion: () => undefined,
  }
  return { context, payments, processorOf, processor, transitions, requests, creation }
}

const requestOf = (name: CallName, nowMs: number): CreateRequest => ({
  caller: { kind: 'partner', partnerId: PARTNER, clientId: 'client' },
  params: { orderKey: ORDER_KEY },
  body: { amount_cents: CALLS[name].amountCents },
  requestId: `request_${name}`,
  idempotencyKey: CALLS[name].key,
  now: new Date(nowMs),
  deadlineMs: nowMs + PATIENCE_MS,
  isByStaff: false,
})

const callBody =
  (name: CallName, mutant: RefundMutant): Body =>
  (outside) => {
    const { context, creation } = wire(outside, mutant)
    return createRefundCreation(context, creation)(requestOf(name, outside.nowMs()))
  }

/** Compares the refunds with the processor's list, as a run of the reconciliation does. */
const comparisonBody =
  (mutant: RefundMutant): Body =>
  async (outside) => {
    const { context, payments, processorOf, processor } = wire(outside, mutant)
    const { compareAll } = createComparison({
      ...context,
      payments,
      processorOf,
      differences: createDifferences(context),
      recordExternal: createExternalRefunds(context),
      recordLateSuccess: createLateSuccess({ ...context, payments }),
      recordLateFailure: createLateFailures({ ...context, payments }).recordListed,
    })
    const listed: readonly CardRefund[] = await processor.listRefunds(ORDER.processor_order_id)
    await compareAll('processor', listed)
  }

/** The calls, the completion job and the reconciliation, each as a separate process. */
export const createRefundProcesses = (mutant: RefundMutant) =>
  createProcesses({
    first: callBody('first', mutant),
    replay: callBody('replay', mutant),
    other: callBody('other', mutant),
    job: (outside) => {
      const { context, transitions, requests } = wire(outside, mutant)
      return createRefundCompletion(context, { transitions, requests })()
    },
    reconciliation: comparisonBody(mutant),
  })
