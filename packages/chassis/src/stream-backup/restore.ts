import type { StreamState } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { askApi } from './api.ts'
import { DATA_FILE, readDescription } from './files.ts'

/** Below `max_payload`. */
const PIECE_BYTES = 256 * 1_024
const PIECE_TIMEOUT_MS = 60_000
/** After the last piece the server builds the stream. */
const END_TIMEOUT_MS = 10 * 60_000

/**
 * Restores a stream and its consumers' positions from a snapshot's folder, where the server has no such stream.
 *
 * @returns what it has: what the snapshot says, and messages that were stored between the server's word and its reading
 * @throws Error when there is such a stream, or it has less than the snapshot says
 */
export const restoreSnapshot = async (connection: NatsConnection, folder: string): Promise<StreamState> => {
  const { config, state } = readDescription(folder)
  const { deliver_subject: subject } = await askApi<{ deliver_subject: string }>(
    connection,
    `$JS.API.STREAM.RESTORE.${config.name}`,
    JSON.stringify({ config, state }),
    PIECE_TIMEOUT_MS,
  )
  for await (const piece of createReadStream(join(folder, DATA_FILE), { highWaterMark: PIECE_BYTES }))
    await askApi(connection, subject, piece as Buffer, PIECE_TIMEOUT_MS)
  const { state: restored } = await askApi<{ state: StreamState }>(connection, subject, '', END_TIMEOUT_MS)
  if (restored.messages < state.messages || restored.last_seq < state.last_seq)
    throw new Error(
      `${config.name} has ${restored.messages} messages up to ${restored.last_seq} after the restore; ` +
        `its snapshot has ${state.messages} messages up to ${state.last_seq}`,
    )
  return restored
}
