import {
  createCursors,
  implement,
  refuse,
  reply,
  withBefore,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { reconciliation, type ReconciliationRun, type RefundDifferenceKind } from '@causeway/contracts'
import { presentDifference } from './difference.ts'
import type { LeftOut } from './scan-position.ts'
import * as differences from './differences-store.ts'
import * as runs from './runs-store.ts'

const LIST = 'refund-differences'

/** A processor that fails for thousands of stretches is down as a whole; the report has to fit into a reply. */
const SHOWN_LEFT_OUT = 500

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const presentLeftOut = (left: LeftOut): ReconciliationRun['left_out'][number] =>
  'orderKey' in left
    ? { since: null, until: null, order_key: left.orderKey }
    : { since: timeOf(left.sinceMs), until: timeOf(left.untilMs), order_key: null }

const presentRun = (run: runs.RunRecord | undefined): ReconciliationRun | null =>
  run === undefined
    ? null
    : {
        started_at: run.startedAt.toISOString(),
        finished_at: run.finishedAt?.toISOString() ?? null,
        since: run.since.toISOString(),
        compared: run.compared,
        recorded: run.recorded,
        left_out: run.leftOut.slice(0, SHOWN_LEFT_OUT).map(presentLeftOut),
      }

/** `refunds.reconciliation` (decisions §14). */
export const reconciliationOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  processors: readonly string[],
): Implementation[] => {
  const cursors = createCursors(vault)

  const readProcessors = async () => {
    const [latest, open] = await Promise.all([db.query(runs.latest), db.query(differences.count)])
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
    async read({ query: { limit, cursor } }) {
      const after = cursor === null ? ['-infinity', ''] : cursors.decode(LIST, cursor)
      if (after === null) return refuse('invalid_cursor')
      const [processorsRead, rows] = await Promise.all([
        readProcessors(),
        db.query(differences.page, [...after, limit]),
      ])
      const last = rows.length === limit ? rows.at(-1) : undefined
      return reply({
        processors: processorsRead,
        differences: rows.map(presentDifference),
        next_cursor: last ? cursors.encode(LIST, [last.foundAt.toISOString(), last.id]) : null,
      })
    },

    async close({ params: { differenceId }, now }) {
      const [before] = await db.query(differences.find, [differenceId])
      const [closed] = await db.query(differences.close, [differenceId, now])
      if (!before || !closed) return refuse('resource_not_found')
      return withBefore(reply({ difference: presentDifference(closed) }), {
        difference: presentDifference(before),
      })
    },
  })
}
