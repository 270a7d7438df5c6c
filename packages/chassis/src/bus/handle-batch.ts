import { isFromEmitter } from '@causeway/contracts'
import type { JsMsg } from '@nats-io/jetstream'
import { isAway } from '../db/faults.ts'
import { parkEvent } from '../parked-events-store.ts'
import { metrics } from '../metrics.ts'
import { NotDoneError } from '../outcome.ts'
import { withNewRequestId } from '../telemetry/request-id.ts'
import { span } from '../telemetry/span.ts'
import type { ConsumeOptions, Received } from './consume-options.ts'
import { readEvent } from './received.ts'

const MAX_TRIES = 10
const RETRY_DELAY_MS = 1_000

const consumed = metrics.counter('causeway_events_consumed_total', 'Events by consumer and outcome', [
  'consumer',
  'outcome',
])

const eventIdOf = (message: JsMsg): string => message.headers?.get('Nats-Msg-Id') || `seq:${message.seq}`

const traceparentOf = (message: JsMsg): string | null =>
  span.enabled() ? message.headers?.get('traceparent') || null : null

const parse = (message: JsMsg): Received | Error =>
  readEvent(message.string(), { subject: message.subject, traceparent: traceparentOf(message) })

/** Parts of a consumer that parking and retrying need. */
type Consumer = Pick<ConsumeOptions, 'durable' | 'db' | 'clock' | 'log'>

const park = async (message: JsMsg, error: unknown, options: Consumer): Promise<void> => {
  const reason = error instanceof Error ? error.message : String(error)
  const fields = { event: 'event.parked', error, subject: message.subject, sequence: message.seq }
  options.log.error(fields, 'An event was parked')
  await parkEvent(options.db, {
    consumer: options.durable,
    eventId: eventIdOf(message),
    subject: message.subject,
    // PostgreSQL stores no NUL in text; a message that could not be parked would be redelivered forever.
    payload: message.string().replaceAll('\0', '\uFFFD'),
    error: reason,
    now: options.clock.now(),
  })
  message.ack()
  consumed.inc({ consumer: options.durable, outcome: 'parked' })
}

/** An unavailable database is no fault of the event, so such a failure does not park it. */
export const isPassing = (error: unknown): boolean => error instanceof NotDoneError || isAway(error)

const retryOrPark = async (message: JsMsg, error: unknown, options: Consumer): Promise<void> => {
  const tries = message.info.deliveryCount
  if (tries >= MAX_TRIES && !isPassing(error)) return park(message, error, options)
  const fields = { event: 'event.failed', error, subject: message.subject, tries }
  options.log.warn(fields, 'An event failed and is retried')
  message.nak(RETRY_DELAY_MS)
}

const itemOf = <Item>(received: Received, { read }: ConsumeOptions<Item>): Item =>
  read ? read(received) : (received as Item)

/** Reads the event anew: nothing but the message was kept. */
const handleOne = async <Item>(message: JsMsg, options: ConsumeOptions<Item>): Promise<void> => {
  try {
    const received = parse(message)
    if (received instanceof Error) throw received
    await options.handle([itemOf(received, options)])
    message.ack()
    consumed.inc({ consumer: options.durable, outcome: 'handled' })
  } catch (error) {
    await retryOrPark(message, error, options)
  }
}

/** Acknowledges an event that its publisher does not own, without handling it (decisions §19). */
const dropForeign = (message: JsMsg, { event }: Received, options: Consumer): void => {
  const { subject, seq: sequence } = message
  const fields = { event: 'event.foreign', subject, sequence, name: event.name, eventId: event.id }
  options.log.error(fields, 'An event was dropped because its publisher does not own it')
  consumed.inc({ consumer: options.durable, outcome: 'foreign' })
  message.ack()
}

/** A batch whose readable events are being handled. */
type Begun = Readonly<{
  handled: Promise<void>
  /** The messages of the events that are being handled. */
  messages: readonly JsMsg[]
  /** Actions for each of the other messages. */
  refusals: readonly (() => Promise<void>)[]
}>

/** Reads a batch and begins to handle it. No frame that waits holds the items. */
const begin = <Item>(batch: readonly JsMsg[], options: ConsumeOptions<Item>): Begun => {
  const messages: JsMsg[] = []
  const items: Item[] = []
  const refusals: (() => Promise<void>)[] = []
  for (const message of batch) {
    const received = parse(message)
    if (received instanceof Error) refusals.push(() => park(message, received, options))
    else if (!isFromEmitter(received.subject, received.event)) dropForeign(message, received, options)
    else
      try {
        items.push(itemOf(received, options))
        messages.push(message)
      } catch (error) {
        refusals.push(() => retryOrPark(message, error, options))
      }
  }
  return { handled: handle(items, messages[0], options), messages, refusals }
}

const handle = async <Item>(
  items: readonly Item[],
  first: JsMsg | undefined,
  options: ConsumeOptions<Item>,
): Promise<void> =>
  items.length === 0
    ? undefined
    : span.continued(
        options.durable,
        'consumer',
        { 'messaging.system': 'nats' },
        (first && traceparentOf(first)) ?? undefined,
        () => options.handle(items),
      )

const finish = async <Item>({ handled, messages }: Begun, options: ConsumeOptions<Item>): Promise<void> => {
  try {
    await handled
    if (messages.length === 0) return
    for (const message of messages) message.ack()
    consumed.inc({ consumer: options.durable, outcome: 'handled' }, messages.length)
  } catch (error) {
    options.log.warn(
      { error, events: messages.length },
      'A batch of events failed; its events are retried one by one',
    )
    for (const message of messages) await handleOne(message, options)
  }
}

/**
 * Handles a batch and acknowledges it once the handler has committed. A batch that fails is tried event by event,
 * so that one bad event does not hold up the rest; what fails 10 times, or cannot be read at all, is parked.
 */
export const handleBatch = <Item>(batch: readonly JsMsg[], options: ConsumeOptions<Item>): Promise<void> =>
  withNewRequestId(async () => {
    const begun = begin(batch, options)
    await finish(begun, options)
    for (const refuse of begun.refusals) await refuse()
  })
