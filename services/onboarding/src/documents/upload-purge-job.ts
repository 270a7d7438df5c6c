import { startLoop, type Blobs, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { UPLOAD_TTL_MS } from './domain.ts'
import * as store from './upload-store.ts'

const BATCH = 50
const EVERY_MS = 30_000

type SweepParts = Readonly<{ db: Db; blobs: Pick<Blobs, 'remove'>; clock: Clock }>

/**
 * Deletes the bytes of uploads that broke off without anyone to say so, and once more those of uploads that were given
 * up: a piece that was still on its way then has arrived by now. @returns whether there may be more
 */
export const sweepUploads = async ({ db, blobs, clock }: SweepParts): Promise<boolean> => {
  const before = new Date(clock.nowMs() - UPLOAD_TTL_MS)
  const given = await db.query(store.giveUpOld, [before, BATCH])
  for (const { blob_key: key } of given) {
    await blobs.remove(key)
    await db.query(store.forget, [[key]])
  }
  return given.length === BATCH
}

/** Sweeps now and then; what cannot be deleted is tried again. */
export const startUploadSweep = (parts: SweepParts & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'upload-sweep',
    everyMs: EVERY_MS,
    restMs: 0,
    log: parts.log,
    run: async (signal) => {
      while (!signal.aborted && (await sweepUploads(parts)));
    },
  })
