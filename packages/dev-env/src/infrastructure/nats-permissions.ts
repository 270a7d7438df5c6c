import {
  BACKUP_USER,
  BLOB_BUCKET,
  BLOB_STREAM,
  callsOf,
  CLIENTS_CHANGED_SUBJECT,
  FEED_WAITS_END_SUBJECT,
  CONSUMERS,
  EVENT_STREAM,
  eventSubjectsOf,
  inboxPrefix,
  MARK_STREAM,
  markSubject,
  NUDGES,
  refusedReplySubject,
  RESOURCES,
  SANDBOX_CLOCK,
  SENDERS,
  SERVICES,
  type SenderName,
  type ServiceName,
  type StreamAccount,
} from '@causeway/contracts'

/** Every user of a deployment's bus: the services and the gateway. */
export const NATS_USERS = SENDERS
/** Every user where the sandbox runs: also the sandbox itself, which moves the clock of the others. */
export const SANDBOX_NATS_USERS = [...NATS_USERS, 'sandbox'] as const
export type NatsUser = (typeof SANDBOX_NATS_USERS)[number]

/** Whose password the configuration holds: every user's, and that of the users who back the streams up. */
export const PASSWORD_OWNERS = [...SANDBOX_NATS_USERS, BACKUP_USER] as const
export type PasswordOwner = (typeof PASSWORD_OWNERS)[number]

/** A process's user in its stream account; the password is the same as for requests. */
export const streamUserOf = (user: SenderName): string => `${user}-stream`

export type NatsPermissions = { publish: string[]; subscribe: string[] }

const servicePermissions = (service: ServiceName): NatsPermissions => ({
  publish: [
    ...NUDGES[service],
    refusedReplySubject('*', service),
    ...SERVICES.flatMap((receiver) => callsOf(service, receiver)).map((operation) => operation.subject),
  ],
  subscribe: [
    `${inboxPrefix(service)}.>`,
    refusedReplySubject(service, '*'),
    ...NUDGES[service],
    // "subject queue": only as a member of the service's own queue group.
    ...RESOURCES[service]
      .flatMap((resource) => Object.values(resource))
      .map((operation) => `${operation.subject} ${service}`),
  ],
})

const gatewayPermissions = (): NatsPermissions => ({
  publish: [
    ...SERVICES.flatMap((receiver) => callsOf('gateway', receiver)).map((operation) => operation.subject),
    // The gateway of 0.1.0 holds what access does, and notifies its replicas while an upgrade replaces them.
    CLIENTS_CHANGED_SUBJECT,
    FEED_WAITS_END_SUBJECT,
  ],
  subscribe: [`${inboxPrefix('gateway')}.>`, refusedReplySubject('gateway', '*'), CLIENTS_CHANGED_SUBJECT],
})

/** The sandbox moves the clock and does nothing else on the bus. */
const sandboxPermissions = (): NatsPermissions => ({
  publish: [SANDBOX_CLOCK.moved],
  subscribe: [`${inboxPrefix('sandbox')}.>`, SANDBOX_CLOCK.report],
})

const withClock = ({ publish, subscribe }: NatsPermissions): NatsPermissions => ({
  publish: [...publish, SANDBOX_CLOCK.report],
  subscribe: [...subscribe, SANDBOX_CLOCK.moved],
})

/**
 * Exactly the subjects of requests and wake-ups that a user may publish and subscribe to. Replies to received requests
 * are allowed as well.
 * @param hasSandbox whether a sandbox may move the clock over this bus
 */
export const natsPermissions = (user: NatsUser, hasSandbox: boolean): NatsPermissions => {
  if (user === 'sandbox') return sandboxPermissions()
  const own = user === 'gateway' ? gatewayPermissions() : servicePermissions(user)
  return hasSandbox ? withClock(own) : own
}

/** A subject of an account that holds a stream. `hasManyAnswers`: one request for messages is answered by a batch. */
export type StreamSubject = Readonly<{ account: StreamAccount; subject: string; hasManyAnswers?: true }>

const eventsSubject = (subject: string): StreamSubject => ({ account: 'events', subject })
const documentsSubject = (subject: string): StreamSubject => ({ account: 'documents', subject })

/**
 * A service publishes its own event types only, and reads through its own consumers, which it can neither create nor
 * change.
 */
const serviceStreamSubjects = (service: ServiceName): StreamSubject[] => [
  ...eventSubjectsOf(service).map(eventsSubject),
  eventsSubject(`$JS.API.STREAM.INFO.${EVENT_STREAM}`),
  ...Object.keys(CONSUMERS[service]).flatMap((durable) => [
    eventsSubject(`$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`),
    {
      ...eventsSubject(`$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${durable}`),
      hasManyAnswers: true as const,
    },
    eventsSubject(`$JS.ACK.${EVENT_STREAM}.${durable}.>`),
  ]),
  // Payments marks the numbers of orders that it has handed out.
  ...(service === 'payments'
    ? [eventsSubject(markSubject(service, '>')), eventsSubject(`$JS.API.STREAM.MSG.GET.${MARK_STREAM}`)]
    : []),
  // Onboarding, which knows whose the documents are, deletes their bytes.
  ...(service === 'onboarding' ? [documentsSubject(`$JS.API.STREAM.PURGE.${BLOB_STREAM}`)] : []),
]

/**
 * The gateway creates streams and consumers, purges what every consumer has acknowledged, and stores and reads the bytes
 * of documents; it reads no events.
 */
const gatewayStreamSubjects = (): StreamSubject[] => [
  ...['CREATE', 'UPDATE', 'INFO'].flatMap((act) => [
    eventsSubject(`$JS.API.STREAM.${act}.${EVENT_STREAM}`),
    eventsSubject(`$JS.API.STREAM.${act}.${MARK_STREAM}`),
    documentsSubject(`$JS.API.STREAM.${act}.${BLOB_STREAM}`),
  ]),
  eventsSubject(`$JS.API.CONSUMER.LIST.${EVENT_STREAM}`),
  eventsSubject(`$JS.API.STREAM.PURGE.${EVENT_STREAM}`),
  ...Object.values(CONSUMERS)
    .flatMap((consumers) => Object.keys(consumers))
    .flatMap((durable) => [
      eventsSubject(`$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`),
      // The client chooses the form of CREATE by the consumer's filters.
      eventsSubject(`$JS.API.CONSUMER.DURABLE.CREATE.${EVENT_STREAM}.${durable}`),
      eventsSubject(`$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}`),
      eventsSubject(`$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.>`),
    ]),
  documentsSubject(`$O.${BLOB_BUCKET}.>`),
  documentsSubject(`$JS.API.STREAM.MSG.GET.${BLOB_STREAM}`),
]

/** The stream subjects that a process may use: its own account imports each one separately. */
export const streamSubjects = (user: SenderName): StreamSubject[] =>
  user === 'gateway' ? gatewayStreamSubjects() : serviceStreamSubjects(user)

/**
 * Permissions for the backup of one stream: a snapshot that the server sends in chunks, and a restore if the stream does not
 * exist. They allow neither reading single messages, nor publishing, nor changing, purging or deleting an existing stream.
 */
export const backupPermissions = (stream: string): NatsPermissions => ({
  publish: [
    ...['INFO', 'SNAPSHOT', 'RESTORE'].map((act) => `$JS.API.STREAM.${act}.${stream}`),
    ...['ACK', 'RESTORE'].map((part) => `$JS.SNAPSHOT.${part}.${stream}.>`),
  ],
  subscribe: [`${inboxPrefix(BACKUP_USER)}.>`],
})
