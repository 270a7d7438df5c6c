import type { ServiceName } from '@causeway/contracts'
import type { Msg } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../outcome.ts'
import { span } from '../telemetry/span.ts'
import { createAdmission } from './admit.ts'
import type { Bus } from './connect.ts'
import { createDropLog } from './drops.ts'
import { execute, type ExecuteOptions } from './execute.ts'
import type { Implementation } from './implement.ts'
import type { BusKeys } from './keys.ts'
import { measureOperation } from './operation-metrics.ts'
import { encodeOutcome, encodeRefusal, type RequestMessage } from './wire.ts'

const MAX_IN_FLIGHT = 1_024
const DRAIN_POLL_MS = 10

type ServeOptions = ExecuteOptions & Readonly<{ service: ServiceName; keys: BusKeys }>

/**
 * Answers a service's operations on the bus, one queue group a service, so that any number of replicas share them.
 * Messages that {@link createAdmission} does not admit are dropped without an answer; beyond 1,024 requests in flight
 * the next is refused immediately.
 */
export const serve = (bus: Bus, implementations: readonly Implementation[], options: ServeOptions): void => {
  let inFlight = 0
  const admit = createAdmission(options.keys, options.clock)
  const drop = createDropLog(options.log)
  const outcomeOf = async (
    implementation: Implementation,
    message: Msg,
    request: RequestMessage & { deadlineMs: number },
    measured: ReturnType<ReturnType<typeof measureOperation>>,
  ): Promise<string> => {
    const subject = implementation.operation.subject
    const outcome = await span.continued(
      subject,
      'server',
      { 'messaging.system': 'nats', 'messaging.destination.name': subject },
      message.headers?.get('traceparent'),
      () => execute(implementation, request, options),
    )
    measured(outcome)
    return encodeOutcome(outcome)
  }
  const receive = (
    implementation: Implementation,
    message: Msg,
    measure: ReturnType<typeof measureOperation>,
    answer: (payload: string) => void,
  ): Promise<void> | undefined => {
    const { subject } = implementation.operation
    const admitted = admit(implementation.operation, message)
    if (typeof admitted === 'string') {
      drop(admitted, subject)
      return undefined
    }
    if (inFlight >= MAX_IN_FLIGHT) {
      drop('busy', subject)
      answer(encodeRefusal(refuse('temporarily_unavailable')))
      return undefined
    }
    inFlight += 1
    const { request, deadlineMs } = admitted
    return outcomeOf(implementation, message, { ...request, deadlineMs }, measure())
      .then(answer)
      .catch((error: unknown) => {
        options.log.error(
          { event: 'request.not_answered', error, subject },
          'A request could not be answered',
        )
        answer(encodeRefusal(refuse('internal_error')))
      })
      .finally(() => {
        inFlight -= 1
      })
  }
  const subscriptions = implementations.map((implementation) => {
    const { subject } = implementation.operation
    const measure = measureOperation(subject)
    return bus.receive(subject, options.service, (message, answer) =>
      receive(implementation, message, measure, answer),
    )
  })
  bus.onDraining(async () => {
    await Promise.all(subscriptions.map((subscription) => subscription.drain()))
    while (inFlight > 0) await sleep(DRAIN_POLL_MS)
  })
}
