import {
  BACKUP_USER,
  backupUserOf,
  BLOB_BUCKET,
  BLOB_STREAM,
  callsOf,
  CLIENTS_CHANGED_SUBJECT,
  CONSUMERS,
  EVENT_STREAM,
  eventNamesOf,
  eventSubject,
  inboxPrefix,
  NUDGES,
  RESOURCES,
  SANDBOX_CLOCK,
  SENDERS,
  SERVICES,
  STREAM_ACCOUNTS,
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
    ...SERVICES.flatMap((receiver) => callsOf(service, receiver)).map((operation) => operation.subject),
  ],
  subscribe: [
    `${inboxPrefix(service)}.>`,
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
    CLIENTS_CHANGED_SUBJECT,
  ],
  subscribe: [`${inboxPrefix('gateway')}.>`, CLIENTS_CHANGED_SUBJECT],
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
type StreamSubject = Readonly<{ account: StreamAccount; subject: string; hasManyAnswers?: true }>

const eventsSubject = (subject: string): StreamSubject => ({ account: 'events', subject })
const documentsSubject = (subject: string): StreamSubject => ({ account: 'documents', subject })

/**
 * A service publishes its own event types only, and reads through its own consumers, which it can neither create nor
 * change.
 */
const serviceStreamSubjects = (service: ServiceName): StreamSubject[] => [
  ...eventNamesOf(service).map((name) => eventsSubject(eventSubject(name))),
  eventsSubject(`$JS.API.STREAM.INFO.${EVENT_STREAM}`),
  ...Object.keys(CONSUMERS[service]).flatMap((durable) => [
    eventsSubject(`$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`),
    {
      ...eventsSubject(`$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${durable}`),
      hasManyAnswers: true as const,
    },
    eventsSubject(`$JS.ACK.${EVENT_STREAM}.${durable}.>`),
  ]),
  // Onboarding, which knows whose the documents are, deletes their bytes.
  ...(service === 'onboarding' ? [documentsSubject(`$JS.API.STREAM.PURGE.${BLOB_STREAM}`)] : []),
]

/** The gateway creates streams and consumers, and stores and reads the bytes of documents; it reads no events. */
const gatewayStreamSubjects = (): StreamSubject[] => [
  ...['CREATE', 'UPDATE', 'INFO'].flatMap((act) => [
    eventsSubject(`$JS.API.STREAM.${act}.${EVENT_STREAM}`),
    documentsSubject(`$JS.API.STREAM.${act}.${BLOB_STREAM}`),
  ]),
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

/** Who serves requests may answer each once, on the reply subject that it names. */
const MAY_ANSWER = '          allow_responses: { max: 1, expires: "1m" }\n'

/**
 * In the syntax of nats-server's configuration; the password comes quoted.
 * @param further permissions beside the subjects
 */
const userBlock = (
  user: string,
  password: string,
  { publish, subscribe }: NatsPermissions,
  further = '',
): string => {
  const list = (subjects: string[]) => subjects.map((subject) => `            "${subject}"\n`).join('')
  return `      {
        user: ${user}
        password: ${password}
        permissions: {
          publish: { allow: [
${list(publish)}          ] }
          subscribe: { allow: [
${list(subscribe)}          ] }
${further}        }
      }
`
}

const requestsAccount = (password: (user: NatsUser) => string, hasSandbox: boolean): string => `  requests: {
    users: [
${(hasSandbox ? SANDBOX_NATS_USERS : NATS_USERS)
  .map((user) => userBlock(user, password(user), natsPermissions(user, hasSandbox), MAY_ANSWER))
  .join('')}    ]
  }
`

/**
 * What a backup needs of one stream: a snapshot that the server sends in pieces, and a restore where there is no such
 * stream. It can neither read single messages, publish, nor change, empty or delete a stream that there is.
 */
export const backupPermissions = (stream: string): NatsPermissions => ({
  publish: [
    ...['INFO', 'SNAPSHOT', 'RESTORE'].map((act) => `$JS.API.STREAM.${act}.${stream}`),
    ...['ACK', 'RESTORE'].map((part) => `$JS.SNAPSHOT.${part}.${stream}.>`),
  ],
  subscribe: [`${inboxPrefix(BACKUP_USER)}.>`],
})

/**
 * An account that holds a stream. Its one user backs the stream up: the server sends a snapshot inside the stream's own
 * account only. All others reach it through the subjects that it exports.
 */
const exportingAccount = (account: StreamAccount, backupPassword: string): string => {
  const users = new Map<string, { subject: StreamSubject; accounts: string[] }>()
  for (const user of SENDERS)
    for (const subject of streamSubjects(user).filter((one) => one.account === account)) {
      const known = users.get(subject.subject) ?? { subject, accounts: [] }
      users.set(subject.subject, { subject, accounts: [...known.accounts, streamUserOf(user)] })
    }
  const exports = [...users.values()].map(
    ({ subject: { subject, hasManyAnswers }, accounts }) =>
      `      { service: "${subject}", ${hasManyAnswers ? 'response: stream, ' : ''}accounts: [${accounts.join(', ')}] }\n`,
  )
  const user = userBlock(backupUserOf(account), backupPassword, backupPermissions(STREAM_ACCOUNTS[account]))
  return `  ${account}: {
    jetstream: enabled
    users: [
${user}    ]
    exports: [
${exports.join('')}    ]
  }
`
}

/**
 * The account of one process: JetStream's answers are delivered inside it and reach nobody else, whatever reply subject
 * the request names. The server adds an import of its whole JetStream API to an account that has none, so the account
 * maps that name to an unused subject. Its user answers nobody: with `allow_responses` the server checked and noted the
 * reply subject of every message that it delivered.
 */
const streamAccount = (user: SenderName, password: string): string => {
  const subjects = streamSubjects(user)
  const imports = subjects.map(
    ({ account, subject }) => `      { service: { account: ${account}, subject: "${subject}" } }\n`,
  )
  const permissions = {
    publish: subjects.map(({ subject }) => subject),
    subscribe: [`${inboxPrefix(user)}.>`],
  }
  return `  ${streamUserOf(user)}: {
    imports: [
      { service: { account: nowhere, subject: "nowhere.>" }, to: "$JS.API.>" }
${imports.join('')}    ]
    users: [
${userBlock(streamUserOf(user), password, permissions)}    ]
  }
`
}

/** The accounts of the platform. `password` returns quoted text or a variable. */
const accounts = (password: (user: PasswordOwner) => string, hasSandbox: boolean): string =>
  [
    requestsAccount(password, hasSandbox),
    exportingAccount('events', password(BACKUP_USER)),
    exportingAccount('documents', password(BACKUP_USER)),
    '  nowhere: { exports: [{ service: "nowhere.>" }] }\n',
    ...SENDERS.map((user) => streamAccount(user, password(user))),
  ].join('')

export type NatsConfigOptions = {
  /** `host:port` to listen on. */
  listen: string
  /** `host:port` of the monitoring endpoint; omitted: none. */
  monitor?: string
  storeFolder: string
  /** Default `causeway`; each server of a cluster has its own. */
  serverName?: string
  /** The servers that hold the streams together; omitted: this one alone. */
  cluster?: Readonly<{ listen: string; routes: readonly string[]; password: string }>
  /** Whether a sandbox may move the platform's clock. Default false. */
  hasSandbox?: boolean
  /** Passwords as written into the file: quoted, or an environment variable. */
  password: (user: PasswordOwner) => string
}

/**
 * How long a new connection may take to say who it is: as long as a process tries to connect. With the server's own two
 * seconds a machine on which many processes start at once refuses those that are slow, and they begin again.
 */
const AUTHORIZATION_TIMEOUT_S = 20

const clusterBlock = ({ listen, routes, password }: NonNullable<NatsConfigOptions['cluster']>): string =>
  `cluster: {
  name: causeway
  listen: "${listen}"
  authorization: { user: route, password: "${password}", timeout: ${AUTHORIZATION_TIMEOUT_S} }
  routes: [
${routes.map((route) => `    "nats-route://route:${password}@${route}"\n`).join('')}  ]
}
`

/** The whole configuration file of the platform's NATS server. */
export const natsConfig = (
  options: NatsConfigOptions,
): string => `server_name: ${options.serverName ?? 'causeway'}
listen: "${options.listen}"
${options.monitor === undefined ? '' : `http: "${options.monitor}"\n`}max_payload: 1MB
${options.cluster === undefined ? '' : clusterBlock(options.cluster)}jetstream: {
  store_dir: "${options.storeFolder}"
}
authorization: { timeout: ${AUTHORIZATION_TIMEOUT_S} }
accounts: {
${accounts(options.password, options.hasSandbox ?? false)}}
`

/** The checked-in `deploy/nats.conf`: the server reads passwords from its environment. */
export const deploymentNatsConfig = (): string =>
  '# Generated by "pnpm generate:nats" from packages/contracts/src/topology.ts.\n' +
  natsConfig({
    listen: '0.0.0.0:4222',
    monitor: '0.0.0.0:8222',
    storeFolder: '/data',
    password: (user) => `$NATS_${user.toUpperCase()}_PASSWORD`,
  })
