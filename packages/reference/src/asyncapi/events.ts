import {
  CONSUMERS,
  DomainEvent,
  EVENT_NAMES,
  EVENTS,
  EVENT_STREAM,
  Fact,
  MERCHANT_CHANNEL,
  MerchantNotice,
  PARTNER_EVENT_DATA,
  PartnerNotice,
  SERVICES,
  emittedSubject,
  eventSubject,
  idOf,
  type EventDeclaration,
  type EventName,
  type PartnerEventType,
  type ServiceName,
} from '@causeway/contracts'
import { z } from 'zod'
import type { Schemas } from '../json-schema.ts'
import { TRACEPARENT, type Json } from './json.ts'

const factOf = (kind: Fact['kind']): z.ZodType => {
  const found = Fact.options.find(({ shape }) => shape.kind.value === kind)
  if (found === undefined) throw new Error(`The fact ${kind} has no schema`)
  return found
}

/** An event of one name: the parts that no event of this name has are empty. */
const payloadOf = (name: EventName): z.ZodType => {
  const { partner, merchant, fact }: EventDeclaration = EVENTS[name]
  return DomainEvent.extend({
    name: z.literal(name),
    partners:
      partner === undefined
        ? z.array(PartnerNotice).max(0)
        : z.array(
            PartnerNotice.extend({
              type: z.literal(name as PartnerEventType),
              data: PARTNER_EVENT_DATA[partner.body],
            }),
          ),
    merchant:
      merchant === undefined
        ? z.null()
        : MerchantNotice.extend({
            event: z.literal(merchant),
            body: z.union([MERCHANT_CHANNEL[merchant].body, z.object({ event: z.literal(merchant) })]),
          }).nullable(),
    fact: fact === undefined ? z.null() : factOf(fact).nullable(),
  })
}

/** When an event fires, as its receivers outside are told; events that are facts alone are for services. */
const descriptionOf = (name: EventName): string => {
  const { partner, merchant, fact }: EventDeclaration = EVENTS[name]
  const whens = [partner?.when, merchant && MERCHANT_CHANNEL[merchant].when].filter(
    (when) => when !== undefined,
  )
  return [
    ...(whens.length === 0 ? [] : [`**When:** ${[...new Set(whens)].join(' ')}`]),
    ...(fact === undefined ? [] : [`Services project its fact \`${fact}\`.`]),
  ].join('\n\n')
}

/** The channel of an event that a service emits on the stream. */
export const eventChannel = (schemas: Schemas, name: EventName, service: ServiceName): Json => ({
  address: emittedSubject(service, name),
  description: descriptionOf(name),
  messages: {
    event: {
      name,
      contentType: 'application/json',
      headers: {
        type: 'object',
        required: ['Nats-Msg-Id'],
        properties: { 'Nats-Msg-Id': schemas.reply(idOf('event')), traceparent: TRACEPARENT },
      },
      payload: schemas.reply(payloadOf(name)),
    },
  },
  'x-jetstream': { stream: EVENT_STREAM },
})

const eventRef = (name: EventName) => ({ $ref: `#/channels/${eventSubject(name)}` })

/** How a service sends an event that it owns, or owned in the release before. */
export const emitOperation = (name: EventName, service: ServiceName): Json => ({
  action: 'send',
  channel: { $ref: `#/channels/${emittedSubject(service, name)}` },
  summary: `${service} ${EVENTS[name].owner === service ? 'emits' : 'emitted before'} ${name}`,
  tags: [{ name: service }],
  messages: [{ $ref: `#/channels/${emittedSubject(service, name)}/messages/event` }],
})

const matches = (filter: string, subject: string): boolean =>
  filter.endsWith('>') ? subject.startsWith(filter.slice(0, -1)) : filter === subject

type Consumer = Readonly<{ service: ServiceName; durable: string; filters: readonly string[] }>

const consumers = (): Consumer[] =>
  SERVICES.flatMap((service) =>
    Object.entries(CONSUMERS[service]).map(([durable, filters]) => ({ service, durable, filters })),
  )

/** The receive operations of the stream: one for each durable consumer and event. */
export const consumeOperations = (): Record<string, Json> =>
  Object.fromEntries(
    consumers().flatMap(({ service, durable, filters }) =>
      EVENT_NAMES.filter((name) => filters.some((filter) => matches(filter, eventSubject(name)))).map(
        (name) => [
          `${durable}.${name}`,
          {
            action: 'receive',
            channel: eventRef(name),
            summary: `${service} handles ${name}, once`,
            tags: [{ name: service }],
            messages: [{ $ref: `#/channels/${eventSubject(name)}/messages/event` }],
            'x-jetstream': { stream: EVENT_STREAM, durable },
          },
        ],
      ),
    ),
  )
