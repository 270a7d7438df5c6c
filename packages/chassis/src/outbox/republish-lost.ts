import { readEventStream, type EventStream } from '../bus/stream.ts'
import type { Logger } from '../log.ts'
import { publishedText, type RelayContext } from './publish.ts'
import * as store from './store.ts'

type Known = Readonly<{ streamId: string | null; streamCreated: string | null }>

/** Checks whether the stream is the one that acknowledged. Until both have an id, as after an upgrade, compares their creation dates. */
const isSame = ({ streamId, streamCreated }: Known, { id, created }: EventStream): boolean =>
  streamId === null || id === null ? streamCreated === created : streamId === id

/** Well within the time in which the stream recognises duplicates (2 min). */
const RECENT_MS = 60_000

/**
 * Checks whether the stream still has the last event that it acknowledged in the last minutes: when it is published again, it
 * is acknowledged with its former sequence. After a loss, events of other services can hide the gap from a comparison of
 * sequences.
 */
const hasLast = async ({ service, db, bus, clock }: RelayContext): Promise<boolean> => {
  const last = await store.readLastPublished(db, { since: new Date(clock.nowMs() - RECENT_MS) })
  if (last === null) return true
  const { subject, eventId, traceparent, lastStreamSeq } = last
  const text = publishedText(last)
  return (await bus.publishEvent(`events.${service}.${subject}`, text, eventId, traceparent)) <= lastStreamSeq
}

/**
 * Compares the stream with what it has acknowledged. A stream that was created anew, that ends before the last
 * acknowledged sequence, or that has another event there, has lost events: they are published again. Consumers remove
 * the duplicates.
 */
export const republishLost = async (context: RelayContext, log: Logger): Promise<void> => {
  const { db, bus } = context
  const stream = await readEventStream(bus)
  const identity = { streamId: stream.id, streamCreated: stream.created }
  const progress = await store.readProgress(db)
  if (progress === null || progress.streamCreated === null) return store.rememberStream(db, identity)
  const isNew = !isSame(progress, stream)
  const isLonger = stream.lastSeq >= progress.streamSeq
  if (!isNew && isLonger && (await hasLast(context))) {
    if (progress.streamId !== stream.id) await store.rememberStream(db, identity)
    return
  }
  // Where others have published meanwhile, nothing tells how much was lost.
  const lastSeq = isNew || isLonger ? 0 : stream.lastSeq
  const lost = await store.republishAfterLoss(db, { ...identity, lastSeq })
  log.warn(
    { event: 'outbox.republishing_lost', events: lost.length, streamIsNew: isNew },
    'The stream has lost events; they are republished',
  )
}
