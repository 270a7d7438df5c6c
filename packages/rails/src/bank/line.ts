import { isStorable, minorUnitDecimals } from '@causeway/contracts'
import { z } from 'zod'
import { toUnits } from '../chain/units.ts'

/** One movement on a bank account. */
export type BankLine = Readonly<{
  /** The bank's id of the movement; the same in every statement that contains it. */
  lineId: string
  /** ISO 8601 in UTC with milliseconds. A booking date without a time is its midnight. */
  bookedAt: string
  /** Minor units of the currency; a credit is positive, a debit negative, none is zero. */
  amountMinor: bigint
  currency: string
  /** EndToEndId of the payment, else its remittance information. */
  reference: string | null
  /** Name of the other party. */
  counterparty: string | null
  /** Why a payment came back, where the bank states it (camt.053). */
  returnReason?: string
}>

/** A line that cannot be read. */
export type Rejected = Readonly<{
  /** CSV: the line of the file. camt.053: the number of the entry (`Ntry`), from 1. */
  line: number
  /** Begins with the name of the field. */
  reason: string
}>

/** A line as found: its number as in {@link Rejected}, and the line or why it is rejected. */
export type FoundLine = Readonly<{ line: number; found: BankLine | string }>

/** The parts of a line as text; null where the file has none. */
export type RawLine = Readonly<
  Record<keyof Omit<BankLine, 'amountMinor' | 'returnReason'>, string | null> & {
    returnReason?: string | null
  }
>

/** Names of the fields in the file's format, for reasons. */
export type FieldNames = Readonly<{ lineId: string; bookedAt: string; currency: string }>

const MAX_ID_LENGTH = 255
/** SEPA allows 140 characters of remittance information and 70 of a name; more is cut. */
const MAX_TEXT_LENGTH = 500

const withoutBreaks = (text: string): string => text.replace(/\s+/gu, ' ').trim()

const toText = (text: string | null): string | null => {
  const line = withoutBreaks(text ?? '')
  if (line === '') return null
  return line.length <= MAX_TEXT_LENGTH ? line : line.slice(0, MAX_TEXT_LENGTH).toWellFormed()
}

const IsoDate = z.iso.date()
const IsoTime = z.iso.datetime({ offset: true, local: true })
const HAS_ZONE = /(?:Z|[+-]\d\d:\d\d)$/

/** Reads an XML Schema date or dateTime. One without a zone is UTC; the zone of a date is ignored. */
const toInstant = (text: string): string | null => {
  const [date, rest] = [text.slice(0, 10), text.slice(10)]
  if (rest === '' || /^(?:Z|[+-]\d\d:\d\d)$/.test(rest))
    return IsoDate.safeParse(date).success ? `${date}T00:00:00.000Z` : null
  if (!IsoTime.safeParse(text).success) return null
  return new Date(HAS_ZONE.test(text) ? text : `${text}Z`).toISOString()
}

/**
 * Reads an unsigned decimal amount in minor units, exactly: `toMinorUnits('1.50', 'EUR')` is `150n`. Null for any other
 * text, an unknown currency, and more decimals than the currency has.
 */
export const toMinorUnits = (text: string, currency: string): bigint | null => {
  const decimals = minorUnitDecimals(currency)
  if (decimals === null || !/^\d{1,18}(?:\.\d{1,18})?$/.test(text)) return null
  const [, fraction = ''] = text.split('.')
  return fraction.replace(/0+$/, '').length > decimals ? null : toUnits(text, decimals)
}

/** Completes a line whose amount has been read. @returns the line, or why it is rejected */
export const toBankLine = (raw: RawLine, amountMinor: bigint, names: FieldNames): BankLine | string => {
  const lineId = withoutBreaks(raw.lineId ?? '')
  if (lineId === '' || lineId.length > MAX_ID_LENGTH)
    return `${names.lineId}: 1 to ${MAX_ID_LENGTH} characters are required.`
  const bookedAt = toInstant(raw.bookedAt ?? '')
  if (bookedAt === null)
    return `${names.bookedAt}: a date (YYYY-MM-DD) or a time in ISO 8601 with seconds is required.`
  const currency = raw.currency ?? ''
  if (minorUnitDecimals(currency) === null)
    return `${names.currency}: the ISO 4217 code of a currency in circulation is required.`
  const returnReason = toText(raw.returnReason ?? null)
  const line = {
    lineId,
    bookedAt,
    amountMinor,
    currency,
    reference: toText(raw.reference),
    counterparty: toText(raw.counterparty),
    ...(returnReason !== null && { returnReason }),
  }
  return isStorable(`${lineId}${line.reference ?? ''}${line.counterparty ?? ''}${returnReason ?? ''}`)
    ? line
    : `${names.lineId}, reference or counterparty: the character U+0000 is not allowed.`
}
