import { describeId, idKindOf, kindOfPrefix } from '@causeway/contracts'
import type { z } from 'zod'
import type { Hint } from '../details.ts'
import { nearestOf } from './nearest.ts'

type Issue = z.core.$ZodIssue

/** Most values that a refusal lists. */
const MAX_ALLOWED = 50

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a web address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'a block of IPv4 addresses (192.0.2.0/24)',
  cidrv6: 'a block of IPv6 addresses (2001:db8::/32)',
  date: 'a date in the form YYYY-MM-DD',
  datetime: 'a time in ISO 8601 with an offset or Z, such as 2026-11-01T12:00:00Z',
}

/** JSON types by zod's names. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** The unit of a size, by zod's origins; numbers have none. */
const COUNTED: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  object: 'field',
  map: 'field',
  record: 'field',
}

const inWords = (expected: string | undefined): Hint => (expected ? { expected } : {})

/** Returns `Did you mean EUR?` where a candidate is near. */
export const didYouMean = (given: unknown, candidates: Iterable<unknown>): Hint => {
  const nearest = nearestOf(given, candidates)
  return nearest === null ? {} : { hint: `Did you mean ${nearest}?` }
}

const hintOfValues = (values: readonly unknown[], given: unknown): Hint => ({
  ...(values.length <= MAX_ALLOWED
    ? { allowed: values }
    : inWords(`one of ${values.length} values, such as ${values.slice(0, 3).join(', ')}`)),
  ...didYouMean(given, values),
})

/** Names a bound: `at most 100 characters`, `more than 0`. */
const boundOf = (words: string, bound: number | bigint, origin: string): string => {
  const counted = COUNTED[origin]
  return counted === undefined
    ? `${words} ${bound}`
    : `${words} ${bound} ${counted}${Number(bound) === 1 ? '' : 's'}`
}

const ID_PATTERN = /^\/\^([a-z]{3})_\[0-7\]/

/** Names the kind of id that a pattern accepts, and says so where an id of another kind was given. */
const hintOfPattern = (pattern: string | undefined, given: unknown): Hint => {
  const kind = kindOfPrefix(ID_PATTERN.exec(pattern ?? '')?.[1])
  if (kind === null) return inWords(pattern && `text that matches ${pattern}`)
  const expected = describeId(kind)
  const other = typeof given === 'string' ? idKindOf(given) : null
  return other === null || other === kind
    ? { expected }
    : { expected, hint: `This is ${describeId(other)}; give ${expected}.` }
}

/** Checks whether an alternative of a union accepts values of this type and refuses only this value. */
export const isOfRightType = (issues: readonly Issue[]): boolean =>
  issues.some(({ code, path }) => code !== 'invalid_type' && path.length === 0)

/** Combines the hints of a union's alternatives: those that accept values of this type, or all where none does. */
const hintOfUnion = (alternatives: readonly (readonly Issue[])[], given: unknown): Hint => {
  const ofRightType = alternatives.filter(isOfRightType)
  const hints = (ofRightType.length > 0 ? ofRightType : alternatives).flatMap((issues) =>
    issues.filter(({ path }) => path.length === 0).map((issue) => hintOf(issue, given)),
  )
  const texts = hints.flatMap(({ allowed, expected }) => expected ?? (allowed ?? []).map(String))
  const hint = hints.find((each) => each.hint !== undefined)?.hint
  return { ...inWords([...new Set(texts)].join(' or ')), ...(hint !== undefined && { hint }) }
}

/**
 * Describes what is accepted instead of a value. A refinement states it in `params.expected`, and the values that a typing
 * error may have missed in `params.candidates`.
 */
export const hintOf = (issue: Issue, given: unknown): Hint => {
  switch (issue.code) {
    case 'invalid_value':
      return hintOfValues(issue.values, given)
    case 'invalid_type':
      return inWords(TYPES[issue.expected])
    case 'too_big':
      return inWords(
        boundOf(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin),
      )
    case 'too_small':
      return inWords(
        boundOf(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin),
      )
    case 'invalid_format': {
      const format = FORMATS[issue.format]
      return format === undefined ? hintOfPattern(issue.pattern, given) : inWords(format)
    }
    case 'invalid_union':
      return hintOfUnion(issue.errors, given)
    case 'invalid_key':
      return issue.issues[0] === undefined ? {} : hintOf(issue.issues[0], issue.path.at(-1))
    case 'not_multiple_of':
      return inWords(`a multiple of ${issue.divisor}`)
    case 'custom': {
      const { expected, candidates } = (issue.params ?? {}) as {
        expected?: string
        candidates?: Iterable<unknown>
      }
      return { ...inWords(expected), ...didYouMean(given, candidates ?? []) }
    }
    case 'invalid_element':
    case 'unrecognized_keys':
      return {}
  }
}
