import {
  createCursors,
  implement,
  keysetList,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { reconciliation, type ReconciliationRun, type RefundDifferenceKind } from '@causeway/contracts'
import { presentDifference } from './difference.ts'
import type { SkippedPart } from './scan-position.ts'
import * as differences from './differences-store.ts'
import * as runs from './runs-store.ts'

/** A bound on the reply: a processor that fails for thousands of windows is down as a whole. */
const MAX_SKIPPED_SHOWN = 500

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const presentSkipped = (part: SkippedPart): ReconciliationRun['left_out'][number] =>
  'orderKey' in part
    ? { since: null, until: null, order_key: part.orderKey }
    : { since: timeOf(part.sinceMs), until: timeOf(part.untilMs), order_key: null }

const presentRun = (run: runs.RunRecord | undefined): ReconciliationRun | null =>
  run === undefined
    ? null
    : {
        started_at: run.startedAt.toISOString(),
        finished_at: run.finishedAt?.toISOString() ?? null,
        since: run.since.toISOString(),
        compared: run.compared,
        recorded: run.recorded,
        left_out: run.skipped.slice(0, MAX_SKIPPED_SHOWN).map(presentSkipped),
      }

/** `refunds.reconciliation` (decisions §14). */
export const reconciliationOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  processors: readonly string[],
): Implementation[] => {
  const list = keysetList(createCursors(vault), { name: 'refund-differences', order: OLDEST_FIRST })

  const listProcessors = async () => {
    const [latest, open] = await Promise.all([runs.listLatestRuns(db), differences.countOpen(db)])
    return processors.map((processor) => {
      const ofProcessor = latest.filter((run) => run.processor === processor)
      const countOf = (kind: RefundDifferenceKind) =>
        open.find((each) => each.processor === processor && each.kind === kind)?.count ?? 0
      return {
        processor,
        last_run: presentRun(ofProcessor.find(({ finishedAt }) => finishedAt !== null)),
        current_run: presentRun(ofProcessor.find(({ finishedAt }) => finishedAt === null)),
        open_differences: {
          missing_at_processor: countOf('missing_at_processor'),
          missing_here: countOf('missing_here'),
          other_amount: countOf('other_amount'),
          other_state: countOf('other_state'),
        },
      }
    })
  }

  return implement(reconciliation, {
    async get({ query: { limit, cursor } }) {
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const [presented, rows] = await Promise.all([
        listProcessors(),
        differences.listOpen(db, { ...after, limit }),
      ])
      const { items, nextCursor } = list.page({
        rows,
        limit,
        present: presentDifference,
        positionOf: ({ foundAt, id }) => ({ at: foundAt, id }),
        continuesWhenFull: true,
      })
      return reply({ processors: presented, differences: items, next_cursor: nextCursor })
    },

    async close({ params: { differenceId }, now }) {
      const before = await differences.getDifference(db, { differenceId })
      const closed = await differences.closeDifference(db, { differenceId, now })
      if (!before || !closed) return refuse('resource_not_found')
      return withBefore(reply({ difference: presentDifference(closed) }), {
        difference: presentDifference(before),
      })
    },
  })
}
