import type { StreamConfig, StreamState } from '@nats-io/jetstream'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Description of a snapshot, as the `nats` command line writes it next to the data: its restore reads ours. */
export type SnapshotDescription = Readonly<{
  config: StreamConfig
  state: StreamState
  /** Between these moments the server read the stream and its consumers; ISO 8601, by the clock of the backup. */
  started_at: string
  finished_at: string
}>

export const DATA_FILE = 'stream.tar.s2'
export const DESCRIPTION_FILE = 'backup.json'

/** @throws Error when the folder holds no finished snapshot */
export const readDescription = (folder: string): SnapshotDescription => {
  try {
    return JSON.parse(readFileSync(join(folder, DESCRIPTION_FILE), 'utf8')) as SnapshotDescription
  } catch (error) {
    throw new Error(`${folder} contains no finished snapshot of a stream`, { cause: error })
  }
}
