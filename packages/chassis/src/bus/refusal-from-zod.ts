import type { ErrorDetail, FieldReason } from '@causeway/contracts'
import type { z } from 'zod'
import { createDetails, type Details } from '../details.ts'
import { didYouMean, hintOf, isOfRightType } from './hints.ts'
import { knownKeysAt } from './known-keys.ts'

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

/**
 * Adds zod's issues, each bad field once (decisions §1, "Which 400 details").
 * @param schema by which the input was read; the known fields nearest to unknown ones are taken from it
 */
export const addZodIssues = (
  details: Details,
  error: z.ZodError,
  input: unknown,
  schema: z.ZodType,
): void => {
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        details.add([...issue.path, key], 'unknown_field', () =>
          didYouMean(key, knownKeysAt(schema, issue.path)),
        )
    else {
      const reason = reasonOf(issue, input)
      details.add(issue.path, reason, () =>
        reason === 'required' ? {} : hintOf(issue, valueAt(input, issue.path)),
      )
    }
  }
}

/** zod's issues as the API's details. */
export const detailsFromZod = (
  error: z.ZodError,
  input: unknown,
  schema: z.ZodType,
): readonly ErrorDetail[] => {
  const details = createDetails()
  addZodIssues(details, error, input, schema)
  return details.list()
}

/** The details of path parameters that are ids of a wrong kind; undefined for every other value, which is unknown. */
export const wrongIdDetails = (
  error: z.ZodError,
  input: unknown,
  schema: z.ZodType,
): readonly ErrorDetail[] | undefined => {
  // A parameter with a list of values is no id.
  const wrong = detailsFromZod(error, input, schema).filter(
    ({ hint, allowed }) => hint !== undefined && allowed === undefined,
  )
  return wrong.length === 0 ? undefined : wrong
}
