import { fieldOf } from './fields.ts'
import type { WebhookEvent } from './verify.ts'

/** Returns the id of the processor's object, which is under a key with its name and has a `project_id`. */
const processorOrderId = (event: object): unknown =>
  fieldOf(
    Object.values(event).find((value) => fieldOf(value, 'project_id') !== undefined),
    'order_id',
  )

/** Returns the key of a merchant channel event that was stored before such events had ids. */
const keyWithoutId = (event: WebhookEvent): string => {
  const subject = fieldOf(event, 'order') ?? fieldOf(event, 'data')
  const mark =
    fieldOf(subject, 'txId') ?? processorOrderId(event) ?? fieldOf(fieldOf(event, 'data'), 'status')
  return [fieldOf(event, 'event'), fieldOf(subject, 'id'), mark]
    .filter((part) => typeof part === 'string')
    .join(':')
}

/**
 * A key that every repetition of an event shares and no other event has: store it with your own write, and answer 200
 * without further work to a delivery whose key is stored (decisions §40). Per destination, if several are registered.
 * It is the event's id, `event_id` on the partner channel and `eventId` on the merchant channel.
 */
export const repetitionKey = (event: WebhookEvent): string => {
  const id = fieldOf(event, 'event_id') ?? fieldOf(event, 'eventId')
  return typeof id === 'string' ? id : keyWithoutId(event)
}
