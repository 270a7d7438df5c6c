import {
  fingerprintOf,
  implement,
  keysetList,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
  type KeysetOrder,
  type OperationRequest,
  type ServiceClient,
} from '@causeway/chassis'
import { MAX_RUN_BALANCES, payoutRuns } from '@causeway/contracts'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { readPayoutFees } from '../payouts/fees.ts'
import { presentCustomerPayout } from '../payouts/present.ts'
import { readSummaries } from '../payouts/summary.ts'
import { presentAmount } from '../posting/amounts.ts'
import { payBalances, type RunOutcome } from './run.ts'
import * as store from './store.ts'

type Answer = z.output<(typeof payoutRuns)['run']['reply']>
type Body = OperationRequest<typeof payoutRuns.run>['body']

/** For `WHERE id > :after ORDER BY id`. */
const BY_ACCOUNT: KeysetOrder<Readonly<{ id: string }>> = {
  start: { id: '0' },
  write: ({ id }) => [id],
  read: ([id = '']) => (/^\d{1,18}$/.test(id) ? { id } : null),
}
const listOf = (cursors: Cursors, { unit = '', partner_customer_id = '' }: Body) =>
  keysetList(cursors, { name: `payout-run:${unit}:${partner_customer_id}`, order: BY_ACCOUNT })

/** Returns where the run begins, or why it cannot run. */
const judge = async (db: Db, cursors: Cursors, body: Body, now: Date) => {
  if (body.cut_off !== undefined && new Date(body.cut_off) > now)
    return refuse('invalid_request', [
      { field: 'cut_off', reason: 'invalid_value', expected: 'a time that is not in the future' },
    ])
  const { partner_customer_id: partnerCustomerId } = body
  if (partnerCustomerId !== undefined && !(await store.isKnown(db, { partnerCustomerId })))
    return refuse('resource_not_found')
  const after = listOf(cursors, body).after(body.cursor ?? null)
  return after === null ? refuse('invalid_cursor') : ({ ok: true, after } as const)
}

const presentSkipped = (outcomes: readonly RunOutcome[]): Answer['skipped'] =>
  outcomes.flatMap(({ balance: { ownerId, unit }, result }) =>
    'reason' in result
      ? [
          {
            partner_customer_id: ownerId,
            unit,
            available: presentAmount(unit, result.available),
            reason: result.reason,
          },
        ]
      : [],
  )

/** The payouts of a run: those that were made before it was interrupted too. */
const presentPaid = async (
  db: Db,
  runId: string | null,
  outcomes: readonly RunOutcome[],
): Promise<Answer['payouts']> => {
  if (runId === null)
    return outcomes.flatMap(({ result }) =>
      'row' in result ? [{ ...presentCustomerPayout(result.row, result.summary), payout_id: null }] : [],
    )
  const rows = await store.listOfRun(db, { runId })
  const summaries = await readSummaries(db, rows)
  return rows.flatMap((row) => {
    const summary = summaries.get(row.payoutId)
    return summary === undefined ? [] : [presentCustomerPayout(row, summary)]
  })
}

type Run = Readonly<{ runId: string | null; cutOff: Date; after: string; now: Date }>

const answerOf = async (
  { db, cursors, ask }: Dependencies,
  body: Body,
  { runId, cutOff, after, now }: Run,
): Promise<Answer> => {
  const { unit = '', partner_customer_id: partnerCustomerId = '' } = body
  const filter = { unit, partnerCustomerId, after: BigInt(after) }
  const { items, nextCursor } = listOf(cursors, body).page({
    rows: await store.listBalances(db.pooled, { ...filter, limit: MAX_RUN_BALANCES + 1 }),
    limit: MAX_RUN_BALANCES,
    present: (row) => row,
    positionOf: ({ accountId }) => ({ id: accountId }),
  })
  const feeOf = await readPayoutFees(ask, items)
  const terms = { runId, cutOff, isNamed: partnerCustomerId !== '', feeOf }
  const outcomes = await payBalances(db, items, terms, now)
  return {
    payouts: await presentPaid(db, runId, outcomes),
    skipped: presentSkipped(outcomes),
    cut_off: cutOff.toISOString(),
    next_cursor: nextCursor,
  }
}

type Dependencies = Readonly<{ db: Db; cursors: Cursors; ask: ServiceClient }>

const run = async (
  dependencies: Dependencies,
  { body, idempotencyKey: key, requestId, now }: OperationRequest<typeof payoutRuns.run>,
) => {
  const { db, cursors } = dependencies
  const judged = await judge(db, cursors, body, now)
  if (!judged.ok) return judged
  const after = judged.after.id
  const wanted = body.cut_off === undefined ? now : new Date(body.cut_off)
  if (body.dry_run === true)
    return reply(await answerOf(dependencies, body, { runId: null, cutOff: wanted, after, now }))
  const fingerprint = fingerprintOf(null, body)
  const begun = { runId: randomUUID(), key: key ?? null, fingerprint, requestId, cutOff: wanted, now }
  const row = await store.begin(db, begun)
  if (row === null) throw new Error('A run was not begun')
  const { runId, cutOff } = row
  if (row.fingerprint !== fingerprint) return refuse('idempotency_key_reuse')
  if (row.answer !== null) {
    const answer = JSON.parse(row.answer) as Answer
    return { ...reply(answer), replay: { requestId: row.requestId, json: row.answer } }
  }
  const answer = await answerOf(dependencies, body, { runId, cutOff, after, now })
  await store.complete(db, { runId, answer: JSON.stringify(answer) })
  return reply(answer)
}

/** `ledger.payout-runs` (decisions §49). */
export const payoutRunOperations = (dependencies: Dependencies): Implementation[] =>
  implement(payoutRuns, {
    run: (request) => run(dependencies, request),

    async prepareRun({ body, now }) {
      const judged = await judge(dependencies.db, dependencies.cursors, body, now)
      return judged.ok
        ? reply({ before: null, groups: body.dry_run === true ? [] : ['money' as const] })
        : judged
    },
  })
