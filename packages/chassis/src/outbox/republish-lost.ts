import { readEventStream, type EventStream } from '../bus/stream.ts'
import type { Logger } from '../log.ts'
import type { RelayContext } from './publish.ts'
import * as store from './store.ts'

type Known = Readonly<{ streamId: string | null; streamCreated: string | null }>

/** Whether the stream is the one that acknowledged. Until both have an id, as after an update, its creation date tells. */
const isSame = ({ streamId, streamCreated }: Known, { id, created }: EventStream): boolean =>
  streamId === null || id === null ? streamCreated === created : streamId === id

/**
 * Compares the stream with what it has acknowledged. A stream that was created anew, or that ends before the last
 * acknowledged sequence, has lost events: they are published again. Consumers remove the duplicates.
 */
export const republishLost = async ({ db, bus }: RelayContext, log: Logger): Promise<void> => {
  const stream = await readEventStream(bus)
  const identity = { streamId: stream.id, streamCreated: stream.created }
  const progress = await store.readProgress(db)
  if (progress === null || progress.streamCreated === null) return store.rememberStream(db, identity)
  const isNew = !isSame(progress, stream)
  if (!isNew && stream.lastSeq >= progress.streamSeq) {
    if (progress.streamId !== stream.id) await store.rememberStream(db, identity)
    return
  }
  const lastSeq = isNew ? 0 : stream.lastSeq
  const lost = await store.republishAfterLoss(db, { ...identity, lastSeq })
  log.warn(
    { event: 'outbox.republishing_lost', events: lost.length, streamIsNew: isNew },
    'The stream has lost events; they are published again',
  )
}
