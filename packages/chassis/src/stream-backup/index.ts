import type { StreamState } from '@nats-io/jetstream'
import { STREAM_ACCOUNTS, type StreamAccount } from '@causeway/contracts'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { withAccount, type BackupServer } from './connection.ts'
import { readDescription, type SnapshotDescription } from './files.ts'
import { restoreSnapshot } from './restore.ts'
import { takeSnapshot } from './snapshot.ts'

export type { BackupServer } from './connection.ts'

const folderOf = (folder: string, account: StreamAccount) => join(folder, STREAM_ACCOUNTS[account])

/** Writes a snapshot of one account's stream into `folder`, under the stream's name. */
export const backUpStream = (
  server: BackupServer,
  account: StreamAccount,
  folder: string,
  clock: Clock,
): Promise<SnapshotDescription> =>
  withAccount(server, account, (connection) =>
    takeSnapshot(connection, STREAM_ACCOUNTS[account], folderOf(folder, account), clock),
  )

/**
 * Restores the stream of one account from `folder`, where the server has none.
 *
 * @param until the moment to which the databases were restored. Events from after it are of orders that the databases
 *   do not have, and consumers would have passed over events that their databases lack; documents from after it are
 *   left over, and harmless.
 * @throws Error for a snapshot of events that ended after `until`
 */
export const restoreStream = async (
  server: BackupServer,
  account: StreamAccount,
  folder: string,
  until: Date,
): Promise<StreamState> => {
  const { finished_at: finishedAt } = readDescription(folderOf(folder, account))
  if (account === 'events' && new Date(finishedAt) > until)
    throw new Error(
      `The snapshot of ${STREAM_ACCOUNTS.events} was finished at ${finishedAt}, later than ${until.toISOString()}: ` +
        'restore an earlier one, or leave the stream out so that the outboxes refill it',
    )
  return withAccount(server, account, (connection) => restoreSnapshot(connection, folderOf(folder, account)))
}
