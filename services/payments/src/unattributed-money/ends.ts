import { refuse, reply } from '@causeway/chassis'
import type { UnattributedMoneyEnd } from '@causeway/contracts'
import type { MoneyRow } from './domain.ts'

/**
 * Decides whether staff may end an amount in this way: only an open one. One that ended in the same way is returned unchanged.
 * @returns `isRepeat` if nothing has to be done
 */
export const judgeEnd = (row: MoneyRow | null, end: UnattributedMoneyEnd) => {
  if (row === null) return refuse('resource_not_found')
  if (row.status === 'open') return reply({ row, isRepeat: false })
  return row.endedBy === end
    ? reply({ row, isRepeat: true })
    : refuse('invalid_state', [{ from: row.endedBy ?? row.status, to: end }])
}
