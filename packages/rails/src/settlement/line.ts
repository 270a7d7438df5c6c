/** `payment` to `dispute_reversal` concern one order; `payout`: money that the processor sent to the bank. */
export const SETTLEMENT_KINDS = [
  'payment',
  'refund',
  'dispute',
  'dispute_reversal',
  'fee',
  'adjustment',
  'payout',
] as const
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number]

/** Kinds of lines that concern one order. */
export const KINDS_OF_ORDERS: readonly SettlementKind[] = ['payment', 'refund', 'dispute', 'dispute_reversal']

/** The amount of a line in the currency of its order, before the processor converted it to that of the account. */
export type OriginalAmount = Readonly<{
  /** Signed as the line's gross amount. */
  cents: number
  currency: string
  /** Value of one unit of this currency in that of the line, a decimal number, as the processor states it. Null: not stated. */
  rate: string | null
}>

/**
 * One line of a processor's settlement report, as the processor states it. Amounts are in the currency's ISO 4217 minor unit
 * and signed as they change our balance at the processor: a refund is negative, and positive where a refund has failed later.
 */
export type SettlementLine = Readonly<{
  /** The processor's id of the line; the same in every report that contains it. */
  lineId: string
  kind: SettlementKind
  /** The processor's id of the payment, as in checkouts; null where the line concerns none, or one that is not ours. */
  processorOrderId: string | null
  grossCents: number
  /** Amount that the processor keeps; negative where it returns a fee. */
  feeCents: number
  /** Stated by the processor, not computed: the gross amount less the fee if its report is right. */
  netCents: number
  currency: string
  /** Null where nothing was converted. */
  original: OriginalAmount | null
  /** Date from which the net amount can be paid out (UTC), as YYYY-MM-DD. */
  availableOn: string
  /** The processor's id of the payout that contains the line; null: not paid out yet. Nets of one payout sum to 0. */
  payoutRef: string | null
}>

/**
 * Lines after a position. `position`: where to continue, to be stored together with the lines. Lines before it may be repeated
 * with the same content, so that lines are to be counted once per `lineId`.
 */
export type SettlementPage = Readonly<{
  lines: readonly SettlementLine[]
  position: string
  /** True if there is nothing after it at present. A page that is not the last may be empty. */
  isLast: boolean
}>

/** The settlement reports of an account with a card processor. Methods throw RailError, and never retry. */
export type SettlementReport = Readonly<{
  /** Name of the processor's adapter. */
  processor: string
  /** Reads the next page. @param position null: from the beginning */
  read: (position: string | null) => Promise<SettlementPage>
  close: () => Promise<void>
}>
