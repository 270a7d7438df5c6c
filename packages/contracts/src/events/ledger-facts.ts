import type { DomainEvent } from './event.ts'

/** `deposit.moved` has carried its fact since before there was a ledger. */
const movedFact = ({ id, created_at: at, fact }: DomainEvent): Record<string, unknown>[] =>
  fact?.kind === 'deposit_move' ? [{ kind: 'deposit_moved', fact_id: id, at, ...fact.deposit_move }] : []

/** The facts that an event carries, as they were sent: nobody has validated them. */
export const factsOfEvent = (event: DomainEvent): Readonly<Record<string, unknown>>[] => [
  ...movedFact(event),
  ...(event.ledger_facts ?? []),
]
