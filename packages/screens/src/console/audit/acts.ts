import type { Operation } from '@causeway/contracts'
import { operationRoutes } from '@causeway/contracts/http'
import { actionTitle } from '../pending-actions/words.ts'

/** The first part of a summary: "Get a case with the data …, in pages" becomes "Get a case with the data …". */
const shortOf = ({ subject, summary }: Operation): string => {
  const title = actionTitle({ action: subject })
  return title === subject ? (summary.split(/[;:]/)[0] ?? summary) : title
}

/** Acts of staff in words, by the name of the operation that the audit log has. */
const ACTS: ReadonlyMap<string, string> = new Map(
  operationRoutes
    .filter(({ role }) => role !== null)
    .map(({ operation }) => [operation.subject, shortOf(operation)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en')),
)

/** Returns an act in words; the name of an operation that no longer exists as it is. */
export const actOf = (action: string): string => ACTS.get(action) ?? action

/** Acts to choose from, in alphabetical order. */
export const ACT_OPTIONS = [...ACTS].map(([value, text]) => ({ value, text }))
