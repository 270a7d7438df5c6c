import {
  BLOB_BUCKET,
  CLIENTS_CHANGED_SUBJECT,
  CONSUMERS,
  EVENT_STREAM,
  gatewaySubjects,
  inboxPrefix,
  NUDGES,
  RESOURCES,
  SANDBOX_CLOCK,
  SERVICE_CALLS,
  SERVICES,
  type ServiceName,
} from '@causeway/contracts'

/** Every user of a deployment's bus: the services and the gateway. */
export const NATS_USERS = [...SERVICES, 'gateway'] as const
/** Every user of the bus of a sandbox: the sandbox too, which moves the clock of the others. */
export const SANDBOX_NATS_USERS = [...NATS_USERS, 'sandbox'] as const
export type NatsUser = (typeof SANDBOX_NATS_USERS)[number]

export type NatsPermissions = { publish: string[]; subscribe: string[] }

/**
 * What a service asks of JetStream: to find or make the stream, and to read by its own consumers. The client
 * picks among the three forms of CONSUMER.CREATE by the consumer's filters.
 */
const jetStreamSubjects = (service: ServiceName): string[] => [
  '$JS.API.INFO',
  `$JS.API.STREAM.CREATE.${EVENT_STREAM}`,
  `$JS.API.STREAM.INFO.${EVENT_STREAM}`,
  ...Object.keys(CONSUMERS[service]).flatMap((durable) => [
    `$JS.API.CONSUMER.DURABLE.CREATE.${EVENT_STREAM}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.>`,
    `$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${durable}`,
    `$JS.ACK.${EVENT_STREAM}.${durable}.>`,
  ]),
]

const BLOB_STREAM = `OBJ_${BLOB_BUCKET}`

/** To find or make the object store of documents. */
const blobStoreSubjects = [
  '$JS.API.INFO',
  `$JS.API.STREAM.CREATE.${BLOB_STREAM}`,
  `$JS.API.STREAM.INFO.${BLOB_STREAM}`,
]
/** The gateway stores and reads the bytes of documents; onboarding, which knows whose they are, deletes them. */
const blobSubjects: Partial<Record<NatsUser, readonly string[]>> = {
  gateway: [...blobStoreSubjects, `$O.${BLOB_BUCKET}.>`, `$JS.API.STREAM.MSG.GET.${BLOB_STREAM}`],
  onboarding: [...blobStoreSubjects, `$JS.API.STREAM.PURGE.${BLOB_STREAM}`],
}

const servicePermissions = (service: ServiceName): NatsPermissions => ({
  publish: [
    `events.${service}.>`,
    ...NUDGES[service],
    ...SERVICE_CALLS[service].map((operation) => operation.subject),
    ...new Set([...jetStreamSubjects(service), ...(blobSubjects[service] ?? [])]),
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
  publish: [...gatewaySubjects(), CLIENTS_CHANGED_SUBJECT, ...(blobSubjects.gateway ?? [])],
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
 * Exactly the subjects that a user may publish and subscribe to. Replies to requests are allowed beside.
 * @param hasSandbox whether it is the bus of a sandbox, whose clock can be moved
 */
export const natsPermissions = (user: NatsUser, hasSandbox: boolean): NatsPermissions => {
  if (user === 'sandbox') return sandboxPermissions()
  const own = user === 'gateway' ? gatewayPermissions() : servicePermissions(user)
  return hasSandbox ? withClock(own) : own
}

/** As the configuration of nats-server takes it; the caller gives the password already quoted. */
const userBlock = (user: NatsUser, password: string, hasSandbox: boolean): string => {
  const { publish, subscribe } = natsPermissions(user, hasSandbox)
  const list = (subjects: string[]) => subjects.map((subject) => `          "${subject}"\n`).join('')
  return `    {
      user: ${user}
      password: ${password}
      permissions: {
        publish: { allow: [
${list(publish)}        ] }
        subscribe: { allow: [
${list(subscribe)}        ] }
        allow_responses: { max: 1, expires: "1m" }
      }
    }
`
}

/** The users of the platform, each with exactly its subjects. `password` answers quoted text or a variable. */
export const usersBlock = (password: (user: NatsUser) => string, hasSandbox: boolean): string =>
  (hasSandbox ? SANDBOX_NATS_USERS : NATS_USERS)
    .map((user) => userBlock(user, password(user), hasSandbox))
    .join('')

export type NatsConfigOptions = {
  /** `host:port` to listen on. */
  listen: string
  /** Where clients of monitoring connect; omitted: nowhere. */
  monitor?: string
  storeFolder: string
  /** Whether the platform's time can be moved by a sandbox; left out: it cannot. */
  hasSandbox?: boolean
  /** Passwords as they stand in the file: quoted, or a variable of the environment. */
  password: (user: NatsUser) => string
}

/** The whole configuration file of the platform's NATS server. */
export const natsConfig = (options: NatsConfigOptions): string => `server_name: causeway
listen: "${options.listen}"
${options.monitor === undefined ? '' : `http: "${options.monitor}"\n`}max_payload: 1MB
jetstream: {
  store_dir: "${options.storeFolder}"
}
authorization: {
  users: [
${usersBlock(options.password, options.hasSandbox ?? false)}  ]
}
`

/** The checked-in `deploy/nats.conf`: passwords come from the environment of the server. */
export const deploymentNatsConfig = (): string =>
  '# Generated by "pnpm generate:nats" from packages/contracts/src/topology.ts.\n' +
  natsConfig({
    listen: '0.0.0.0:4222',
    monitor: '0.0.0.0:8222',
    storeFolder: '/data',
    password: (user) => `$NATS_${user.toUpperCase()}_PASSWORD`,
  })
