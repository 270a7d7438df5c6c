import { consume, metrics, type KeylessServiceContext, type Received } from '@causeway/chassis'
import { factsOfEvent } from '@causeway/contracts'
import { postReceived, readFact, type ReceivedFact } from '../posting/post-facts.ts'
import { isContradiction } from '../posting/store.ts'

/** A batch is posted in one statement; the events that arrive meanwhile form the next batch. */
const BATCH = 256

const lag = metrics.seconds(
  'causeway_ledger_posting_lag_seconds',
  'Time from the effect of an event with facts to its posting',
)

type FactsOfEvent = Readonly<{ facts: readonly ReceivedFact[]; createdMs: number }>

/** Reads the facts of an event. @throws Error that names each wrong field of a fact that does not match its schema */
export const readFacts = ({ event }: Pick<Received, 'event'>): FactsOfEvent => ({
  facts: factsOfEvent(event).map((text) => readFact(text, event.sequence ?? null)),
  createdMs: Date.parse(event.created_at),
})

/**
 * Posts the facts of a batch of events.
 * @throws Error that says what to do for a fact that was posted before with other content
 */
export const postEvents = async (
  { db, clock }: Pick<KeylessServiceContext, 'db' | 'clock'>,
  events: readonly FactsOfEvent[],
): Promise<void> => {
  const withFacts = events.filter(({ facts }) => facts.length > 0)
  if (withFacts.length === 0) return
  try {
    await postReceived(
      { db, clock },
      withFacts.flatMap(({ facts }) => facts),
      false,
    )
  } catch (error) {
    if (!isContradiction(error)) throw error
    const text = (error as Error).message
    throw new Error(`A fact was ${text}. Correct its source, or discard the event`, { cause: error })
  }
  for (const { createdMs } of withFacts) lag.observe(Math.max(0, clock.nowMs() - createdMs) / 1_000)
}

/**
 * Posts the facts of events. A fact that does not match its schema, or that has been posted before with other content, is
 * parked with its reason; the others of its batch are posted.
 */
export const consumeFacts = ({
  bus,
  db,
  clock,
  log,
}: KeylessServiceContext): Readonly<{ stop: () => Promise<void> }> =>
  consume(bus, {
    service: 'ledger',
    durable: 'ledger-facts',
    batch: BATCH,
    db,
    clock,
    log,
    read: readFacts,
    handle: (events) => postEvents({ db, clock }, events),
  })
