import {
  implement,
  keysetList,
  NEWEST_FIRST,
  OLDEST_FIRST,
  refuse,
  reply,
  type Queryable,
} from '@causeway/chassis'
import { pendingActions } from '@causeway/contracts'
import { appendEnd } from '../audit/store.ts'
import { confirm, type ConfirmationOptions } from './confirmation.ts'
import { refusalToDecline } from './decision.ts'
import { present, resultContext } from './request.ts'
import { isSamePerson } from '../staff-keys/actors.ts'
import { findPersonBehind } from '../staff-keys/store.ts'
import {
  closePendingAction,
  getPendingAction,
  listDecided,
  listDecidedOfTarget,
  listWaiting,
  listWaitingOfTarget,
  takeResult,
  type PendingActionRecord,
} from './store.ts'

type Which = Readonly<{ status: 'waiting' | 'decided'; target: string | undefined }>

const readPage = (
  db: Queryable,
  { status, target }: Which,
  { now, ...position }: Parameters<typeof listWaiting>[1],
): Promise<PendingActionRecord[]> => {
  if (status === 'waiting')
    return target === undefined
      ? listWaiting(db, { ...position, now })
      : listWaitingOfTarget(db, { ...position, target, now })
  return target === undefined ? listDecided(db, position) : listDecidedOfTarget(db, { ...position, target })
}

/** `gateway.pending-actions` (decisions §14). */
export const pendingActionOperations = (options: ConfirmationOptions) => {
  const { db, clock, vault, cursors } = options
  const listOf = ({ status, target }: Which) =>
    keysetList(cursors, {
      name: ['pending-actions', status, ...(target === undefined ? [] : [target])].join(':'),
      order: status === 'waiting' ? OLDEST_FIRST : NEWEST_FIRST,
    })
  const shown = (record: PendingActionRecord) => ({ pending_action: present(vault, record, clock.now()) })

  return implement(pendingActions, {
    async list({ query: { status, target, cursor, limit }, now }) {
      const list = listOf({ status, target })
      const from = list.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const position = { afterAt: from.at, afterId: from.id, limit: limit + 1 }
      const { items, nextCursor } = list.page({
        rows: await readPage(db, { status, target }, { ...position, now }),
        limit,
        present: (row: PendingActionRecord) => present(vault, row, now),
        positionOf: (row) => ({ at: row.requestedAt, id: row.pendingActionId }),
      })
      return reply({ pending_actions: items, next_cursor: nextCursor })
    },

    async get({ params }) {
      const record = await getPendingAction(db, params)
      return record === null ? refuse('resource_not_found') : reply(shown(record))
    },

    async confirm({ params, caller, requestId }) {
      const record = await getPendingAction(db, params)
      return record === null ? refuse('resource_not_found') : confirm(options, record, { caller, requestId })
    },

    async decline({ params, caller, now }) {
      const record = await getPendingAction(db, params)
      if (record === null) return refuse('resource_not_found')
      const refusal = refusalToDecline(record, caller, present(vault, record, now).status)
      if (refusal !== null) return refusal
      const isSame = isSamePerson(
        await findPersonBehind(db, record.requestedBy),
        await findPersonBehind(db, caller.actor),
      )
      const status = isSame ? 'withdrawn' : 'declined'
      const closed = await closePendingAction(db, { ...params, status, decidedBy: caller.actor, now })
      return closed === null
        ? refuse('invalid_state', [{ field: 'status', reason: 'decided_meanwhile' }])
        : reply(shown(closed))
    },

    async takeResult({ params, caller: { actor }, requestId }) {
      const { pendingActionId } = params
      return db.transaction(async (tx) => {
        const record = await getPendingAction(tx, params)
        if (record === null) return refuse('resource_not_found')
        if (record.requestedBy !== actor)
          return refuse('invalid_state', [{ field: 'requested_by', reason: 'not_yours' }])
        const taken = await takeResult(tx, { ...params, requestedBy: actor })
        if (taken === null) return refuse('invalid_state', [{ field: 'has_result', reason: 'no_result' }])
        const opened = vault.open(taken.resultSealed, resultContext(pendingActionId))
        // The result itself is a secret: the log has that it was taken.
        await appendEnd(tx, { requestId, before: null, after: { result_taken: true } })
        return reply({ result: JSON.parse(opened.toString('utf8')) as unknown })
      })
    },
  })
}
