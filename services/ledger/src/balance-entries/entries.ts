import type { KeysetOrder } from '@causeway/chassis'
import { ENTRY_KINDS, type BalanceEntry, type EntryQuery } from '@causeway/contracts'
import { entryIdOf } from '../posting/ids.ts'
import { payoutOfSource } from '../payouts/payout.ts'
import { presentAmount } from '../posting/amounts.ts'
import type { EntryRow } from './store.ts'

/** Place of an entry among all entries of an owner: the journal's order. */
export type EntryPosition = Readonly<{ seq: string; line: number; accountId: string }>

const LAST = '9223372036854775807'
const INTEGER = /^\d{1,19}$/

/** For `ORDER BY seq DESC, line DESC, account_id DESC`. */
export const NEWEST_ENTRY_FIRST: KeysetOrder<EntryPosition> = {
  start: { seq: LAST, line: 0, accountId: '0' },
  write: ({ seq, line, accountId }) => [seq, String(line), accountId],
  read([seq = '', line = '', accountId = '']) {
    const isPosition = [seq, line, accountId].every((value) => INTEGER.test(value))
    return isPosition ? { seq, line: Number(line), accountId } : null
  },
}

/** Parameters of a page's statement. */
export const pageOfQuery = (
  { unit, kind, balance, since, until, limit }: EntryQuery,
  position: EntryPosition,
) => ({
  units: unit === undefined ? [] : [unit],
  balances: balance === undefined ? [] : [balance],
  kinds: kind === undefined ? [...ENTRY_KINDS] : [kind],
  since: new Date(since ?? 0),
  until: new Date(until ?? '9999-12-31T23:59:59.999Z'),
  seq: BigInt(position.seq),
  line: position.line,
  accountId: BigInt(position.accountId),
  limit: limit + 1,
})

/** Name of the list that a query reads, to which its cursors are bound. */
export const listNameOf = (
  owner: string,
  { unit, kind, balance, since, until, payout_id, order_key, order_id }: EntryQuery,
): string =>
  `balance-entries:${JSON.stringify([owner, unit, kind, balance, since, until, payout_id, order_key, order_id])}`

export const presentEntry = (row: EntryRow): BalanceEntry => {
  const { reversedSource: source, reversedLine: line, reversedAccount: account } = row
  return {
    entry_id: entryIdOf(row),
    kind: row.kind,
    unit: row.unit,
    balance: row.balance,
    amount: presentAmount(row.unit, row.amount),
    balance_after: presentAmount(row.unit, row.balanceAfter),
    order_key: row.orderKey,
    order_id: row.orderId,
    payout_id: payoutOfSource(row.source),
    reverses:
      source === null || line === null || account === null
        ? null
        : entryIdOf({ source, rule: 'fact', line, account }),
    estimated: row.estimated,
    effective_at: row.effectiveAt.toISOString(),
    recorded_at: row.recordedAt.toISOString(),
  }
}
