import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BLOB_STREAM, EVENT_STREAM } from '@causeway/contracts'

/** Accounts that hold a stream, by its name (see nats-config.ts). */
const ACCOUNTS = { events: EVENT_STREAM, documents: BLOB_STREAM }

/**
 * Streams of a server whose users had no account lie under `$G`: they are moved to the accounts that hold them now, so
 * that an update loses no document. For a server that does not run.
 * @param storeFolder what the configuration names as `store_dir`
 */
export const moveStreamsToAccounts = (storeFolder: string): void => {
  for (const [account, stream] of Object.entries(ACCOUNTS)) {
    const at = (name: string) => join(storeFolder, 'jetstream', name, 'streams', stream)
    if (!existsSync(at('$G')) || existsSync(at(account))) continue
    mkdirSync(dirname(at(account)), { recursive: true, mode: 0o750 })
    renameSync(at('$G'), at(account))
  }
}
