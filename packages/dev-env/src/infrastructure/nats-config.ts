import {
  alternateUserOf,
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
 * Renders a user in the syntax of nats-server's configuration; the password is quoted already.
 * @param further permissions in addition to the subjects
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

/** A user, and where it has one its alternate, which may do the same. */
const userBlocks = (
  owner: NatsUser,
  { password, alternatePassword }: Passwords,
  block: (nameOf: (user: string) => string, password: string) => string,
): string =>
  block((user) => user, password(owner)) +
  (alternatePassword === undefined ? '' : block(alternateUserOf, alternatePassword(owner)))

const requestsAccount = (passwords: Passwords, hasSandbox: boolean): string => `  requests: {
    users: [
${(hasSandbox ? SANDBOX_NATS_USERS : NATS_USERS)
  .map((user) =>
    userBlocks(user, passwords, (nameOf, password) =>
      userBlock(nameOf(user), password, natsPermissions(user, hasSandbox), MAY_ANSWER),
    ),
  )
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
const streamAccount = (user: SenderName, passwords: Passwords): string => {
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
${userBlocks(user, passwords, (nameOf, password) => userBlock(nameOf(streamUserOf(user)), password, permissions))}    ]
  }
`
}

/** The accounts of the platform. */
const accounts = (passwords: Passwords, hasSandbox: boolean): string =>
  [
    requestsAccount(passwords, hasSandbox),
    exportingAccount('events', passwords.password(BACKUP_USER)),
    exportingAccount('documents', passwords.password(BACKUP_USER)),
    '  nowhere: { exports: [{ service: "nowhere.>" }] }\n',
    ...SENDERS.map((user) => streamAccount(user, passwords)),
  ].join('')

type Passwords = {
  /** As written into the file: quoted, or a variable. */
  password: (user: PasswordOwner) => string
  /** Password of the second user of each process, used while that of the first is rotated; omitted: no second user. */
  alternatePassword?: (user: NatsUser) => string
}

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
  /** Allows a sandbox to move the platform's clock. Default false. */
  hasSandbox?: boolean
} & Passwords

/**
 * Timeout for the authentication of a new connection: as long as a process tries to connect. With the server's default of
 * two seconds, a machine on which many processes start at the same time refuses slow ones, which then retry.
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
${accounts(options, options.hasSandbox ?? false)}}
`

/** The checked-in `deploy/nats.conf`: passwords are variables, which `deploy/nats-entrypoint.sh` sets. */
export const deploymentNatsConfig = (): string =>
  '# Generated by "pnpm generate:nats" from packages/contracts/src/topology.ts.\n' +
  natsConfig({
    listen: '0.0.0.0:4222',
    monitor: '127.0.0.1:8222',
    storeFolder: '/data',
    password: (user) => `$NATS_${user.toUpperCase()}_PASSWORD`,
    alternatePassword: (user) => `$NATS_${user.toUpperCase()}_PASSWORD_B`,
  })
