import type { ServiceName } from '@causeway/contracts'
import type { Msg, Subscription } from '@nats-io/transport-node'
import { metrics } from '../metrics.ts'
import { refuse } from '../outcome.ts'
import { span } from '../telemetry/span.ts'
import type { Bus } from './connect.ts'
import { execute, type ExecuteOptions } from './execute.ts'
import type { Implementation } from './implement.ts'
import { encodeRefusal, encodeReply, RequestMessage } from './wire.ts'

const MAX_IN_FLIGHT = 1_024
const DRAIN_POLL_MS = 10

const dropped = metrics.counter(
  'causeway_bus_requests_dropped_total',
  'Requests past their deadline or over the bound',
  ['reason'],
)

type ServeOptions = ExecuteOptions & Readonly<{ service: ServiceName }>

/**
 * Answers a service's operations on the bus, one queue group a service, so that any number of replicas share them.
 * A request past its deadline is dropped, for nobody waits for it; one over the bound is refused at once.
 */
export const serve = (bus: Bus, implementations: readonly Implementation[], options: ServeOptions): void => {
  let inFlight = 0
  const respond = (message: Msg, payload: string) => {
    if (message.reply !== undefined) bus.send(message.reply, payload)
  }
  const answer = async (implementation: Implementation, message: Msg): Promise<void> => {
    const parsed = RequestMessage.safeParse(JSON.parse(message.string()))
    if (!parsed.success) throw new Error(`A malformed request on ${message.subject}`)
    const request = parsed.data as RequestMessage
    if (request.deadlineMs < options.clock.outsideMs()) {
      dropped.inc({ reason: 'deadline' })
      return
    }
    const subject = implementation.operation.subject
    const outcome = await span.continued(
      subject,
      'server',
      { 'messaging.system': 'nats', 'messaging.destination.name': subject },
      message.headers?.get('traceparent'),
      () => execute(implementation, request, options),
    )
    respond(message, toBytes(outcome))
  }
  const receive = (implementation: Implementation, message: Msg) => {
    if (inFlight >= MAX_IN_FLIGHT) {
      dropped.inc({ reason: 'busy' })
      respond(message, encodeRefusal(refuse('temporarily_unavailable')))
      return
    }
    inFlight += 1
    answer(implementation, message)
      .catch((error: unknown) => {
        options.log.error({ error, subject: message.subject }, 'A request could not be read or answered')
        respond(message, encodeRefusal(refuse('internal_error')))
      })
      .finally(() => {
        inFlight -= 1
      })
  }
  const subscriptions: Subscription[] = implementations.map((implementation) =>
    bus.connection.subscribe(implementation.operation.subject, {
      queue: options.service,
      callback: (error, message) => {
        if (error)
          options.log.error({ error, subject: implementation.operation.subject }, 'A subscription failed')
        else receive(implementation, message)
      },
    }),
  )
  bus.onDraining(async () => {
    await Promise.all(subscriptions.map((subscription) => subscription.drain()))
    while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS))
  })
}

const toBytes = (outcome: Awaited<ReturnType<typeof execute>>): string => {
  if (!outcome.ok) return encodeRefusal(outcome)
  const { variant, replay, before } = outcome
  if (replay) return encodeReply({ requestId: replay.requestId, variant }, replay.json)
  const bare = variant === undefined && before === undefined
  return encodeReply(bare ? null : { variant, before }, JSON.stringify(outcome.value))
}
