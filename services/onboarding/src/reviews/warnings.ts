import type { FieldWarning, KybRecord } from '@causeway/contracts'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

const ADULT_YEARS = 18
const MAX_AGE_YEARS = 100
/** The first companies on shares are of this time; an earlier year is a slip. */
const FIRST_YEAR = '1600'

/** The date that many years before `now`, as YYYY-MM-DD. */
const yearsBefore = (now: Date, years: number): string =>
  `${String(now.getUTCFullYear() - years).padStart(4, '0')}${now.toISOString().slice(4, 10)}`

/** Dates of the form YYYY-MM-DD compare as texts. */
const birthWarning = (date: string, now: Date): FieldWarning['reason'] | null => {
  if (date > now.toISOString().slice(0, 10)) return 'in_the_future'
  if (date > yearsBefore(now, ADULT_YEARS)) return 'under_18'
  return date < yearsBefore(now, MAX_AGE_YEARS) ? 'over_100' : null
}

/** @param country of numbers without a country code; null where it is unknown, then those are no numbers */
const isPhoneNumber = (text: string, country: string | null): boolean => {
  const region = country !== null && isSupportedCountry(country) ? country : undefined
  return parsePhoneNumberFromString(text, region)?.isPossible() ?? false
}

type Value = string | null | undefined

/**
 * Returns the fields of a submission that cannot be right, or should not be, in the order of the form. They are accepted
 * (decisions §7) and marked for the reviewer.
 */
export const warningsOf = (record: KybRecord, now: Date): FieldWarning[] => {
  const home = record.registered_address.country ?? null
  const phone = (field: string, value: Value, country: Value): FieldWarning[] =>
    value == null || isPhoneNumber(value, country ?? home) ? [] : [{ field, reason: 'not_a_phone_number' }]
  const birth = (field: string, value: Value): FieldWarning[] => {
    const reason = value == null ? null : birthWarning(value, now)
    return reason === null ? [] : [{ field, reason }]
  }
  const founded = record.business.incorporation_date
  const owned = record.ubos.reduce((sum, { ownership_percent: percent }) => sum + (percent ?? 0), 0)
  // The sum of decimal fractions may exceed 100 by a binary rounding error.
  const ownsTooMuch = Math.round(owned * 1e6) > 100 * 1e6
  return [
    ...(founded != null && founded < FIRST_YEAR
      ? [{ field: 'business.incorporation_date', reason: 'before_1600' } as const]
      : []),
    ...phone('contact.phone', record.contact.phone, null),
    ...(['directors', 'ubos'] as const).flatMap((list) =>
      record[list].flatMap((person, index) => [
        ...birth(`${list}.${index}.date_of_birth`, person.date_of_birth),
        ...phone(`${list}.${index}.phone`, person.phone, person.country),
      ]),
    ),
    ...(ownsTooMuch ? [{ field: 'ubos', reason: 'above_100_percent' } as const] : []),
  ]
}
