import { NotDoneError, type Vault } from '@causeway/chassis'
import type { RecordEnd } from '../context.ts'
import { appendEnd } from '../audit/store.ts'
import { resultContext } from './request.ts'
import { endPendingAction } from './store.ts'

/**
 * Ends a confirmed action in the transaction of its effect. If somebody else has claimed the action since, the effect is
 * rolled back, so that an action of access is carried out once even if its first run is slow.
 */
export const createRecordEnd =
  (vault: Vault): RecordEnd =>
  async (tx, { requestId, caller }, end, answer) => {
    const { confirms: pendingActionId } = caller
    if (pendingActionId !== undefined) {
      const resultSealed = vault.seal(JSON.stringify(answer.value), resultContext(pendingActionId))
      const action = { pendingActionId, executionId: requestId, status: 'done', code: null, resultSealed }
      if ((await endPendingAction(tx, action)) === null)
        throw new NotDoneError('Another run of the pending action has replaced this one')
    }
    // The last statement: it locks the end of the audit log.
    await appendEnd(tx, { ...end, requestId })
    return answer
  }
