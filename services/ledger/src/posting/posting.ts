import type { EntryKind } from '@causeway/contracts'
import type { Account } from './accounts.ts'

/** One amount from one account to another, in the unit's smallest part. Each kind is that of the side's entry. */
export type Transfer = Readonly<{
  debit: Account
  credit: Account
  unit: string
  amount: bigint
  debitKind: EntryKind | null
  creditKind: EntryKind | null
}>

/** The result of one rule for one fact. `source` is the fact's id; (source, rule) is posted once. */
export type Posting = Readonly<{
  source: string
  rule: 'fact' | 'release' | 'settlement' | 'reserve'
  orderKey: string | null
  orderId: string | null
  /** Id of the fact that this one takes back. */
  reverses: string | null
  estimated: boolean
  effectiveAt: string
  /** Null: immediately. */
  dueAt: string | null
  transfers: readonly Transfer[]
}>

const kindFor = (account: Account, kind: EntryKind): EntryKind | null =>
  account.ownerId === null ? null : kind

/** Returns the transfer, or nothing for an amount of 0. @throws RangeError for a negative amount */
export const transferOf = (
  debit: Account,
  credit: Account,
  unit: string,
  amount: bigint | number,
  kind: EntryKind,
): Transfer[] => {
  const units = BigInt(amount)
  if (units < 0n) throw new RangeError('A transfer has a positive amount')
  return units === 0n
    ? []
    : [
        {
          debit,
          credit,
          unit,
          amount: units,
          debitKind: kindFor(debit, kind),
          creditKind: kindFor(credit, kind),
        },
      ]
}

/** Swaps the sides of transfers. Entries keep their kind, or get the one that `kinds` names for it. */
export const reversed = (
  transfers: readonly Transfer[],
  kinds: Readonly<Partial<Record<EntryKind, EntryKind>>> = {},
): Transfer[] => {
  const turned = (kind: EntryKind | null) => (kind === null ? null : (kinds[kind] ?? kind))
  return transfers.map(({ debit, credit, debitKind, creditKind, ...rest }) => ({
    ...rest,
    debit: credit,
    credit: debit,
    debitKind: turned(creditKind),
    creditKind: turned(debitKind),
  }))
}
