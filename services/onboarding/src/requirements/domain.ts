import { refuse } from '@causeway/chassis'
import type { PartnerEventType, Refusal, Requirement, RequirementStatus } from '@causeway/contracts'
import { noticeTo, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'

/** The most that one party may have open on a merchant at a time (spec: Limits; decisions §8). */
const MAX_OPEN = 50
/** The most that one partner may raise on a merchant at all, closed ones included (decisions §18). */
const MAX_RAISED = 1_000

/** A party to a requirement: a partner by its id, or null for the platform itself. */
export type Party = string | null

type Move = Readonly<{ from: RequirementStatus; to: RequirementStatus; by: 'anyone' | 'raiser' }>

/** Every move there is (spec: Requirement transitions; decisions §8). What is not here is refused. */
const MOVES: readonly Move[] = [
  { from: 'open', to: 'fulfilled', by: 'anyone' },
  { from: 'fulfilled', to: 'satisfied', by: 'raiser' },
  { from: 'open', to: 'cancelled', by: 'raiser' },
]

/** What still asks for something. */
export const OUTSTANDING_STATUSES = ['open', 'fulfilled'] as const satisfies readonly RequirementStatus[]

export const isResolved = (status: RequirementStatus): boolean =>
  status === 'satisfied' || status === 'cancelled'

/** Whether a party may move a requirement; null when it may. */
export const judgeMove = (
  requirement: Readonly<{ status: RequirementStatus; raised_by: Party }>,
  to: RequirementStatus,
  party: Party,
): Refusal<'invalid_state'> | null => {
  const from = requirement.status
  const isRaiser = requirement.raised_by === party
  const allowed = MOVES.some(
    (move) => move.from === from && move.to === to && (move.by === 'anyone' || isRaiser),
  )
  return allowed ? null : refuse('invalid_state', [{ from, to }])
}

/** Judges by what the party itself has raised on the merchant: no partner uses up what is another's (decisions §8). */
export const judgeRaise = (
  party: Party,
  raised: Readonly<{ open: number; total: number }>,
): Refusal<'limit_reached'> | null => {
  if (party !== null && raised.total >= MAX_RAISED)
    return refuse('limit_reached', [{ resource: 'requirements', limit: MAX_RAISED }])
  return raised.open < MAX_OPEN ? null : refuse('limit_reached')
}

/** A requirement with the ids that its readers may not see. */
export type HeldRequirement = Readonly<
  Omit<Requirement, 'raised_by'> & {
    raised_by: Party
    /** Whose document it is. */
    document_partner_id: Party
  }
>

/** A requirement as one party reads it: who raised it from its side, and no other partner's document. */
export const seenBy = (reader: Party, held: HeldRequirement): Requirement => {
  const { document_partner_id: owner, ...shared } = held
  const raiser = held.raised_by === null ? 'service' : held.raised_by === reader ? 'you' : 'partner'
  const mayKnow = reader === null || owner === reader
  return { ...shared, raised_by: raiser, document_id: mayKnow ? held.document_id : null }
}

/**
 * What every active relationship of the merchant is told, each from its own side (decisions §8). Under an unconfirmed
 * link a partner is told of its own alone, and nobody else of those (decisions §18).
 * @param relationships all of the merchant's
 */
export const requirementNotices = (
  type: Extract<PartnerEventType, `requirement.${string}`>,
  held: HeldRequirement,
  relationships: readonly Relationship[],
): EventDraft[] => {
  const raiser = relationships.find((relationship) => relationship.partner_id === held.raised_by)
  const isShared = raiser?.link_confirmed ?? true
  return relationships
    .filter((relationship) => relationship.status === 'active')
    .filter((relationship) => relationship === raiser || (isShared && relationship.link_confirmed))
    .map((relationship) => noticeTo(relationship, type, seenBy(relationship.partner_id, held)))
}
