import type { StreamConfig, StreamState } from '@nats-io/jetstream'
import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { BACKUP_USER, inboxPrefix } from '@causeway/contracts'
import { mkdir, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { askApi } from './api.ts'
import { DATA_FILE, DESCRIPTION_FILE, type SnapshotDescription } from './files.ts'

const ANSWER_TIMEOUT_MS = 60_000
/** The server gives up a receiver after a few seconds; a receiver gives up a server after this. */
const PIECE_TIMEOUT_MS = 30_000

/** The server's last message is empty and asks for no acknowledgement; its status says whether it sent everything. */
const isLast = (piece: Msg): boolean => piece.data.length === 0 && !piece.reply

const assertComplete = ({ headers }: Msg): void => {
  if (headers && headers.code >= 300)
    throw new Error(`NATS aborted the snapshot: ${headers.code} ${headers.description}`)
}

/** Writes the pieces in order. Each is acknowledged once it is written, so that the server sends no faster. */
const receive = async (pieces: Subscription, file: FileHandle): Promise<void> => {
  const silence = () => setTimeout(() => pieces.unsubscribe(), PIECE_TIMEOUT_MS)
  let timer = silence()
  try {
    for await (const piece of pieces) {
      clearTimeout(timer)
      if (isLast(piece)) {
        assertComplete(piece)
        return
      }
      await file.write(piece.data)
      if (piece.reply) piece.respond()
      timer = silence()
    }
  } finally {
    clearTimeout(timer)
  }
  throw new Error(`NATS sent nothing for ${PIECE_TIMEOUT_MS / 1_000} s: the snapshot is incomplete`)
}

const download = async (connection: NatsConnection, stream: string, file: FileHandle, clock: Clock) => {
  const inbox = createInbox(inboxPrefix(BACKUP_USER))
  const pieces = connection.subscribe(inbox)
  const startedAt = clock.now().toISOString()
  const { config, state } = await askApi<{ config: StreamConfig; state: StreamState }>(
    connection,
    `$JS.API.STREAM.SNAPSHOT.${stream}`,
    JSON.stringify({ deliver_subject: inbox, jsck: true }),
    ANSWER_TIMEOUT_MS,
  )
  await receive(pieces, file)
  pieces.unsubscribe()
  return { config, state, started_at: startedAt, finished_at: clock.now().toISOString() }
}

/**
 * Writes a snapshot of a stream and of its consumers' positions into a new folder, whose name appears only when
 * everything is on the disk.
 *
 * @throws Error when the folder exists, the server ends the snapshot early or falls silent
 */
export const takeSnapshot = async (
  connection: NatsConnection,
  stream: string,
  folder: string,
  clock: Clock,
): Promise<SnapshotDescription> => {
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })
  const file = await open(join(partial, DATA_FILE), 'w', 0o600)
  try {
    const description = await download(connection, stream, file, clock)
    await file.sync()
    await writeFile(join(partial, DESCRIPTION_FILE), `${JSON.stringify(description)}\n`, { mode: 0o600 })
    await rename(partial, folder)
    return description
  } finally {
    await file.close()
  }
}
