const fieldOf = (value, field) => (typeof value === 'object' && value !== null ? value[field] : undefined)

/** The processor's own object lies under a key of its name and is the one with `project_id`. */
const processorOrderId = (event) =>
  fieldOf(
    Object.values(event).find((value) => fieldOf(value, 'project_id') !== undefined),
    'order_id',
  )

/**
 * A key that every repetition of an event shares and no other event has: store it with your own write, and answer 200
 * without further work to a delivery whose key is stored (spec: Events). Per destination, if several are registered.
 * Partner channel: `event_id`. Merchant channel: the event's name and the order, with the transaction (crypto), the
 * processor's order or refund (cards), or the status (onramp).
 */
export const repetitionKey = (event) => {
  if (typeof fieldOf(event, 'event_id') === 'string') return String(fieldOf(event, 'event_id'))
  const subject = fieldOf(event, 'order') ?? fieldOf(event, 'data')
  const mark =
    fieldOf(subject, 'txId') ?? processorOrderId(event) ?? fieldOf(fieldOf(event, 'data'), 'status')
  return [fieldOf(event, 'event'), fieldOf(subject, 'id'), mark]
    .filter((part) => typeof part === 'string')
    .join(':')
}
