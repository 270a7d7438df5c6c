import { queryMany, queryOne, type Bus, type Db } from '@causeway/chassis'
import { emittedEvent } from '@causeway/chassis/testing'
import { EVENT_STREAM, type DomainEvent } from '@causeway/contracts'
import { z } from 'zod'

const RefundRow = z.object({
  id: z.string(),
  orderKey: z.string(),
  state: z.string(),
  amountCents: z.number(),
})
const OrderRow = z.object({
  orderKey: z.string(),
  status: z.string(),
  refundedCents: z.number(),
  chargebackCents: z.number(),
})
const readRefunds = queryMany({
  name: 'test.state-refunds',
  text: 'SELECT id, order_key::text, state, amount_cents::int FROM refunds',
  row: RefundRow,
})
const readOrders = queryMany({
  name: 'test.state-orders',
  text: `
    SELECT order_key::text, status, refunded_cents::int, chargeback_cents::int FROM fiat_orders`,
  row: OrderRow,
})
const readOutbox = queryMany({
  name: 'test.state-outbox',
  text: 'SELECT event_id AS id, payload, seq NOT IN (TABLE outbox_unpublished) AS is_published FROM outbox_events ORDER BY seq',
  row: z.object({ id: z.string(), payload: z.string(), isPublished: z.boolean() }),
})
const readDays = queryOne({
  name: 'test.state-days',
  text: `
    SELECT (SELECT coalesce(sum(amount_cents), 0)::int FROM client_refund_days) AS counted_cents,
      (SELECT coalesce(sum(amount_cents), 0)::int FROM refunds WHERE source = 'api' AND state <> 'failed')
        AS refunded_cents`,
  row: z.object({ countedCents: z.number(), refundedCents: z.number() }),
})
const Page = z.object({
  refunds: z.array(
    z.object({
      refund_id: z.string(),
      merchant_refund_id: z.string().nullable(),
      order_key: z.string(),
      amount_cents: z.number(),
    }),
  ),
  next: z.string().nullable(),
})

export type MadeRefund = z.infer<typeof Page>['refunds'][number]
type Sources = Readonly<{ refundsDb: Db; paymentsDb: Db; bus: Bus; processorsUrl: () => string }>

/** The state of one order at the processor, in refunds, in payments and on the stream. */
export type OrderState = Readonly<{
  /** At the processor, those made outside the API included. */
  made: readonly MadeRefund[]
  refunds: readonly z.infer<typeof RefundRow>[]
  order: z.infer<typeof OrderRow> | undefined
  /** Refund ids of `refund.completed`, once for each time it is on the stream. */
  completed: readonly unknown[]
  /** How often `payment.refunded` is on the stream. */
  refunded: number
}>

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => unknown): Map<unknown, T[]> => {
  const groups = new Map<unknown, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Reads the state of orders from the processor, refunds, payments and the stream of events. */
export const createObservation = ({ refundsDb, paymentsDb, bus, processorsUrl }: Sources) => {
  const madeRefunds = async (): Promise<MadeRefund[]> => {
    const made: MadeRefund[] = []
    for (let cursor: string | null = '0'; cursor !== null;) {
      const page: z.infer<typeof Page> = Page.parse(
        await (await fetch(`${processorsUrl()}/cards/processor/refunds?cursor=${cursor}`)).json(),
      )
      made.push(...page.refunds)
      cursor = page.next
    }
    return made
  }

  /** Reads the stream itself: an event that was published twice would be on it twice. */
  const streamed = async (): Promise<DomainEvent[]> => {
    const manager = await bus.jetstreamManager()
    const { state } = await manager.streams.info(EVENT_STREAM)
    const consumer = await bus.jetstream.consumers.get(EVENT_STREAM)
    const events: DomainEvent[] = []
    while (events.length < state.messages)
      for await (const message of await consumer.fetch({ max_messages: 500, expires: 1_000 }))
        events.push(emittedEvent(message.string()))
    return events
  }

  /** Checks whether every event of both services is on the stream. */
  const isRelayed = async (): Promise<boolean> => {
    const outboxes = await Promise.all([refundsDb, paymentsDb].map((db) => readOutbox(db)))
    return outboxes.flat().every(({ isPublished }) => isPublished)
  }

  return {
    madeRefunds,
    isRelayed,
    /** States of all refunds. */
    refunds: () => readRefunds(refundsDb),
    /** Reads the daily counts of all clients and their refunds. */
    days: () => readDays(refundsDb),
    /** The order as payments has it. */
    order: async (orderKey: string) =>
      (await readOrders(paymentsDb)).find((order) => order.orderKey === orderKey),
    async readAll(): Promise<(orderKey: string) => OrderState> {
      const [made, refunds, orders, events] = await Promise.all([
        madeRefunds(),
        readRefunds(refundsDb),
        readOrders(paymentsDb),
        streamed(),
      ])
      const madeOf = groupBy(made, (refund) => refund.order_key)
      const refundsOf = groupBy(refunds, (refund) => refund.orderKey)
      const ordersOf = groupBy(orders, (order) => order.orderKey)
      const emitted = (name: string) =>
        groupBy(
          events.filter((event) => event.name === name),
          (event) => event.partners[0]?.data['order_key'],
        )
      const [completed, refunded] = [emitted('refund.completed'), emitted('payment.refunded')]
      return (orderKey) => ({
        made: madeOf.get(orderKey) ?? [],
        refunds: refundsOf.get(orderKey) ?? [],
        order: ordersOf.get(orderKey)?.[0],
        completed: (completed.get(orderKey) ?? []).map((event) => event.partners[0]?.data['refund_id']),
        refunded: refunded.get(orderKey)?.length ?? 0,
      })
    },
  }
}
