import { readEventStream } from '../bus/stream.ts'
import type { Logger } from '../log.ts'
import type { RelayContext } from './publish.ts'
import * as store from './store.ts'

/**
 * Compares the stream with what it has acknowledged. A stream that was created anew, or that ends before the last
 * acknowledged sequence, has lost events: they are published again. Consumers remove the duplicates.
 */
export const republishLost = async ({ db, bus }: RelayContext, log: Logger): Promise<void> => {
  const stream = await readEventStream(bus)
  const progress = await store.readProgress(db)
  if (progress === null || progress.streamCreated === null)
    return store.rememberStream(db, { streamCreated: stream.created })
  const isNew = progress.streamCreated !== stream.created
  if (!isNew && stream.lastSeq >= progress.streamSeq) return
  const lost = await store.republishAfterLoss(db, {
    streamCreated: stream.created,
    lastSeq: isNew ? 0 : stream.lastSeq,
  })
  log.warn(
    { event: 'outbox.republishing_lost', events: lost.length, streamIsNew: isNew },
    'The stream has lost events; they are published again',
  )
}
