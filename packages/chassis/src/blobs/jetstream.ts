import { BLOB_BUCKET, BLOB_STREAM } from '@causeway/contracts'
import type { NextMsgRequest } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { createHash } from 'node:crypto'
import type { BlobGround, BlobStore, Pieces } from './store.ts'

const chunkSubject = (key: string) => `$O.${BLOB_BUCKET}.C.${key}`
/** base64url with padding, as the format wants it. */
const padded = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
const metaSubject = (key: string) => `$O.${BLOB_BUCKET}.M.${padded(Buffer.from(key))}`

/** Description of an object in the object store's format (NATS ADR-20). */
type ObjectInfo = {
  name: string
  bucket: string
  nuid: string
  size: number
  chunks: number
  digest: string
  mtime: string
}

const putChunks = async ({ bus, clock }: BlobGround, key: string, pieces: Pieces): Promise<ObjectInfo> => {
  const hash = createHash('sha256')
  const info = { name: key, bucket: BLOB_BUCKET, nuid: key, size: 0, chunks: 0 }
  for await (const piece of pieces) {
    await bus.jetstream.publish(chunkSubject(key), piece)
    hash.update(piece)
    info.size += piece.length
    info.chunks += 1
  }
  const digest = `SHA-256=${padded(hash.digest())}`
  return { ...info, digest, mtime: clock.now().toISOString() }
}

/** Reads one message after the other, so that no more than one is in memory. */
const readChunks = async function* ({ bus }: BlobGround, info: ObjectInfo): Pieces {
  let nextSeq = 1
  for (let read = 0; read < info.chunks; read += 1) {
    const next: NextMsgRequest & { seq: number } = { seq: nextSeq, next_by_subj: chunkSubject(info.nuid) }
    const { streams } = await bus.jetstreamManager()
    const chunk = await streams.getMessage(BLOB_STREAM, next)
    if (chunk === null) throw new Error(`${info.chunks - read} chunks of a blob are missing`)
    nextSeq = chunk.seq + 1
    yield chunk.data
  }
}

/**
 * Blobs in a JetStream object store, in its own format (NATS ADR-20), so that any of its clients can read them. Chunks
 * are stored under the key itself instead of a name that the client generates at the put, so that
 * the owner of the key can delete a put whose process was killed. The gateway creates the stream behind it (see `startStreamKeeper`).
 */
export const openJetStreamStore = (context: BlobGround): BlobStore => {
  const { bus } = context
  return {
    async put(key, pieces) {
      const info = await putChunks(context, key, pieces)
      const rollup = headers()
      rollup.set('Nats-Rollup', 'sub')
      await bus.jetstream.publish(metaSubject(key), JSON.stringify(info), { headers: rollup })
    },
    async get(key) {
      const { streams } = await bus.jetstreamManager()
      const meta = await streams.getMessage(BLOB_STREAM, { last_by_subj: metaSubject(key) })
      return meta === null ? null : readChunks(context, meta.json<ObjectInfo>())
    },
    async remove(key) {
      const { streams } = await bus.jetstreamManager()
      await streams.purge(BLOB_STREAM, { filter: metaSubject(key) })
      await streams.purge(BLOB_STREAM, { filter: chunkSubject(key) })
    },
  }
}
