import {
  canonicalJson,
  EMPTY_LINES,
  hashLeaf,
  hashLine,
  hashOfLeaf,
  linesAfter,
  type AccountLeaf,
} from '@causeway/statement-proof'
import { presentAmount } from '../posting/amounts.ts'
import { presentLine } from './lines.ts'
import type { LineRow } from './store.ts'

/** An account in a month, as its latest seal has it. Amounts are in the smallest part of the unit. */
export type AccountState = Readonly<{
  accountId: string
  ownerId: string
  balance: LineRow['balance']
  unit: string
  month: string
  /** Numbers of the month's first and last entry, as text. */
  first: string
  last: string
  opening: string
  closing: string
  /** Hash of the month's lines (hex). */
  lines: string
}>

/** The place of a seal among the others. `postings` is the digest of the postings that it covers. */
export type SealHeader = Readonly<{
  number: number
  month: string
  closes: boolean
  firstSeq: string
  lastSeq: string
  postings: string
  /** Root of the seal before (hex); null for the first. */
  previous: string | null
}>

/** The account at the beginning of a month; as it is if it has entries in the month already. */
export const inMonth = (state: AccountState, month: string): AccountState =>
  state.month === month
    ? state
    : { ...state, month, first: String(BigInt(state.last) + 1n), opening: state.closing, lines: EMPTY_LINES }

/** An account before its first entry. */
const unused = ({ accountId, ownerId, balance, unit }: LineRow, month: string): AccountState => ({
  ...{ accountId, ownerId, balance, unit, month },
  first: '1',
  last: '0',
  opening: '0',
  closing: '0',
  lines: EMPTY_LINES,
})

/** The states of accounts after more entries, by account, in the order of the first entry of each. */
export const statesAfter = (
  rows: readonly LineRow[],
  before: ReadonlyMap<string, AccountState>,
  month: string,
): AccountState[] => {
  const after = new Map<string, AccountState>()
  for (const row of rows) {
    const known = before.get(row.accountId)
    const state = after.get(row.accountId) ?? (known ? inMonth(known, month) : unused(row, month))
    after.set(row.accountId, {
      ...state,
      last: row.number,
      closing: row.balanceAfter,
      lines: linesAfter(state.lines, hashLine(row.unit, presentLine(row))),
    })
  }
  return [...after.values()]
}

/** The leaf of an account. @param nonce in hex */
export const leafOf = (
  state: AccountState,
  closed: boolean,
  nonce: string,
): AccountLeaf & Pick<AccountState, 'balance'> => ({
  v: 1,
  partnerCustomerId: state.ownerId,
  balance: state.balance,
  unit: state.unit,
  month: state.month,
  closed,
  first: Number(state.first),
  last: Number(state.last),
  opening: presentAmount(state.unit, state.opening),
  closing: presentAmount(state.unit, state.closing),
  lines: state.lines,
  nonce,
})

/** The hash of a seal's first leaf. */
export const hashHeader = (header: SealHeader): Buffer => hashOfLeaf(canonicalJson({ v: 1, ...header }))

/** The hashes of a seal's leaves: its header, then its accounts. */
export const leafHashesOf = (header: SealHeader, leaves: readonly AccountLeaf[]): Buffer[] => [
  hashHeader(header),
  ...leaves.map(hashLeaf),
]
