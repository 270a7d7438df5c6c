import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { deleteOldParts } from '../store.ts'

/** An upload and its import take a minute or two. */
const KEPT_MS = 3_600_000
const EVERY_MS = 60_000
const BATCH = 100

type Dependencies = Readonly<{ db: Db; clock: Pick<Clock, 'nowMs'>; log: Logger }>

/** Deletes files that were not imported: the upload was cut off, or the file was refused. Replicas may run it simultaneously. */
export const startFilePurge = ({ db, clock, log }: Dependencies): Loop =>
  startLoop({
    name: 'purge-import-files',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    async run() {
      const storedBefore = new Date(clock.nowMs() - KEPT_MS)
      return (await deleteOldParts(db, { storedBefore, limit: BATCH })).length === BATCH
    },
  })
