import { createLogger, implement, newId, refuse, reply, serve, type Bus, type Clock } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { refundableOrders, type CountedRefund, type RefundableOrder } from '@causeway/contracts'

type Known = { partnerId: string; order: RefundableOrder; counted: Map<string, number>; isVisible: boolean }

/** Payments as the refunds service sees it, with orders that the test sets. */
export const createFakePayments = (bus: Bus, clock: Clock) => {
  const known = new Map<string, Known>()
  let nextKey = 1001
  let isDown = false
  let isRecordDown = false
  let recordMs = 0
  let records = 0
  const reconciled: string[] = []
  const failed = new Set<string>()
  const find = (partnerId: string, orderKey: string) => {
    const entry = known.get(orderKey)
    return entry?.partnerId === partnerId ? entry : undefined
  }
  const of = (orderKey: string): Known => {
    const entry = known.get(orderKey)
    if (!entry) throw new Error(`No order ${orderKey}`)
    return entry
  }
  const countedCents = (entry: Known) => [...entry.counted.values()].reduce((sum, cents) => sum + cents, 0)
  serve(
    bus,
    implement(refundableOrders, {
      get: async ({ body }) => {
        if (isDown) return refuse('temporarily_unavailable')
        const entry = find(body.partner_id, body.order_key)
        if (entry && body.by_staff === true)
          return reply({ ...entry.order, capability: { enabled: true, available: true, reason: null } })
        return entry?.isVisible ? reply(entry.order) : refuse('resource_not_found')
      },
      recordRefund: async ({ body }) => {
        records += 1
        await new Promise((resolve) => setTimeout(resolve, recordMs))
        if (isDown || isRecordDown) return refuse('temporarily_unavailable')
        const entry = find(body.partner_id, body.order_key)
        if (!entry) return refuse('resource_not_found')
        entry.counted.set(body.refund_id, body.amount_cents)
        const { order } = entry
        const max = order.service_fee_payer === 'customer' ? order.total_cents : order.amount_cents
        if (countedCents(entry) >= max) entry.order = { ...order, status: 'refunded' }
        return reply({ partner_sees: entry.isVisible })
      },
      reconcile: async ({ body }) => {
        if (isDown) return refuse('temporarily_unavailable')
        const entry = known.get(body.order_key)
        if (entry?.order.processor !== body.processor) return refuse('resource_not_found')
        const { partner_customer_id, order_id, processor_order_id } = entry.order
        const isCounted = entry.order.status !== 'pending' && !failed.has(body.processor_refund_id)
        if (isCounted) reconciled.push(body.processor_refund_id)
        return reply({
          partner_id: entry.partnerId,
          partner_customer_id,
          partner_sees: entry.isVisible,
          order_id,
          processor_order_id,
          is_counted: isCounted,
        })
      },
    }),
    {
      keys: testReceiverKeys(),
      service: 'payments',
      clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
  return {
    add: (partnerId: string, change: Partial<RefundableOrder> = {}): RefundableOrder => {
      const order: RefundableOrder = {
        order_id: newId('fiatOrder'),
        order_key: String((nextKey += 1)),
        partner_customer_id: newId('relationship'),
        kind: 'order',
        status: 'paid',
        currency: 'EUR',
        total_cents: 10_000,
        amount_cents: 9_750,
        service_fee_payer: 'customer',
        processor: 'processor',
        processor_order_id: '',
        capability: { enabled: true, available: true, reason: null },
        ...change,
      }
      known.set(order.order_key, { partnerId, order, counted: new Map(), isVisible: true })
      return order
    },
    change: (orderKey: string, change: Partial<RefundableOrder>) => {
      const entry = of(orderKey)
      entry.order = { ...entry.order, ...change }
    },
    /** Payments has no such order, until it is restored. */
    remove: (orderKey: string) => {
      const entry = of(orderKey)
      known.delete(orderKey)
      return { restore: () => void known.set(orderKey, entry) }
    },
    /** Payments has read that this refund failed: no order counts it any more. */
    noteFailure: (processorRefundId: string) => void failed.add(processorRefundId),
    /** Publishes on the stream that a refund is counted, or that it failed. */
    publish: async (refund: CountedRefund): Promise<void> => {
      const event = {
        id: newId('event'),
        name: 'payment.refunded',
        created_at: clock.now().toISOString(),
        partners: [],
        merchant: null,
        fact: { kind: 'refund', refund },
      }
      await bus.publishEvent('events.payments.payment.refunded', JSON.stringify(event), event.id, null)
    },
    show: (orderKey: string) => {
      of(orderKey).isVisible = true
    },
    hide: (orderKey: string) => {
      of(orderKey).isVisible = false
    },
    setDown: (down: boolean) => {
      isDown = down
    },
    setRecordDown: (down: boolean) => {
      isRecordDown = down
    },
    setRecordMs: (ms: number) => {
      recordMs = ms
    },
    /** The processor's refunds for which an order was reconciled and that it counts. */
    reconciled,
    /** How many requests to record a refund came so far. */
    records: () => records,
    countedCents: (orderKey: string) => countedCents(of(orderKey)),
  }
}
