import { DomainEvent, eventSubject, foreignPartOf, SERVICES } from '@causeway/contracts'
import type { JsMsg } from '@nats-io/jetstream'
import { parkEvent } from '../inbox.ts'
import { metrics } from '../metrics.ts'
import { withNewRequestId } from '../telemetry/request-id.ts'
import { span } from '../telemetry/span.ts'
import type { ConsumeOptions, Received } from './consume-options.ts'

const MAX_TRIES = 10
const RETRY_DELAY_MS = 1_000

const consumed = metrics.counter('causeway_events_consumed_total', 'Events by consumer and outcome', [
  'consumer',
  'outcome',
])

const eventIdOf = (message: JsMsg): string => message.headers?.get('Nats-Msg-Id') || `seq:${message.seq}`

const parse = (message: JsMsg): Received | Error => {
  try {
    const parsed = DomainEvent.safeParse(JSON.parse(message.string()))
    if (!parsed.success)
      return new Error(`Not an event: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`)
    return { event: parsed.data, subject: message.subject }
  } catch {
    return new Error('Not JSON')
  }
}

const park = async (message: JsMsg, error: unknown, options: ConsumeOptions): Promise<void> => {
  const reason = error instanceof Error ? error.message : String(error)
  const fields = { event: 'event.parked', error, subject: message.subject, sequence: message.seq }
  options.log.error(fields, 'An event is parked')
  await parkEvent(options.db, {
    consumer: options.durable,
    eventId: eventIdOf(message),
    subject: message.subject,
    // PostgreSQL stores no NUL in text; a message that could not be parked would be delivered for ever.
    payload: message.string().replaceAll('\0', '\uFFFD'),
    error: reason,
    now: options.clock.now(),
  })
  message.ack()
  consumed.inc({ consumer: options.durable, outcome: 'parked' })
}

const retryOrPark = async (message: JsMsg, error: unknown, options: ConsumeOptions): Promise<void> => {
  const tries = message.info.deliveryCount
  if (tries >= MAX_TRIES) return park(message, error, options)
  const fields = { event: 'event.failed', error, subject: message.subject, tries }
  options.log.warn(fields, 'An event failed and is tried again')
  message.nak(RETRY_DELAY_MS)
}

const handleOne = async (message: JsMsg, received: Received, options: ConsumeOptions): Promise<void> => {
  try {
    await options.handle([received])
    message.ack()
    consumed.inc({ consumer: options.durable, outcome: 'handled' })
  } catch (error) {
    await retryOrPark(message, error, options)
  }
}

/** Null: it could not be opened, and is delivered again or parked. */
const opened = async (
  message: JsMsg,
  received: Received,
  options: ConsumeOptions,
): Promise<Received | null> => {
  try {
    return options.open?.(received) ?? received
  } catch (error) {
    await retryOrPark(message, error, options)
    return null
  }
}

/** Whether an event was published by the service that owns it, under the subject of its name. */
const isOwned = ({ event, subject }: Received): boolean =>
  subject === eventSubject(event.name) &&
  SERVICES.some(
    (service) => subject.startsWith(`events.${service}.`) && foreignPartOf(service, event) === null,
  )

/** Acknowledges an event that its publisher does not own, without handling it (decisions §19). */
const dropForeign = (message: JsMsg, { event }: Received, options: ConsumeOptions): void => {
  const { subject, seq: sequence } = message
  const fields = { event: 'event.foreign', subject, sequence, name: event.name, eventId: event.id }
  options.log.error(fields, 'An event that its publisher does not own is dropped')
  consumed.inc({ consumer: options.durable, outcome: 'foreign' })
  message.ack()
}

/**
 * Handles a batch and acknowledges it once the handler has committed. A batch that fails is tried event by event,
 * so that one bad event does not hold up the rest; what fails 10 times, or cannot be read at all, is parked.
 */
export const handleBatch = (batch: readonly JsMsg[], options: ConsumeOptions): Promise<void> =>
  withNewRequestId(() => handleMessages(batch, options))

const handleMessages = async (batch: readonly JsMsg[], options: ConsumeOptions): Promise<void> => {
  const readable: { message: JsMsg; received: Received }[] = []
  for (const message of batch) {
    const parsed = parse(message)
    if (parsed instanceof Error) await park(message, parsed, options)
    else if (!isOwned(parsed)) dropForeign(message, parsed, options)
    else if (parsed.event.merchant?.sealed_body === undefined) readable.push({ message, received: parsed })
    else {
      const received = await opened(message, parsed, options)
      if (received) readable.push({ message, received })
    }
  }
  const [first] = readable
  if (first === undefined) return
  try {
    await span.continued(
      options.durable,
      'consumer',
      { 'messaging.system': 'nats' },
      first.message.headers?.get('traceparent') || undefined,
      () => options.handle(readable.map((entry) => entry.received)),
    )
    for (const { message } of readable) message.ack()
    consumed.inc({ consumer: options.durable, outcome: 'handled' }, readable.length)
  } catch (error) {
    options.log.warn({ error, events: readable.length }, 'A batch of events failed and is tried one by one')
    for (const { message, received } of readable) await handleOne(message, received, options)
  }
}
