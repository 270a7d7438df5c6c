import { newId, newIdAt, type Logger, type Transaction } from '@causeway/chassis'
import { latePaymentEvent } from '../late-payments/domain.ts'
import { findLatePayments } from '../late-payments/store.ts'
import { saveDepositMoney } from '../unattributed-money/store.ts'
import { allocate, allocated } from './allocation.ts'
import { keyOf } from './deposit-page.ts'
import type { Account } from './fold.ts'
import { changeMoney, type MoneyChange } from './money-changes.ts'
import { depositMovedEvent, movesOf } from './moves.ts'
import { keepDeposits } from './store.ts'

/** Lists what waits for staff, with the events of late money, and takes off what does not any more. */
const recordMoney = async (
  tx: Transaction,
  log: Logger,
  changes: readonly MoneyChange[],
  now: Date,
): Promise<void> => {
  if (changes.length === 0) return
  await saveDepositMoney(
    tx,
    changes.map(({ row }) => row),
    now,
  )
  const listed = changes.filter(({ isListed }) => isListed).map(({ row }) => row)
  for (const { id, kind, orderId, unit } of listed)
    log.warn(
      { event: 'deposit.unattributed', unattributedMoneyId: id, kind, orderId, unit },
      'Deposit counts for no order',
    )
  const ids = listed.filter(({ kind }) => kind === 'late').map(({ id }) => id)
  if (ids.length === 0) return
  for (const late of await findLatePayments(tx, { ids }))
    tx.emit(latePaymentEvent(newIdAt('event', now.getTime()), late, now))
}

/**
 * Splits the deposits of orders as they are now over their buckets (decisions §52): keeps those that are new or were
 * touched and those whose split, fee or value changes, emits `deposit.moved` for the latter, and lists what counts for no order. The
 * orders are locked and already written.
 * @param opened the accounts as they were read
 */
export const recordSplits = async (
  tx: Transaction,
  log: Logger,
  accounts: Iterable<Account>,
  opened: ReadonlyMap<string, Account>,
  now: Date,
): Promise<void> => {
  const kept = []
  const changes: MoneyChange[] = []
  for (const { order, deposits } of accounts) {
    const before = opened.get(order.id)?.deposits
    for (const allocation of allocate(order, deposits.values())) {
      const deposit = allocated(allocation)
      const known = before?.get(keyOf(deposit))
      const isUnsplit = deposit.split !== null && known?.split == null
      const moves = movesOf(order, known, deposit)
      if (known !== allocation.deposit || isUnsplit || moves.length > 0) kept.push(deposit)
      for (const move of moves) tx.emit(depositMovedEvent(newIdAt('event', now.getTime()), move, now))
      const change = changeMoney(order, allocation, () => newId('unattributedMoney'))
      if (change !== null) changes.push(change)
    }
  }
  if (kept.length > 0) await keepDeposits(tx, kept, now)
  await recordMoney(tx, log, changes, now)
}
