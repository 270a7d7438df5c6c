import type { EntryKind } from '@causeway/contracts'
import type { Movement, Place } from '../settlement-postings/movements.ts'
import { chargedOf, type Difference, type DifferenceKind, type Match } from './matching.ts'

type Counterpart = Exclude<Place, 'receivable'>
type Change = Readonly<{ unit: string; cents: bigint; ownerId?: string; kind?: EntryKind }>

/** Changes what the processor owes, by a signed amount whose other side is the place. */
const change = (place: Counterpart, { unit, cents, ownerId = '', kind }: Change): Movement[] => {
  if (cents === 0n) return []
  const sides: Pick<Movement, 'debit' | 'credit'> =
    cents > 0n ? { debit: 'receivable', credit: place } : { debit: place, credit: 'receivable' }
  const owned = place === 'owner' ? { ownerId, kind: kind ?? 'dispute' } : { ownerId: null, kind: null }
  return [{ ...sides, unit, amount: cents < 0n ? -cents : cents, ...owned }]
}

/** The amount of the journal as far as matching posts it. `bookedFee`: the fee that the books have taken with it. */
export type PostedAmount = Readonly<{
  ownerId: string
  bookedFee: Readonly<{ cents: number; currency: string }> | null
}>

/** `line`: what the line moves for certain. `suspense`: what a difference keeps in suspense until it ends. */
export type LineMovements = Readonly<{ line: readonly Movement[]; suspense: readonly Movement[] }>

/** Changes what the processor owes by amounts of any units, those of one unit together. */
const changes = (place: Counterpart, amounts: readonly Change[]): Movement[] =>
  [...Map.groupBy(amounts, ({ unit }) => unit)].flatMap(([unit, same]) =>
    change(place, { unit, cents: same.reduce((sum, { cents }) => sum + cents, 0n) }),
  )

/** Returns what the books have, with its fee, as amounts that leave what the processor owes. */
const leaving = (
  { amountCents, currency }: Pick<NonNullable<Difference['booked']>, 'amountCents' | 'currency'>,
  { bookedFee }: Pick<PostedAmount, 'bookedFee'>,
): Change[] => [
  { unit: currency, cents: -BigInt(amountCents) },
  { unit: bookedFee?.currency ?? currency, cents: BigInt(bookedFee?.cents ?? 0) },
]

/** Returns what a difference without a line keeps in suspense: the whole amount of the journal, with the fee that the books have. */
export const missingMovements = (
  booked: Parameters<typeof leaving>[0],
  posted: Parameters<typeof leaving>[1],
): Movement[] => changes('suspense', leaving(booked, posted))

const centsOf = ({ grossCents, feeCents, netCents }: Match['line']) => ({
  gross: BigInt(grossCents),
  fee: BigInt(feeCents),
  net: BigInt(netCents),
})

/** Movements of a line without a counterpart. A payout of the sum `payoutSum` with its lines leaves that sum. */
const aloneMovements = ({ line }: Match, payoutSum: bigint): LineMovements => {
  const { gross, fee, net } = centsOf(line)
  const unit = line.currency
  return {
    line: [
      ...change(line.kind === 'payout' ? 'in_transit' : 'fee', { unit, cents: gross }),
      ...change('fee', { unit, cents: -fee }),
    ],
    suspense: change('suspense', { unit, cents: net - gross + fee - payoutSum }),
  }
}

/**
 * Returns the conversion of a line: what leaves the unit of the order, and what arrives in the unit of the account. A fee that
 * the books have in the order's unit was converted with it.
 */
const conversion = ({ line }: Match, { bookedFee }: PostedAmount): Movement[] => {
  if (line.original === null) return []
  const { gross, fee } = centsOf(line)
  const { cents, currency } = line.original
  const isOfFee = bookedFee !== null && bookedFee.currency !== line.currency
  return changes('fx', [
    { unit: currency, cents: BigInt(isOfFee ? bookedFee.cents : 0) - BigInt(cents) },
    { unit: line.currency, cents: gross - (isOfFee ? fee : 0n) },
  ])
}

/**
 * Movements of a line. Together with the amount of the journal they change what the processor owes by the line's net amount,
 * so that the lines of a payout leave nothing (ADR 0088), and nothing is left in the unit of an order that was converted.
 */
export const lineMovements = (
  match: Match & Readonly<{ kind: DifferenceKind | null }>,
  posted: PostedAmount | null,
  payoutSum: bigint,
): LineMovements => {
  const { line, booked, kind } = match
  const { gross, fee, net } = centsOf(line)
  const settled = line.currency
  if (kind === 'missing_here')
    return { line: [], suspense: change('suspense', { unit: settled, cents: net }) }
  if (booked === null || posted === null) return aloneMovements(match, payoutSum)
  if (kind === 'other_currency')
    return {
      line: [],
      suspense: [...change('suspense', { unit: settled, cents: net }), ...missingMovements(booked, posted)],
    }
  const isBooked = posted.bookedFee !== null
  const isComparable = booked.feeCents !== null && booked.feeCurrency === settled
  const expectedFee = isComparable ? BigInt(booked.feeCents) : fee
  const charged = chargedOf(line)
  const more = BigInt(charged.cents) - BigInt(booked.amountCents)
  const correction = booked.estimated ? more : 0n
  return {
    line: [
      ...change(booked.kind === 'dispute' ? 'dispute_fee' : 'fee', {
        unit: settled,
        cents: isBooked ? 0n : -expectedFee,
      }),
      ...change('owner', {
        ...{ unit: charged.currency, cents: correction, ownerId: posted.ownerId },
        kind: booked.kind === 'dispute_reversal' ? 'dispute_reversed' : 'dispute',
      }),
      ...conversion(match, posted),
    ],
    suspense: changes('suspense', [
      { unit: charged.currency, cents: more - correction },
      { unit: settled, cents: net - gross + expectedFee },
    ]),
  }
}
