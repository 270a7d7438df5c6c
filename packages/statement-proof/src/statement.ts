/** Minor units of a currency as a whole number, or the decimal number of an asset as text. */
export type Amount = number | string

/** One entry of an account in one unit, as a statement shows it. A seal commits to every field of it. */
export type StatementLine = Readonly<{
  partnerCustomerId: string
  balance: string
  /** Place in its account. It has no gaps. */
  number: number
  amount: Amount
  balanceAfter: Amount
}> &
  Readonly<Record<string, unknown>>

/** The leaf of one account and month in a seal. */
export type AccountLeaf = Readonly<{
  v: 1
  partnerCustomerId: string
  balance: string
  unit: string
  /** `yyyy-mm` of `recorded_at` in UTC. */
  month: string
  /** True: nothing can be added to the month any more. */
  closed: boolean
  /** Number of the month's first entry: one more than the entries before. */
  first: number
  /** Number of its last entry so far; `first - 1` while the month has no entry. */
  last: number
  opening: Amount
  closing: Amount
  /** Hash of the month's lines in order (hex). */
  lines: string
  /** Random, so that nobody can guess another's leaf from its hash (hex). */
  nonce: string
}>

export type StatementProof = Readonly<{
  seals: readonly Readonly<{ number: number; size: number; root: string }>[]
  accounts: readonly Readonly<{
    leaf: AccountLeaf
    seal: number
    /** Place of the leaf in its seal. */
    index: number
    path: readonly string[]
    /** The hash of each line of the account, in order. */
    lines: readonly string[]
  }>[]
}>

/** A month of one merchant (decisions §48). */
export type Statement = Readonly<{
  month: string
  units: readonly Readonly<{
    unit: string
    opening: Amount
    entries: readonly StatementLine[]
    closing: Amount
  }>[]
  /** Hash of this object's `month` and `units` as canonical JSON (hex). A page of a statement has the hash of the page. */
  sha256: string
  proof: StatementProof
}>
