import { createClock, queryMany, queryOne } from '@causeway/chassis'
import { openTestService, testPartner, type TestPartner as Partner } from '@causeway/chassis/testing'
import {
  reconciliation,
  refunds,
  type Caller,
  type DomainEvent,
  type RefundableOrder,
} from '@causeway/contracts'
import { openCardProcessors } from '@causeway/rails/cards'
import { CARD_SECRET as secret, startSandbox } from '@causeway/sandbox/testing'
import { z } from 'zod'
import type { RefundsConfig } from '../src/config.ts'
import { startRefunds } from '../src/service.ts'
import { createFakePayments } from './fake-payments.ts'

export { testPartner as newPartner, type Partner }

const readStates = queryMany({
  name: 'test.read-states',
  parameters: { orderKey: 'bigint' },
  text: 'SELECT state, count(*)::int AS count FROM refunds WHERE order_key = :orderKey GROUP BY state ORDER BY state',
  row: z.object({ state: z.string(), count: z.number() }),
})
const countKeys = queryOne({
  name: 'test.count-keys',
  parameters: { partnerId: 'text' },
  text: 'SELECT count(*)::int AS count FROM idempotency_keys WHERE partner_id = :partnerId',
  row: z.object({ count: z.number() }),
})

type Body = z.input<(typeof refunds.create)['body']>
type Wanted = Partial<RefundableOrder> & { paid?: boolean }

const STAFF: Caller = { kind: 'operator', actor: 'test' }

export type RunningRefunds = Awaited<ReturnType<typeof startForTests>>

/** Starts the service with a separate database, a fake payments, and the sandbox's card processors over HTTP. */
export const startForTests = async (change: Partial<RefundsConfig> = {}, sandboxClock = createClock()) => {
  const service = await openTestService('refunds')
  const { bus, clock, db, ask, events } = service
  const payments = createFakePayments(bus, clock)
  const sandbox = await startSandbox({ cardPort: 0 }, sandboxClock)
  const { control } = sandbox
  const cards = { connections: 16, accounts: { sandbox: { baseUrl: sandbox.cardUrl(), secret } } }
  const config: RefundsConfig = {
    ...service.config,
    keys: { encryptionKey: Buffer.alloc(32, 7) },
    cards,
    dailyLimitCents: null,
    reconciliation: { everyMs: 60_000, overlapMs: 3_600_000, depthMs: 35 * 86_400_000 },
    ...change,
  }
  const startReplica = () => service.addReplica(startRefunds(config))
  await startReplica()
  const processors = await openCardProcessors({ ...cards, timeoutMs: 60_000 })
  let keys = 0
  return {
    ...service,
    payments,
    /** Where the sandbox's card processors are. */
    cardUrl: sandbox.cardUrl(),
    /** Another replica on the same database; it stops with the rest. */
    startReplica,
    /** How refunds compare with their processors, as staff read it. */
    async readReconciliation(query: { limit?: string; cursor?: string } = {}) {
      const answer = await ask(reconciliation.get, STAFF, { safe: true, query })
      if (!answer.ok) throw new Error(answer.code)
      return answer.value
    },
    /** Refunds of all partners without an answer, as staff read them. */
    async pending() {
      const answer = await ask(refunds.listPending, STAFF, { safe: true, query: {} })
      if (!answer.ok) throw new Error(answer.code)
      return answer.value.refunds
    },
    getByStaff: (refundId: string) => ask(refunds.getByStaff, STAFF, { safe: true, params: { refundId } }),
    listByStaff: (partnerId: string, orderKey: string) =>
      ask(refunds.listByStaff, STAFF, { safe: true, params: { partnerId, orderKey }, query: {} }),
    closeDifference: (differenceId: string) => ask(reconciliation.close, STAFF, { params: { differenceId } }),
    /** A card order of 100.00, paid unless told otherwise, that its partner may refund. */
    async newOrder(change: Wanted = {}, partner: Partner = testPartner()) {
      const { paid = true, ...rest } = change
      const order = payments.add(partner.partnerId, rest)
      const processor = processors.get(order.processor)
      if (!processor) throw new Error(`No processor ${order.processor}`)
      const { processorOrderId } = await processor.createCheckout({
        orderId: order.order_id,
        orderKey: order.order_key,
        kind: order.kind,
        totalCents: order.total_cents,
        refundableCents: order.service_fee_payer === 'customer' ? order.total_cents : order.amount_cents,
        currency: order.currency,
        merchantName: 'Shop',
        description: 'Order',
        payerEmail: null,
        returnUrl: 'https://shop.example/thanks',
        failureUrl: null,
        noticeUrl: 'http://127.0.0.1:1/notices',
      })
      payments.change(order.order_key, { processor_order_id: processorOrderId })
      if (paid) await control('POST', `/card-payments/${order.order_key}`, { outcome: 'completed' })
      return { partner, orderKey: order.order_key, orderId: order.order_id, processorOrderId }
    },
    refund: (
      partner: Partner,
      orderKey: string,
      body: Body | Readonly<Record<string, unknown>>,
      idempotencyKey = `refund-${(keys += 1)}`,
    ) => ask(refunds.create, partner, { params: { orderKey }, body, idempotencyKey }),
    refundByStaff: (partnerId: string, orderKey: string, body: Body, idempotencyKey: string) =>
      ask(refunds.createByStaff, STAFF, { params: { partnerId, orderKey }, body, idempotencyKey }),
    list: (partner: Partner, orderKey: string, query: { limit?: string; cursor?: string } = {}) =>
      ask(refunds.list, partner, { safe: true, params: { orderKey }, query }),
    fault: (mode: string, count?: number, calls = 'effect') =>
      control('PUT', '/faults', { target: 'card', mode, count, calls }),
    /** Every request whose answer contains this text fails. */
    failListing: (processorRefundId: string) =>
      control('PUT', '/faults', { target: 'card', mode: 'error', calls: 'read', telling: processorRefundId }),
    /** Makes a refund at the processor as a call does that dies before it stores the answer. */
    makeAtProcessor: (
      processorOrderId: string,
      refundId: string,
      cents: number,
      description: string | null = null,
    ) =>
      processors
        .get('processor')
        ?.refund({ processorOrderId, refundId, amountCents: cents, description, orderLines: null }),
    refundElsewhere: (orderKey: string, cents: number) =>
      control('POST', `/card-refunds/${orderKey}`, { amount_cents: cents }),
    /** A refund that was made fails at the processor. */
    failAtProcessor: (orderKey: string, processorRefundId: string) =>
      control('POST', `/card-refunds/${orderKey}/failure`, { refund_id: processorRefundId }),
    /** The refunds of an order as its processor has them. */
    atProcessor: (processorOrderId: string, processor = 'processor') =>
      processors.get(processor)?.listRefunds(processorOrderId) ?? Promise.resolve([]),
    statesOf: async (orderKey: string) =>
      Object.fromEntries((await readStates(db, { orderKey })).map(({ state, count }) => [state, count])),
    keysOf: async ({ partnerId }: Partner) => (await countKeys(db, { partnerId }))?.count,
    eventsOf: async (orderKey: string): Promise<DomainEvent[]> =>
      (await events()).filter((event) => event.partners[0]?.data['order_key'] === orderKey),
    async stop() {
      await control('PUT', '/faults', { target: 'card', mode: 'ok' })
      await service.stop(async () => {
        await Promise.all([...processors.values()].map((processor) => processor.close()))
        await sandbox.stop()
      })
    },
  }
}
