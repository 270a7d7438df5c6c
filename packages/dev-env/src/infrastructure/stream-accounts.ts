import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { STREAM_ACCOUNTS } from '@causeway/contracts'

/**
 * Moves streams from the default account `$G`, where earlier versions kept them, to their present accounts, so that an
 * update loses no document. The server must be stopped.
 * @param storeFolder the configuration's `store_dir`
 */
export const moveStreamsToAccounts = (storeFolder: string): void => {
  for (const [account, stream] of Object.entries(STREAM_ACCOUNTS)) {
    const at = (name: string) => join(storeFolder, 'jetstream', name, 'streams', stream)
    if (!existsSync(at('$G')) || existsSync(at(account))) continue
    mkdirSync(dirname(at(account)), { recursive: true, mode: 0o750 })
    renameSync(at('$G'), at(account))
  }
}
