import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BLOB_STREAM, EVENT_STREAM } from '@causeway/contracts'

/** Accounts that hold a stream, by its name (see nats-config.ts). */
const ACCOUNTS = { events: EVENT_STREAM, documents: BLOB_STREAM }

/**
 * Moves streams from the default account `$G`, where earlier versions kept them, to their present accounts, so that an
 * update loses no document. The server must be stopped.
 * @param storeFolder the configuration's `store_dir`
 */
export const moveStreamsToAccounts = (storeFolder: string): void => {
  for (const [account, stream] of Object.entries(ACCOUNTS)) {
    const at = (name: string) => join(storeFolder, 'jetstream', name, 'streams', stream)
    if (!existsSync(at('$G')) || existsSync(at(account))) continue
    mkdirSync(dirname(at(account)), { recursive: true, mode: 0o750 })
    renameSync(at('$G'), at(account))
  }
}
