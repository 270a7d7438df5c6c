import {
  isPassing,
  metrics,
  NotDoneError,
  type KeylessServiceContext,
  type Outcome,
  type ServiceClient,
} from '@causeway/chassis'
import { factRecordsOf, FACTS_PER_REQUEST, type KeptFact, type ServiceName } from '@causeway/contracts'
import { postReceived, readFact } from '../posting/post-facts.ts'
import { isContradiction } from '../posting/store.ts'
import { deleteDifferences, insertDifference, type DifferenceKind } from './differences-store.ts'
import { findHeld } from './store.ts'

const fetched = metrics.counter(
  'causeway_ledger_facts_fetched_total',
  'Facts that the ledger fetched from their source before, or because, the event stream did not bring them',
)

/** Dependencies of a comparison; `ask` sends requests over the bus. */
export type ComparisonContext = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'> &
  Readonly<{ ask: ServiceClient }>

type FetchedFact = KeptFact & Readonly<{ fact: object }>
type Difference = Readonly<{ factId: string; sequence: number; kind: DifferenceKind; reason: string }>

/** Thrown when a source does not answer. */
export class NoAnswerError extends NotDoneError {}

/** @throws NotDoneError for a refusal: the comparison is made again later */
export const valueOf = <T>(service: ServiceName, outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value
  const text = `${service} returned ${outcome.code}`
  throw outcome.code === 'temporarily_unavailable' ? new NoAnswerError(text) : new NotDoneError(text)
}

/** Posts facts, together or, where the books refuse the batch, in halves. @returns those that they refuse alone */
const postFetched = async (
  context: ComparisonContext,
  facts: readonly FetchedFact[],
): Promise<Difference[]> => {
  if (facts.length === 0) return []
  try {
    const read = facts.map(({ fact, sequence }) => readFact(fact, sequence))
    await postReceived(context, read, true)
    return []
  } catch (error) {
    if (isPassing(error)) throw error
    const [first] = facts
    if (first !== undefined && facts.length === 1) {
      const [kind, reason] = isContradiction(error)
        ? (['differs', 'The source has other content than the books'] as const)
        : (['refused', error instanceof Error ? error.message : String(error)] as const)
      return [{ factId: first.fact_id, sequence: first.sequence, kind, reason }]
    }
    const middle = facts.length >> 1
    return [
      ...(await postFetched(context, facts.slice(0, middle))),
      ...(await postFetched(context, facts.slice(middle))),
    ]
  }
}

const recordDifference = async (
  { db, clock, log }: ComparisonContext,
  service: ServiceName,
  difference: Difference,
): Promise<void> => {
  const isNew = await insertDifference(db.pooled, { ...difference, service, now: clock.now() })
  if (isNew !== null)
    log.error(
      { event: 'ledger.fact_differs', service, ...difference },
      'The books and the source of a fact differ; nothing was changed',
    )
}

const settlePage = async (
  context: ComparisonContext,
  service: ServiceName,
  factIds: readonly string[],
): Promise<void> => {
  const { db } = context
  // Before the source: what is posted meanwhile must not look absent there.
  const held = new Map((await findHeld(db.pooled, { factIds })).map((fact) => [fact.factId, fact]))
  const asked = factIds.map((id) => ({ fact_id: id, sequence: held.get(id)?.sequence ?? null }))
  const { facts } = valueOf(service, await context.ask(factRecordsOf(service).get, { facts: asked }))
  const kept = new Set(facts.map(({ fact_id: id }) => id))
  const absent = [...held.values()].filter(({ factId }) => !kept.has(factId))
  const others = facts.filter(({ fact_id: id, sequence, digest }) => {
    const own = held.get(id)
    return own?.digest !== digest || own.sequence !== sequence
  })
  const refused = await postFetched(context, others)
  const differences = [
    ...absent.map(({ factId, sequence }) => ({
      factId,
      sequence,
      kind: 'absent' as const,
      reason: 'The source does not have this fact',
    })),
    ...refused,
  ]
  for (const difference of differences) await recordDifference(context, service, difference)
  const open = new Set(differences.map(({ factId }) => factId))
  await deleteDifferences(db.pooled, { factIds: factIds.filter((id) => !open.has(id)) })
  fetched.inc(others.filter(({ fact_id: id }) => !held.has(id) && !open.has(id)).length)
}

/**
 * Compares facts with their source one by one. Fetches and posts those that the books do not have. Records a difference
 * for each that is missing at the source, has other content there, or is refused by the books. Never changes a posting.
 * @throws NotDoneError when the source is unavailable
 */
export const settleFacts = async (
  context: ComparisonContext,
  service: ServiceName,
  factIds: readonly string[],
): Promise<void> => {
  for (let at = 0; at < factIds.length; at += FACTS_PER_REQUEST)
    await settlePage(context, service, factIds.slice(at, at + FACTS_PER_REQUEST))
}
