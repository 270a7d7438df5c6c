import { readEventStream } from '../bus/stream.ts'
import type { Logger } from '../log.ts'
import type { RelayParts } from './publish.ts'
import * as store from './store.ts'

/**
 * Compares the stream with what was acknowledged by it. A stream that was made anew, or that ends before the last
 * acknowledged sequence, has lost events: those count as unpublished again. Consumers remove the duplicates.
 */
export const healAfterLoss = async ({ db, bus }: RelayParts, log: Logger): Promise<void> => {
  const stream = await readEventStream(bus)
  const [progress] = await db.query(store.readProgress)
  if (progress === undefined || progress.stream_created === null) {
    await db.query(store.rememberStream, [stream.created])
    return
  }
  const isNew = progress.stream_created !== stream.created
  if (!isNew && stream.lastSeq >= progress.stream_seq) return
  const again = await db.query(store.republishAfterLoss, [stream.created, isNew ? 0 : stream.lastSeq])
  log.warn({ events: again.length }, 'The stream had lost events; they are published again')
}
