import type { Db, ServiceContext, Vault } from '@causeway/chassis'
import { contextOf, createProcesses, type Body, type Outside } from '@causeway/chassis/exploration'
import { cardNotices } from '@causeway/contracts'
import type { CardProcessor } from '@causeway/rails/cards'
import { cardNoticeOperations } from '../../src/card-notices/operations.ts'
import { createPaymentPolling } from '../../src/card-settlement/jobs/payment-poller.ts'
import { createCardSettlement, type CardSettlement } from '../../src/card-settlement/settlement.ts'
import type { CreateRequest } from '../../src/fiat-orders/checkout-check.ts'
import { createFiatOrderCreation } from '../../src/fiat-orders/creation.ts'
import { paymentOf, PROCESSOR_ORDER, REFUNDS, type Payment } from './fiat-order-world.ts'

export const PARTNER_ID = 'ptn_00000000000000000900000001'
export const CUSTOMER_ID = 'pcu_00000000000000000900000002'
export const MERCHANT_ID = 'cus_00000000000000000900000003'
export const INTEGRATION_ID = 'int_00000000000000000900000004'
export const ORDER_KEY = '1001'
export const TOTAL_CENTS = 100
/** A call gives up immediately when its key is taken: waiting equals a later call. */
const PATIENCE_MS = 400
export const POLL_AFTER_MS = 60_000
/** An order is read again for as long as time passes in an exploration, and not longer. */
const REVIEW_FOR_MS = 10 * POLL_AFTER_MS

/** Production code that a mutant replaces. */
export type FiatOrderMutant = Readonly<{
  processor?: (shipped: CardProcessor) => CardProcessor
  settlement?: (shipped: CardSettlement) => CardSettlement
}>

/** Seals nothing: no payer is known here, and what is random would make every state another one. */
const VAULT = {
  sealingKeyId: 'none',
  seal: () => 'sealed',
  open: () => Buffer.alloc(32),
  mac: () => Buffer.alloc(32),
} satisfies Vault

const MONTH_KEY = [{ keySealed: 'sealed' }]

/** Provides the month's key, which production reads in a separate statement within a transaction that is one step here. */
const withMonthKey = (db: Db): Db => ({
  ...db,
  query: async <R>(declared: Parameters<typeof db.query<R>>[0], values: Readonly<Record<string, unknown>>) =>
    declared.name === 'data-keys.insert' ? (MONTH_KEY as R[]) : db.query(declared, values),
})

const contextOver = (outside: Outside): ServiceContext => ({
  ...contextOf(outside),
  db: withMonthKey(outside.db),
  vault: VAULT,
  eventSeals: { seal: () => 'sealed', open: () => '' },
})

const processorOver = ({ ask }: Outside): CardProcessor =>
  ({
    traits: { partialRefunds: true, orderLines: false, currencies: null, amountStep: () => 1 },
    createCheckout: () => ask('processor', 'createCheckout', null),
    readPayment: async () => paymentOf(await ask<Payment>('processor', 'readPayment', null)),
    verifyNotice: async () => ({
      ok: true,
      notice: {
        processorOrderId: PROCESSOR_ORDER,
        noticeId: await ask<string>('processor', 'notify', null),
      },
    }),
  }) as unknown as CardProcessor

/** The service as `service.ts` puts it together, over what is outside. */
const wire = (outside: Outside, mutant: FiatOrderMutant) => {
  const context = contextOver(outside)
  const shipped = processorOver(outside)
  const processors = new Map([['processor', mutant.processor?.(shipped) ?? shipped]])
  const links = {
    processors,
    publicBaseUrl: 'http://127.0.0.1',
    reviewAfterMs: POLL_AFTER_MS,
    availableAfterMs: 0,
  }
  const thresholds = { merchantIpThreshold: 9, platformIpThreshold: 9, distinctMerchantsThreshold: 9 }
  const settled = createCardSettlement(context, { ...links, riskRules: { thresholds, windowDays: 30 } })
  return { context, links, settlement: mutant.settlement?.(settled) ?? settled }
}

const notExplored = () => Promise.reject(new Error('Not explored'))

/** Both calls have the same key: the second is the first one's repetition. */
const createBody =
  (name: 'create' | 'again', mutant: FiatOrderMutant): Body =>
  (outside) => {
    const { context, links } = wire(outside, mutant)
    const create = createFiatOrderCreation(context, {
      ...links,
      relationships: {
        merchantOf: () => Promise.resolve(MERCHANT_ID),
        refresh: notExplored,
      },
      numbers: { take: notExplored, grantCardKeys: notExplored },
      connections: 1,
      processorTimeoutMs: 0,
      merchantNames: { of: () => Promise.resolve('Shop') },
      serviceFeePercent: 0,
      pollAfterMs: POLL_AFTER_MS,
    })
    const nowMs = outside.nowMs()
    return create({
      caller: { kind: 'partner', partnerId: PARTNER_ID, clientId: 'client' },
      params: { customerId: CUSTOMER_ID },
      query: undefined,
      body: { integration_id: INTEGRATION_ID, amount_cents: TOTAL_CENTS, currency: 'EUR' },
      requestId: `request_${name}`,
      idempotencyKey: 'one',
      now: new Date(nowMs),
      deadlineMs: nowMs + PATIENCE_MS,
      log: context.log,
    } as unknown as CreateRequest)
  }

const noticeBody =
  (mutant: FiatOrderMutant): Body =>
  async (outside) => {
    const { context, links, settlement } = wire(outside, mutant)
    const { subject } = cardNotices.receive
    const found = cardNoticeOperations(context, { ...links, settlement }).find(
      (each) => each.operation.subject === subject,
    )
    if (!found) throw new Error(`No operation ${subject}`)
    const request = {
      params: { processor: 'processor' },
      body: { headers: {}, raw_body_base64: '' },
      now: new Date(outside.nowMs()),
      log: context.log,
    }
    return found.handle(request as unknown as Parameters<typeof found.handle>[0])
  }

/** The refunds service tells of the refund that it has made. */
const recordBody =
  (mutant: FiatOrderMutant): Body =>
  async (outside) => {
    const { settlement } = wire(outside, mutant)
    const of = {
      partnerId: PARTNER_ID,
      orderKey: ORDER_KEY,
      processor: 'processor',
      processorOrderId: PROCESSOR_ORDER,
    }
    return settlement.recordRefund(of, REFUNDS.first)
  }

/** A call and its repetition, notices, the poller, and the refunds service. */
export const createFiatOrderProcesses = (mutant: FiatOrderMutant) =>
  createProcesses({
    create: createBody('create', mutant),
    again: createBody('again', mutant),
    notice: noticeBody(mutant),
    record: recordBody(mutant),
    poller: (outside) => {
      const { context, links, settlement } = wire(outside, mutant)
      const pauses = { pollAfterMs: POLL_AFTER_MS, reviewForMs: REVIEW_FOR_MS }
      return createPaymentPolling(context, { ...links, ...pauses, settlement })(new AbortController().signal)
    },
  })
