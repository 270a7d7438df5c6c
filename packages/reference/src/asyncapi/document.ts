import {
  API_VERSION,
  CLIENTS_CHANGED_SUBJECT,
  FEED_WAITS_END_SUBJECT,
  EVENT_NAMES,
  EVENT_RETENTION_MS,
  NUDGES,
  SENDERS,
  SERVICES,
  emittedSubject,
  emittersOf,
  markSubject,
  type SenderName,
} from '@causeway/contracts'
import { createSchemas } from '../json-schema.ts'
import { consumeOperations, emitOperation, eventChannel } from './events.ts'
import type { Json } from './json.ts'
import { REFUSAL, replyChannel, requestChannel, requestOperation, servedOperations } from './requests.ts'

const DAY_MS = 24 * 3_600_000

const DESCRIPTION = `The messages between the services over NATS. Integrators do not need them: they use the HTTP API.

**Requests** are core NATS messages, with one queue group per service. A request is a line \`<sender> <deadline> <nonce> <MAC>\`, its seal (ADR 0031), a line feed, and the JSON of the channel. A service drops a message without a reply if its seal is invalid, its deadline has passed, or it is a repetition.

**Replies** go to the inbox of the request, \`_INBOX_<sender>.…\`: \`+\`, an optional head in JSON (\`variant\`, \`requestId\` of a replay, \`before\` for the audit log), a line feed, and the reply’s JSON; or \`-\` and the refusal’s JSON.

**Events** are on the JetStream stream \`EVENTS\` for ${EVENT_RETENTION_MS / DAY_MS} days. \`Nats-Msg-Id\` is the event’s id. Only the service in the subject may publish there. A consumer can receive an event more than once, and ignores unknown fields.

**Nudges** are empty core NATS messages: replicas of a service notify each other to check the database immediately. A lost nudge causes a delay, but no loss.

**Marks** are on the JetStream stream \`MARKS\`: the highest number that payments may have allocated, stored outside its database (ADR 0072).`

const OF_GATEWAY: readonly string[] = [CLIENTS_CHANGED_SUBJECT, FEED_WAITS_END_SUBJECT]

/** Nudges with the services that send and receive them. */
const nudges: readonly Readonly<{ services: readonly SenderName[]; subject: string }>[] = SERVICES.flatMap(
  (service) =>
    NUDGES[service].map((subject) => ({
      services: OF_GATEWAY.includes(subject) ? [service, 'gateway' as const] : [service],
      subject,
    })),
)

/** Events with each service that may emit them. */
const emitted = EVENT_NAMES.flatMap((name) =>
  emittersOf(name).map((service) => ({ name, service, subject: emittedSubject(service, name) })),
)

const nudgeChannel = (subject: string): Json => ({
  address: subject,
  messages: { nudge: { name: subject, summary: 'Check the database now', payload: { type: 'null' } } },
})

const coreOperation = (
  action: 'send' | 'receive',
  services: readonly SenderName[],
  subject: string,
): Json => ({
  action,
  channel: { $ref: `#/channels/${subject}` },
  tags: services.map((name) => ({ name })),
})

const MARKS = markSubject('payments', '>')
const markChannel: Json = {
  address: MARKS,
  messages: {
    mark: {
      name: MARKS,
      summary: 'The highest number that may have been allocated',
      payload: { type: 'integer' },
    },
  },
}

/** The AsyncAPI 3 document of the bus: every service's requests and events, from the contracts. */
export const describeBus = (): Json => {
  const schemas = createSchemas()
  const served = servedOperations()
  return schemas.finish({
    asyncapi: '3.0.0',
    info: {
      title: 'Causeway bus',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: SENDERS.map((name) => ({ name })),
    },
    defaultContentType: 'application/json',
    servers: {
      nats: {
        host: '127.0.0.1:4222',
        protocol: 'nats',
        description:
          'The setting NATS_URL. Each service has a separate user, which may use only its subjects.',
      },
    },
    channels: {
      ...Object.fromEntries(served.map((each) => [each.operation.subject, requestChannel(schemas, each)])),
      ...Object.fromEntries(served.map((each) => replyChannel(schemas, each))),
      ...Object.fromEntries(
        emitted.map(({ name, service, subject }) => [subject, eventChannel(schemas, name, service)]),
      ),
      ...Object.fromEntries(nudges.map(({ subject }) => [subject, nudgeChannel(subject)])),
      [MARKS]: markChannel,
    },
    operations: {
      ...Object.fromEntries(served.map((each) => [each.operation.subject, requestOperation(each)])),
      ...Object.fromEntries(
        emitted.map(({ name, service, subject }) => [subject, emitOperation(name, service)]),
      ),
      ...consumeOperations(),
      ...Object.fromEntries(
        nudges.flatMap(({ services, subject }) => [
          [`${subject}.send`, coreOperation('send', services, subject)],
          [`${subject}.receive`, coreOperation('receive', services, subject)],
        ]),
      ),
      [`${MARKS}.send`]: coreOperation('send', ['payments'], MARKS),
    },
    components: { schemas: { Refusal: REFUSAL } },
  })
}

/** The document with a line for each channel, operation and type: small, and readable as a difference. */
export const renderBus = (): string => {
  const line = ([name, value]: readonly [string, unknown]) =>
    `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`
  const members = (object: unknown) =>
    Object.entries(object as Json)
      .map(line)
      .join(',\n')
  const { channels, operations, components, ...head } = describeBus()
  const { schemas } = components as Json
  return `{
${Object.entries(head)
  .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`)
  .join('\n')}
  "channels": {
${members(channels)}
  },
  "operations": {
${members(operations)}
  },
  "components": {"schemas": {
${members(schemas)}
  }}
}
`
}
