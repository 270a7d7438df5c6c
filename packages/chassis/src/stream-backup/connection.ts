import { BACKUP_USER, backupUserOf, inboxPrefix, type StreamAccount } from '@causeway/contracts'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { serverAddress, userOf, type BusTls } from '../bus/server-address.ts'

/** `url`: with the user `backup` and its password; another user is taken as it is, for a server without our accounts. */
export type BackupServer = Readonly<{ url: string; tls?: BusTls }>

/** Runs work on a connection to the account of one stream. */
export const withAccount = async <T>(
  { url, tls }: BackupServer,
  account: StreamAccount,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> => {
  const user = userOf(url) === BACKUP_USER ? backupUserOf(account) : undefined
  const { label, ...address } = serverAddress(url, tls, user)
  const connection = await connect({
    ...address,
    inboxPrefix: inboxPrefix(BACKUP_USER),
    reconnect: false,
  }).catch((error: unknown) => {
    throw new Error(`NATS_URL: cannot connect to ${label}: ${String(error)}`, { cause: error })
  })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
