import {
  BACKUP_USER,
  backupUserOf,
  inboxPrefix,
  SENDERS,
  STREAM_ACCOUNTS,
  type SenderName,
  type StreamAccount,
} from '@causeway/contracts'
import {
  NATS_USERS,
  SANDBOX_NATS_USERS,
  streamUserOf,
  natsPermissions,
  streamSubjects,
  backupPermissions,
  type NatsUser,
  type PasswordOwner,
  type NatsPermissions,
  type StreamSubject,
} from './nats-permissions.ts'

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
    monitor: '127.0.0.1:8222',
    storeFolder: '/data',
    password: (user) => `$NATS_${user.toUpperCase()}_PASSWORD`,
  })
