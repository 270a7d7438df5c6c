import { metrics, startLoop, type Loop } from '@causeway/chassis'
import { matchLines, type MatchingContext } from '../match-lines.ts'
import { getUncleared } from '../matching-store.ts'

const EVERY_MS = 5_000
const BOUND = 100_000

const differenceAge = metrics.gauge(
  'causeway_ledger_difference_age_seconds',
  'Age of the oldest open difference between the books and a processor, the bank or a chain; 0 if there are none',
)
const overdue = metrics.gauge(
  'causeway_ledger_overdue_settlements',
  `Payments, refunds and disputes that their processor has not settled within SETTLEMENT_TERM; counted up to ${BOUND}`,
)

const updateGauges = async ({ db, clock, termMs }: MatchingContext): Promise<void> => {
  const now = clock.now()
  const dueBefore = new Date(now.getTime() - termMs)
  const uncleared = await getUncleared(db.pooled, { dueBefore, bound: BOUND })
  const foundAt = uncleared?.foundAt ?? null
  differenceAge.set(foundAt === null ? 0 : Math.max(0, now.getTime() - foundAt.getTime()) / 1_000)
  overdue.set(uncleared?.overdue ?? 0)
}

/** Matches settlement lines with the journal. Replicas may run it simultaneously: each transaction locks the matching. */
export const startMatching = (context: MatchingContext): Loop =>
  startLoop({
    name: 'match-settlements',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    async run() {
      try {
        await matchLines(context)
      } finally {
        await updateGauges(context)
      }
    },
  })
