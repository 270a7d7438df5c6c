import { BLOB_BUCKET } from '@causeway/contracts'
import { StorageType, type JetStreamManager, type NextMsgRequest } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { Objm } from '@nats-io/obj'
import { createHash } from 'node:crypto'
import type { BlobGround, BlobStore, Pieces } from './store.ts'

const STREAM = `OBJ_${BLOB_BUCKET}`

const chunkSubject = (key: string) => `$O.${BLOB_BUCKET}.C.${key}`
/** base64url with its padding, as the format has it. */
const padded = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
const metaSubject = (key: string) => `$O.${BLOB_BUCKET}.M.${padded(Buffer.from(key))}`

/** What the object store's format says of an object (NATS ADR-20). */
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
const readChunks = async function* (manager: JetStreamManager, info: ObjectInfo): Pieces {
  let nextSeq = 1
  for (let read = 0; read < info.chunks; read += 1) {
    const next: NextMsgRequest & { seq: number } = { seq: nextSeq, next_by_subj: chunkSubject(info.nuid) }
    const chunk = await manager.streams.getMessage(STREAM, next)
    if (chunk === null) throw new Error(`A blob lacks ${info.chunks - read} of its chunks`)
    nextSeq = chunk.seq + 1
    yield chunk.data
  }
}

/**
 * Blobs in a JetStream object store, in its own format (NATS ADR-20), so that any of its clients can read them. Chunks
 * lie under the key itself instead of a name that the client makes up at the put: a put whose process was killed can be
 * deleted by whoever knows the key.
 */
export const openJetStreamStore = async (ground: BlobGround): Promise<BlobStore> => {
  const { bus } = ground
  const ensure = async () => {
    await new Objm(bus.jetstream).create(BLOB_BUCKET, { storage: StorageType.File })
  }
  await ensure()
  const manager = await bus.jetstreamManager()
  const state = { isKnown: true }
  // A server that comes back may have come back without its data.
  bus.onReconnected(() => {
    state.isKnown = false
  })
  const whenThere = async () => {
    if (state.isKnown) return
    await ensure()
    state.isKnown = true
  }

  return {
    async put(key, pieces) {
      await whenThere()
      const info = await putChunks(ground, key, pieces)
      const rollup = headers()
      rollup.set('Nats-Rollup', 'sub')
      await bus.jetstream.publish(metaSubject(key), JSON.stringify(info), { headers: rollup })
    },
    async get(key) {
      await whenThere()
      const meta = await manager.streams.getMessage(STREAM, { last_by_subj: metaSubject(key) })
      return meta === null ? null : readChunks(manager, meta.json<ObjectInfo>())
    },
    async remove(key) {
      await whenThere()
      await manager.streams.purge(STREAM, { filter: metaSubject(key) })
      await manager.streams.purge(STREAM, { filter: chunkSubject(key) })
    },
  }
}
