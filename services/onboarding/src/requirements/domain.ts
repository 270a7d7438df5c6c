import { refuse } from '@causeway/chassis'
import type { Refusal, RequirementStatus } from '@causeway/contracts'

/** Limit of open requirements of one party on a merchant (spec: Limits; decisions §8). */
const MAX_OPEN = 50
/** Limit of all requirements of one partner on a merchant, resolved ones included (decisions §18). */
const MAX_RAISED = 1_000

/** A party to a requirement: a partner by its id, or null for the platform itself. */
export type Party = string | null

type Transition = Readonly<{ from: RequirementStatus; to: RequirementStatus; by: 'anyone' | 'raiser' }>

/** Every transition (spec: Requirement transitions; decisions §8). All others are refused. */
const TRANSITIONS: readonly Transition[] = [
  { from: 'open', to: 'fulfilled', by: 'anyone' },
  { from: 'fulfilled', to: 'satisfied', by: 'raiser' },
  { from: 'open', to: 'cancelled', by: 'raiser' },
]

/** Statuses in which a requirement still asks for something. */
export const OUTSTANDING_STATUSES = ['open', 'fulfilled'] as const satisfies readonly RequirementStatus[]

export const isResolved = (status: RequirementStatus): boolean =>
  status === 'satisfied' || status === 'cancelled'

export const checkTransition = (
  requirement: Readonly<{ status: RequirementStatus; raisedBy: Party }>,
  to: RequirementStatus,
  party: Party,
): Refusal<'invalid_state'> | null => {
  const from = requirement.status
  const isRaiser = requirement.raisedBy === party
  const allowed = TRANSITIONS.some(
    (transition) =>
      transition.from === from && transition.to === to && (transition.by === 'anyone' || isRaiser),
  )
  return allowed ? null : refuse('invalid_state', [{ from, to }])
}

/** Limits count what the party itself has raised on the merchant: no partner uses up another's (decisions §8). */
export const checkRaise = (
  party: Party,
  raised: Readonly<{ open: number; total: number }>,
): Refusal<'limit_reached'> | null => {
  if (party !== null && raised.total >= MAX_RAISED)
    return refuse('limit_reached', [{ resource: 'requirements', limit: MAX_RAISED }])
  return raised.open < MAX_OPEN ? null : refuse('limit_reached')
}
