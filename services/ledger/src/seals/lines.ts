import type { StatementLine } from '@causeway/statement-proof'
import { entryIdOf } from '../posting/ids.ts'
import { payoutOfSource } from '../payouts/payout.ts'
import { presentAmount } from '../posting/amounts.ts'
import type { LineRow } from './store.ts'

/**
 * An entry as statements show it. Seals commit to every field, so that each is a value that never changes: the entry that
 * is taken back is named where it was recorded before.
 */
export const presentLine = (row: LineRow) => {
  const { reversedSource: source, reversedLine: line, reversedAccount: account } = row
  return {
    entryId: entryIdOf(row),
    partnerCustomerId: row.ownerId,
    balance: row.balance,
    number: Number(row.number),
    kind: row.kind,
    amount: presentAmount(row.unit, row.amount),
    balanceAfter: presentAmount(row.unit, row.balanceAfter),
    orderKey: row.orderKey,
    orderId: row.orderId,
    payoutId: payoutOfSource(row.source),
    reverses:
      source === null || line === null || account === null
        ? null
        : entryIdOf({ source, rule: 'fact', line, account }),
    estimated: row.estimated,
    effectiveAt: row.effectiveAt.toISOString(),
    recordedAt: row.recordedAt.toISOString(),
  } satisfies StatementLine
}
