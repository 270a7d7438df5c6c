import { groupBy } from '../journal.ts'
import type { ReadRows } from './databases.ts'
import { expectCount, type Findings } from './findings.ts'
import type { EmittedEvent } from './outbox.ts'

type Row = Readonly<{ id: string; status: string }>

/** Groups events by name and subject, as the partner receives them. */
const eventsAbout = (events: readonly EmittedEvent[], field: string) => {
  const groups = groupBy(events, ({ name, partners }) => {
    const about = partners[0]?.data[field]
    return typeof about === 'string' ? `${name} ${about}` : undefined
  })
  return (name: string, about: string): number => groups.get(`${name} ${about}`)?.length ?? 0
}

/** Each thing that happened was emitted once: an order's beginning, its payment, each refund, each dispute. */
export const checkEmitted = async (
  events: readonly EmittedEvent[],
  read: ReadRows,
  findings: Findings,
): Promise<void> => {
  const expectEvents = (count: number, name: string, about: string, is: boolean) =>
    expectCount(
      findings,
      `event: ${name}`,
      count,
      { min: is ? 1 : 0, max: is ? 1 : 0 },
      () => `${name} of ${about}`,
    )

  const byId = eventsAbout(events, 'order_id')
  for (const { id, status } of await read<Row>('payments', 'SELECT id, status FROM crypto_orders')) {
    expectEvents(byId('payment.pending', id), 'payment.pending', id, true)
    expectEvents(byId('payment.confirmed', id), 'payment.confirmed', id, status === 'paid')
    for (const end of ['cancelled', 'expired'])
      expectEvents(byId(`payment.${end}`, id), `payment.${end}`, id, status === end)
  }
  const byKey = eventsAbout(events, 'order_key')
  const card = await read<Row & Readonly<{ isOpen: boolean }>>(
    'payments',
    'SELECT order_key::text AS id, status, processor_order_id IS NOT NULL AS "isOpen" FROM fiat_orders',
  )
  for (const { id, status, isOpen } of card) {
    expectEvents(byKey('payment.pending', id), 'payment.pending of cards', id, isOpen)
    const isPaid = ['paid', 'refunded', 'chargeback'].includes(status)
    expectEvents(byKey('payment.confirmed', id), 'payment.confirmed of cards', id, isPaid)
    expectEvents(byKey('payment.chargeback', id), 'payment.chargeback', id, status === 'chargeback')
  }
  const byRefund = eventsAbout(events, 'refund_id')
  for (const { id, status } of await read<Row>('refunds', 'SELECT id, state AS status FROM refunds'))
    expectEvents(byRefund('refund.completed', id), 'refund.completed', id, status === 'reconciled')
}
