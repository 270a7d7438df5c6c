import type { Difference, DifferenceKind, Match, Matching } from './matching.ts'
import { agreedFee, type ProcessorFees } from './fees.ts'
import { chargedOf, matchSettlement, type BookedAmount, type ReportedLine } from './matching.ts'
import type { ItemRow, LineRow } from './matching-store.ts'

/** A line, an amount of the journal, or both, and how they disagree. Null: they agree. */
export type Judged = Readonly<{
  kind: DifferenceKind | null
  line: LineRow | null
  item: ItemRow | null
  /** The fee of the same fact in the line's currency, where the line was converted. Null: the item has its fee. */
  feeItem: ItemRow | null
  /** The pair as it was compared. */
  pair: Match | Difference
  /** The sum of a payout's net with those of its lines; 0 for other lines. */
  payoutSum: bigint
}>

export type PayoutSum = Readonly<{ payoutRef: string; sum: string; lines: number }>

const keyOf = ({ source, kind }: Pick<ItemRow, 'source' | 'kind'>): string => `${source} ${kind}`

/**
 * Returns the fees of disputes, by the keys of the disputes, that converted lines contain. The books have them as separate
 * amounts, because they are in the currency of the account.
 */
const feesInLines = (lines: readonly LineRow[], items: readonly ItemRow[]): ReadonlyMap<string, ItemRow> => {
  const found = new Map<string, ItemRow>()
  for (const fee of items.filter(({ kind }) => kind === 'fee'))
    for (const item of items.filter(({ source, kind }) => source === fee.source && kind !== 'fee'))
      if (
        lines.some(
          ({ original, feeCents, kind, orderKey, currency }) =>
            original !== null &&
            feeCents !== 0 &&
            kind === item.kind &&
            orderKey === item.orderKey &&
            currency === fee.currency,
        )
      )
        found.set(keyOf(item), fee)
  return found
}

const bookedOf = (
  item: ItemRow,
  fee: ItemRow | undefined,
  processor: string,
  fees: ProcessorFees,
): BookedAmount => ({
  source: keyOf(item),
  kind: item.kind,
  orderKey: item.orderKey,
  amountCents: item.amountCents,
  currency: item.currency,
  estimated: item.estimated,
  feeCents:
    item.kind === 'payment' ? agreedFee(fees, processor, item.amountCents) : (fee ?? item).bookedFeeCents,
  feeCurrency: (fee ?? item).currency,
})

type Given = Readonly<{
  processor: string
  lines: readonly LineRow[]
  items: readonly ItemRow[]
  sums: readonly PayoutSum[]
  fees: ProcessorFees
}>

/**
 * Compares lines of a processor with the amounts of the same orders. A payout whose only line is its own states nothing about
 * its content: Stripe does not tell what a manual payout contains.
 */
export const judge = ({ processor, lines, items, sums, fees }: Given): Judged[] => {
  const rows = new Map(lines.map((line) => [line.lineId, line]))
  const amounts = new Map(items.map((item) => [keyOf(item), item]))
  const wrong = new Map(
    sums
      .filter(({ sum, lines: count }) => count > 1 && sum !== '0')
      .map(({ payoutRef, sum }) => [payoutRef, BigInt(sum)]),
  )
  const contained = feesInLines(lines, items)
  const inLines = new Set(contained.values())
  const found: Matching = matchSettlement(
    lines satisfies readonly ReportedLine[],
    items
      .filter((item) => !inLines.has(item))
      .map((item) => bookedOf(item, contained.get(keyOf(item)), processor, fees)),
    new Set(wrong.keys()),
  )
  const judged = (kind: DifferenceKind | null, pair: Match | Difference): Judged => ({
    kind,
    line: rows.get(pair.line?.lineId ?? '') ?? null,
    item: amounts.get(pair.booked?.source ?? '') ?? null,
    // Where the dispute is matched with a line that was not converted, the next run compares its fee.
    feeItem: pair.line?.original == null ? null : (contained.get(pair.booked?.source ?? '') ?? null),
    pair,
    payoutSum: pair.line?.kind === 'payout' ? (wrong.get(pair.line.payoutRef ?? '') ?? 0n) : 0n,
  })
  return [
    ...found.matches.map((match) => judged(null, match)),
    ...found.differences.map((difference) => judged(difference.kind, difference)),
  ]
}

/** Returns what a difference compares, in minor units. */
export const amountsOf = ({
  kind,
  line,
  item,
  pair,
  payoutSum,
}: Judged): Readonly<{ unit: string; expected: bigint | null; found: bigint | null; foundUnit: string }> => {
  const amounts = (
    [expected, unit]: readonly [number | bigint | null | undefined, string | undefined],
    [found, foundUnit]: readonly [number | undefined, string | undefined],
  ) => ({
    unit: unit ?? foundUnit ?? '',
    foundUnit: foundUnit ?? unit ?? '',
    expected: expected == null ? null : BigInt(expected),
    found: found === undefined ? null : BigInt(found),
  })
  const settledIn = line?.currency
  if (kind === 'other_fee')
    return amounts([pair.booked?.feeCents, pair.booked?.feeCurrency], [line?.feeCents, settledIn])
  if (kind === 'sum' && line !== null)
    return amounts(
      [
        payoutSum === 0n
          ? BigInt(line.grossCents) - BigInt(line.feeCents)
          : BigInt(line.netCents) - payoutSum,
        settledIn,
      ],
      [line.netCents, settledIn],
    )
  if (item?.kind === 'fee') return amounts([item.bookedFeeCents, item.currency], [line?.feeCents, settledIn])
  // Without a counterpart the whole line is in suspense, in the currency in which it was settled.
  const found =
    line === null || item === null ? { cents: line?.grossCents, currency: settledIn } : chargedOf(line)
  return amounts([item?.amountCents, item?.currency], [found.cents, found.currency])
}
