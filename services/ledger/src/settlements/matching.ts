import type { SettlementLine } from '@causeway/rails/settlements'

/** A line of a processor's report. `orderKey`: the order of its payment; null where the platform has no such payment. */
export type ReportedLine = SettlementLine & Readonly<{ orderKey: string | null }>

/** An amount of the journal that the processor must settle. */
export type BookedAmount = Readonly<{
  /** Id of its fact. */
  source: string
  /** `fee`: a fee on its own, of a dispute in another currency; its `amountCents` is 0. */
  kind: 'payment' | 'refund' | 'dispute' | 'dispute_reversal' | 'fee'
  orderKey: string
  /** Signed as it changes the processor's debt: a refund is negative, and positive where it has failed later. */
  amountCents: number
  currency: string
  /** The processor stated no amount: its line says what was taken. */
  estimated: boolean
  /** The stated fee; null: none was stated, and any is right. */
  feeCents: number | null
  /** The currency of the fee. A line of another currency may have any fee. */
  feeCurrency: string
}>

export type DifferenceKind =
  'missing_here' | 'missing_there' | 'other_amount' | 'other_currency' | 'other_fee' | 'sum'

/** A difference has a line, an amount of the journal, or both. */
export type Difference = Readonly<{
  kind: DifferenceKind
  line: ReportedLine | null
  booked: BookedAmount | null
}>
/** `booked`: null for a line that no single amount of the journal corresponds to: a fee that the books do not have, a payout. */
export type Match = Readonly<{ line: ReportedLine; booked: BookedAmount | null }>
export type Matching = Readonly<{ matches: readonly Match[]; differences: readonly Difference[] }>

const KINDS: readonly string[] = ['payment', 'refund', 'dispute', 'dispute_reversal', 'fee']
const byText = <T>(items: readonly T[], textOf: (item: T) => string): T[] =>
  items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))

type Pair = Readonly<{ line: ReportedLine; booked: BookedAmount }>

/** Returns what a line moved in the currency of its order: before a conversion, if there was one. */
export const chargedOf = ({
  original,
  grossCents,
  currency,
}: Pick<ReportedLine, 'original' | 'grossCents' | 'currency'>): Readonly<{
  cents: number
  currency: string
}> => original ?? { cents: grossCents, currency }

const isSameAmount = ({ line, booked }: Pair): boolean => chargedOf(line).cents === booked.amountCents
const isSameCurrency = ({ line, booked }: Pair): boolean => chargedOf(line).currency === booked.currency
const isSameFee = ({ line, booked }: Pair): boolean =>
  booked.feeCents === null || booked.feeCurrency !== line.currency || line.feeCents === booked.feeCents

/** Pairs from the best likeness to the worst, so that an equal pair is never separated by a difference. */
const LIKENESSES: readonly ((pair: Pair) => boolean)[] = [
  (pair) => isSameCurrency(pair) && isSameAmount(pair) && isSameFee(pair),
  (pair) => isSameCurrency(pair) && isSameAmount(pair),
  isSameCurrency,
  isSameAmount,
  () => true,
]

/** Pairs lines and amounts of one order and kind; the rest of either has no counterpart. */
const pairUp = (lines: readonly ReportedLine[], amounts: readonly BookedAmount[]) => {
  const pairs: Pair[] = []
  let [freeLines, freeAmounts] = [
    byText(lines, ({ lineId }) => lineId),
    byText(amounts, ({ source }) => source),
  ]
  for (const isAlike of LIKENESSES)
    for (const line of freeLines) {
      const booked = freeAmounts.find((each) => isAlike({ line, booked: each }))
      if (booked === undefined) continue
      pairs.push({ line, booked })
      freeLines = freeLines.filter((each) => each !== line)
      freeAmounts = freeAmounts.filter((each) => each !== booked)
    }
  return { pairs, freeLines, freeAmounts }
}

/** The one difference of a pair, the gravest first; null: they agree. */
const differenceOf = (pair: Pair): DifferenceKind | null => {
  if (!isSameCurrency(pair)) return 'other_currency'
  if (!pair.booked.estimated && !isSameAmount(pair)) return 'other_amount'
  if (!isSameFee(pair)) return 'other_fee'
  return isSummed(pair.line) ? null : 'sum'
}

const isSummed = ({ grossCents, feeCents, netCents }: ReportedLine): boolean =>
  BigInt(grossCents) - BigInt(feeCents) === BigInt(netCents)

/**
 * Compares a processor's lines with what the journal says that it must settle (decisions §51). Every line is in exactly one
 * match or difference, and so is every amount; the order of either list changes nothing. All lines and amounts of an order
 * are compared together.
 * @param wrongPayouts payouts that are not the sum of their other lines
 */
export const matchSettlement = (
  lines: readonly ReportedLine[],
  amounts: readonly BookedAmount[],
  wrongPayouts: ReadonlySet<string>,
): Matching => {
  const matches: Match[] = []
  const differences: Difference[] = []
  const isOfOrder = ({ kind, orderKey }: ReportedLine) => KINDS.includes(kind) && orderKey !== null
  const addAlone = (line: ReportedLine) => {
    const isWrong = !isSummed(line) || (line.kind === 'payout' && wrongPayouts.has(line.payoutRef ?? ''))
    if (line.kind !== 'fee' && line.kind !== 'payout')
      differences.push({ kind: 'missing_here', line, booked: null })
    else if (isWrong) differences.push({ kind: 'sum', line, booked: null })
    else matches.push({ line, booked: null })
  }
  for (const line of lines) if (!isOfOrder(line)) addAlone(line)
  const groupOf = ({ kind, orderKey }: ReportedLine | BookedAmount) => `${kind} ${orderKey}`
  const groups = Map.groupBy(lines.filter(isOfOrder), groupOf)
  const booked = Map.groupBy(amounts, groupOf)
  for (const group of new Set([...groups.keys(), ...booked.keys()])) {
    const { pairs, freeLines, freeAmounts } = pairUp(groups.get(group) ?? [], booked.get(group) ?? [])
    for (const pair of pairs) {
      const kind = differenceOf(pair)
      if (kind === null) matches.push(pair)
      else differences.push({ kind, ...pair })
    }
    for (const line of freeLines) addAlone(line)
    for (const amount of freeAmounts) differences.push({ kind: 'missing_there', line: null, booked: amount })
  }
  return { matches, differences }
}
