import {
  createLocalRelay,
  implement,
  keysetList,
  OLDEST_FIRST,
  parkedEventOperations as parkedEventsHere,
  refuse,
  relay,
  reply,
  withBefore,
} from '@causeway/chassis'
import {
  CONSUMERS,
  CONSUMING_SERVICES,
  parkedEvents,
  parkedEventsOf,
  type Caller,
  type Operation,
  type ParkedEvent,
  type ServiceName,
} from '@causeway/contracts'
import type { z } from 'zod'
import type { AccessContext } from '../context.ts'

/** The service that runs a consumer. */
const serviceOf = (consumer: string): ServiceName | undefined =>
  CONSUMING_SERVICES.find((service) => Object.hasOwn(CONSUMERS[service], consumer))

const positionOf = ({ parked_at: at, consumer, event_id: eventId }: ParkedEvent) => ({
  at: new Date(at),
  id: `${consumer}/${eventId}`,
})

const inOrder = (a: ParkedEvent, b: ParkedEvent): number => {
  const [first, second] = [positionOf(a), positionOf(b)]
  return first.at.getTime() - second.at.getTime() || (first.id < second.id ? -1 : 1)
}

type Origin = Readonly<{ caller: Caller; requestId: string }>
type Input = Pick<Parameters<typeof relay>[3], 'safe' | 'paramsJson' | 'bodyJson'>
type Send = (subject: string, request: Parameters<typeof relay>[3]) => ReturnType<typeof relay>
type Options = Readonly<{ busTimeoutMs: number; checkReplies?: boolean }>

/** `gateway.parked-events` (decisions §45): calls each service for its own parked events. Those of access are here. */
export const parkedEventOperations = (
  { db, bus, clock, log, cursors }: Pick<AccessContext, 'db' | 'bus' | 'clock' | 'log' | 'cursors'>,
  { busTimeoutMs: timeoutMs, checkReplies = false }: Options,
) => {
  const local = createLocalRelay(parkedEventsHere({ service: 'access', db, bus }), {
    clock,
    log,
    checkReplies,
  })
  const call: Send = (subject, request) =>
    local.serves(subject) ? local.relay(subject, request) : relay(bus, clock, subject, request)

  /** @throws when the outcome is unknown */
  const callService = async <O extends Operation>(
    operation: O,
    { caller, requestId }: Origin,
    input: Input,
  ) => {
    const answer = await call(operation.subject, {
      requestId,
      callerJson: JSON.stringify(caller),
      timeoutMs,
      ...input,
    })
    if (answer.ok) {
      const value = operation.reply.parse(JSON.parse(Buffer.from(answer.data).toString('utf8')))
      return withBefore(reply(value as z.output<O['reply']>), answer.before)
    }
    const { code } = answer
    if (code === 'resource_not_found' || code === 'temporarily_unavailable') return refuse(code)
    throw new Error(`${operation.subject} answered ${code}`)
  }

  return implement(parkedEvents, {
    async list({ query: { state, limit, cursor }, ...origin }) {
      const list = keysetList(cursors, { name: `parked-events:${state}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const body = { state, after: { at: after.at.toISOString(), key: after.id }, limit: limit + 1 }
      const input = { safe: true, bodyJson: JSON.stringify(body) }
      const answers = await Promise.all(
        CONSUMING_SERVICES.map(async (service) => ({
          service,
          answer: await callService(parkedEventsOf(service).list, origin, input),
        })),
      )
      const unavailable = answers.filter(({ answer }) => !answer.ok).map(({ service }) => service)
      if (unavailable.length === CONSUMING_SERVICES.length) return refuse('temporarily_unavailable')
      const rows = answers.flatMap(({ answer }) => (answer.ok ? answer.value.parked_events : []))
      const page = list.page({ rows: rows.sort(inOrder), limit, present: (row) => row, positionOf })
      return reply({ parked_events: page.items, unavailable, next_cursor: page.nextCursor })
    },

    async get({ params, ...origin }) {
      const service = serviceOf(params.consumer)
      if (service === undefined) return refuse('resource_not_found')
      return callService(parkedEventsOf(service).get, origin, {
        safe: true,
        paramsJson: JSON.stringify(params),
      })
    },

    async retry({ params, ...origin }) {
      const service = serviceOf(params.consumer)
      if (service === undefined) return refuse('resource_not_found')
      return callService(parkedEventsOf(service).retry, origin, {
        safe: false,
        paramsJson: JSON.stringify(params),
      })
    },

    async setAside({ params, body, ...origin }) {
      const service = serviceOf(params.consumer)
      if (service === undefined) return refuse('resource_not_found')
      const input = { safe: false, paramsJson: JSON.stringify(params), bodyJson: JSON.stringify(body) }
      return callService(parkedEventsOf(service).setAside, origin, input)
    },
  })
}
