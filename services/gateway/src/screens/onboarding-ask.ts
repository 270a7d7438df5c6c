import { call, type Bus, type Clock } from '@causeway/chassis'
import {
  agreements,
  customers,
  documents,
  nextSteps,
  requirements,
  verifications,
  type Brand,
  type Caller,
  type Operation,
} from '@causeway/contracts'
import type { Ask } from '@causeway/screens'
import type { Places } from '../pipeline/places.ts'

/** The session of an onboarding link. */
export type OpenedLink = Readonly<{
  onboardingLinkId: string
  partnerId: string
  partnerName: string
  brand: Brand | null
  customerId: string
  returnUrl: string | null
}>

/** Whom services see: the link's partner, and in the place of its client the link. */
export const callerOf = ({ partnerId, onboardingLinkId }: OpenedLink): Caller => ({
  kind: 'partner',
  partnerId,
  clientId: onboardingLinkId,
})

type Input = Parameters<Ask>[1]
type Allowed = Readonly<{
  operation: Operation
  safe: boolean
  /** Checks whether the merchant may make this call, of those that the partner may make. */
  allows?: (body: unknown) => boolean
}>

/** All that a link lets its holder do. Each names the customer in its path, but for the schema, which is the same for all. */
const ALLOWED: readonly Allowed[] = [
  { operation: customers.get, safe: true },
  { operation: nextSteps.list, safe: true },
  { operation: verifications.getSchema, safe: true },
  { operation: verifications.getByCustomer, safe: true },
  { operation: documents.list, safe: true },
  { operation: agreements.list, safe: true },
  { operation: requirements.list, safe: true },
  { operation: requirements.get, safe: true },
  {
    operation: verifications.submit,
    safe: false,
    // The partner's own fields are not the merchant's.
    allows: (body) => (body as { additional_data?: unknown } | undefined)?.additional_data === undefined,
  },
  { operation: agreements.accept, safe: false },
  {
    operation: requirements.update,
    safe: false,
    // To accept or to cancel is for who has raised it.
    allows: (body) => (body as { status?: unknown } | undefined)?.status === 'fulfilled',
  },
]
const BY_SUBJECT = new Map(ALLOWED.map((allowed) => [allowed.operation.subject, allowed]))

const namesCustomer = (operation: Operation, { params }: Input, customerId: string): boolean =>
  operation.subject === verifications.getSchema.subject
    ? params === undefined
    : (params as { customerId?: unknown } | undefined)?.customerId === customerId

export type OnboardingAskOptions = Readonly<{
  bus: Bus
  clock: Clock
  timeoutMs: number
  /** Limits concurrent calls, for each link as for each client. */
  places: Places
}>

/** Calls operations for the holder of a link, about its own customer alone; everything else is answered as not found. */
export const onboardingAsk = (
  { bus, clock, timeoutMs, places }: OnboardingAskOptions,
  link: OpenedLink,
  requestId: string,
): Ask => {
  const { customerId, onboardingLinkId } = link
  const ask = async (operation: Operation, input: Input) => {
    const allowed = BY_SUBJECT.get(operation.subject)
    if (
      allowed === undefined ||
      !namesCustomer(operation, input, customerId) ||
      allowed.allows?.(input.body) === false
    )
      return { ok: false as const, code: 'resource_not_found' as const }
    if (!places.enter('onboarding', onboardingLinkId))
      return { ok: false as const, code: 'temporarily_unavailable' as const }
    try {
      const { params, query, body } = input
      const caller = callerOf(link)
      const { safe } = allowed
      return await call(bus, clock, operation, { params, query, body, caller, requestId, timeoutMs, safe })
    } finally {
      places.leave('onboarding', onboardingLinkId)
    }
  }
  return ask as Ask
}
