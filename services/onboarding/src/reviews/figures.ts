import { refuse, reply, type Db, type OperationRequest } from '@causeway/chassis'
import { dayBefore, DEFAULT_REVIEW_DAYS, MAX_REVIEW_DAYS, type reviews } from '@causeway/contracts'
import { countWaiting, listDecisions } from './figures-store.ts'

/** Returns the decisions by day and the length of the queue (decisions §14). */
export const getFigures = async (
  db: Db,
  { query, now }: Pick<OperationRequest<(typeof reviews)['getFigures']>, 'query' | 'now'>,
) => {
  const since = query.since ?? dayBefore(now, DEFAULT_REVIEW_DAYS - 1)
  const first = dayBefore(now, MAX_REVIEW_DAYS - 1)
  if (since < first || since > dayBefore(now, 0))
    return refuse('invalid_request', [
      { field: 'since', reason: 'invalid_value', expected: `a day from ${first} to ${dayBefore(now, 0)}` },
    ])
  const [rows, waiting] = await Promise.all([listDecisions(db, { since: new Date(since) }), countWaiting(db)])
  const days = rows.flatMap(({ day, approved, rejected, waitedMinutes }) =>
    day === null ? [] : [{ day, approved, rejected, waited_minutes: waitedMinutes }],
  )
  return reply({
    since,
    days,
    waited_minutes: rows.find(({ day }) => day === null)?.waitedMinutes ?? null,
    waiting: { cases: waiting?.cases ?? 0, since: waiting?.since?.toISOString() ?? null },
  })
}
