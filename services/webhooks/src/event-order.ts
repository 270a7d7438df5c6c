import { firstIdAt, type KeysetOrder } from '@causeway/chassis'

/**
 * The log of events, newest first: their ids are made of their times. A cursor from before that, which clients may
 * still hold, has the event's time ahead of its id.
 */
export const NEWEST_FIRST: KeysetOrder<Readonly<{ id: string }>> = {
  start: { id: '~' },
  write: ({ id }) => [id],
  read: (values) => {
    const id = values.at(-1)
    return id === undefined ? null : { id }
  },
}

/**
 * How far the time in an event's id may lie from its creation. Both are the same instant; older versions made the id
 * when the event was emitted, seconds after the operation had begun, by the time of their own machine.
 */
const TOLERANCE_MS = 60_000

/** Ids between which all events lie that were created from one time on and before another; they bound the index. */
export const eventIdsBetween = (sinceMs: number, untilMs: number) => ({
  fromId: firstIdAt('event', sinceMs - TOLERANCE_MS),
  beforeId: firstIdAt('event', untilMs + TOLERANCE_MS),
})
