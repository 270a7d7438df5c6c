import type { ErrorDetail, FieldReason } from '@causeway/contracts'
import type { z } from 'zod'
import { createDetails, type Details, type Hint } from '../details.ts'

type Issue = z.core.$ZodIssue

const sizeReason = (origin: string, large: boolean): FieldReason => {
  if (origin === 'string') return large ? 'too_long' : 'too_short'
  if (
    origin === 'array' ||
    origin === 'set' ||
    origin === 'object' ||
    origin === 'map' ||
    origin === 'record'
  )
    return large ? 'too_many' : 'too_short'
  return large ? 'too_big' : 'too_small'
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  )

/** Checks whether an alternative of a union accepts values of this type and refuses only this value. */
const isOfRightType = (issues: readonly Issue[]): boolean =>
  issues.some(({ code, path }) => code !== 'invalid_type' && path.length === 0)

const reasonOf = (issue: Issue, input: unknown): FieldReason => {
  if (issue.code === 'custom') return (issue.params?.['reason'] as FieldReason | undefined) ?? 'invalid_value'
  if (valueAt(input, issue.path) === undefined) return 'required'
  switch (issue.code) {
    case 'invalid_type':
      return 'invalid_type'
    case 'invalid_union':
      return issue.errors.some(isOfRightType) ? 'invalid_value' : 'invalid_type'
    case 'too_big':
      return sizeReason(issue.origin, true)
    case 'too_small':
      return sizeReason(issue.origin, false)
    case 'invalid_format':
      return issue.format === 'datetime' || issue.format === 'date' ? 'invalid_date' : 'invalid_value'
    case 'invalid_key': {
      const [fault] = issue.issues
      return fault === undefined ? 'invalid_value' : reasonOf(fault, issue.path.at(-1))
    }
    case 'invalid_value':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return 'invalid_value'
  }
}

/** Most values that a refusal lists. */
const MAX_ALLOWED = 50

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a web address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'a block of IPv4 addresses (192.0.2.0/24)',
  cidrv6: 'a block of IPv6 addresses (2001:db8::/32)',
}

const inWords = (expected: string | undefined): Hint => (expected ? { expected } : {})

const hintOfValues = (values: readonly unknown[]): Hint =>
  values.length <= MAX_ALLOWED
    ? { allowed: values }
    : inWords(`one of ${values.length} values, such as ${values.slice(0, 3).join(', ')}`)

/** Combines the hints of the alternatives that accept values of this type. */
const hintOfUnion = (alternatives: readonly (readonly Issue[])[]): Hint => {
  const hints = alternatives
    .filter(isOfRightType)
    .flatMap((issues) => issues.filter(({ path }) => path.length === 0).map(hintOf))
  const texts = hints.flatMap(({ allowed, expected }) => expected ?? (allowed ?? []).map(String))
  return inWords([...new Set(texts)].join(' or '))
}

/** Describes the values that are accepted instead of an `invalid_value`. A refinement states them in `params.expected`. */
const hintOf = (issue: Issue): Hint => {
  switch (issue.code) {
    case 'invalid_value':
      return hintOfValues(issue.values)
    case 'invalid_format':
      return inWords(FORMATS[issue.format] ?? (issue.pattern && `text that matches ${issue.pattern}`))
    case 'invalid_union':
      return hintOfUnion(issue.errors)
    case 'invalid_key':
      return issue.issues[0] === undefined ? {} : hintOf(issue.issues[0])
    case 'not_multiple_of':
      return inWords(`a multiple of ${issue.divisor}`)
    case 'custom':
      return inWords(issue.params?.['expected'] as string | undefined)
    case 'invalid_type':
    case 'too_big':
    case 'too_small':
    case 'invalid_element':
    case 'unrecognized_keys':
      return {}
  }
}

/** Adds zod's issues, each bad field once (decisions §1, "Which 400 details"). */
export const addZodIssues = (details: Details, error: z.ZodError, input: unknown): void => {
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) details.add([...issue.path, key], 'unknown_field')
    else {
      const reason = reasonOf(issue, input)
      details.add(issue.path, reason, reason === 'invalid_value' ? hintOf(issue) : {})
    }
  }
}

/** zod's issues as the API's details. */
export const detailsFromZod = (error: z.ZodError, input: unknown): readonly ErrorDetail[] => {
  const details = createDetails()
  addZodIssues(details, error, input)
  return details.list()
}
