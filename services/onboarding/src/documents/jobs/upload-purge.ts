import { startLoop, type Blobs, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { UPLOAD_TTL_MS } from '../domain.ts'
import * as store from '../upload-store.ts'

const BATCH = 50
const EVERY_MS = 30_000

type Dependencies = Readonly<{ db: Db; blobs: Pick<Blobs, 'remove'>; clock: Clock }>

/**
 * Deletes the bytes of uploads that were never finished, and once more those of uploads that were discarded: a piece
 * that was still on its way then has arrived by now. @returns whether there may be more
 */
export const purgeUploads = async ({ db, blobs, clock }: Dependencies): Promise<boolean> => {
  const startedBefore = new Date(clock.nowMs() - UPLOAD_TTL_MS)
  const marked = await store.markOldForDeletion(db, { startedBefore, limit: BATCH })
  for (const { blobKey } of marked) {
    await blobs.remove(blobKey)
    await store.deleteUpload(db, { blobKey })
  }
  return marked.length === BATCH
}

/** Purges every 30 seconds; what cannot be deleted is tried again. */
export const startUploadPurge = (dependencies: Dependencies & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'upload-purge',
    everyMs: EVERY_MS,
    restMs: 0,
    log: dependencies.log,
    run: () => purgeUploads(dependencies),
  })
