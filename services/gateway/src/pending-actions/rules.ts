import { createHash } from 'node:crypto'
import { refuse } from '@causeway/chassis'
import {
  apiKeys,
  capabilities,
  clientKeys,
  clients,
  destinations,
  merchants,
  partners,
  portalLinks,
  relationships,
  reviews,
  staffKeys,
  type Operation,
  type Refusal,
} from '@causeway/contracts'
import { z } from 'zod'

/** Groups of actions that the setting FOUR_EYES names. */
export const FOUR_EYES = ['approval', 'reinstatement', 'keys'] as const
export type FourEyes = (typeof FOUR_EYES)[number]

/** What a rule reads before an action is asked for, and again before it is carried out: nothing of it may have changed. */
type Precondition = Readonly<{
  operation: Operation
  /** What is kept of the reply, and shown as what would change. */
  of: (reply: unknown) => unknown
}>

/** When an action needs two persons. */
export type Rule = Readonly<{
  group: FourEyes
  before?: Precondition
  /** Whether a request needs the second person; left out: each does. */
  covers?: (body: unknown, before: unknown) => boolean
  /** Why it would be refused as things stand: nobody has to be asked for that. */
  refusal?: (before: unknown, body: unknown) => Refusal | null
  /** The body with which the service itself refuses when what was read has changed meanwhile. */
  guardedBody?: (body: unknown, before: unknown) => unknown
  /** Whether a second run after one whose outcome is unknown changes nothing. */
  isRepeatable?: true
}>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A case by its state, and by a hash of all that a reviewer sees of it; cursors differ from read to read. */
const caseOf = (reply: unknown) => {
  const { verification } = reviews.get.reply.parse(reply)
  const content = JSON.stringify(verification, (name, value: unknown) =>
    name.endsWith('next_cursor') ? undefined : value,
  )
  return {
    status: verification.status,
    submitted_at: verification.submitted_at,
    content_sha256: sha256(content),
  }
}
const CaseBefore = z.object({ status: z.string() })

const relationshipOf = (reply: unknown) => ({
  relationship_status: relationships.getByStaff.reply.parse(reply).customer.relationship_status,
})
const RelationshipBefore = z.object({ relationship_status: z.string() })

const Suspension = z.object({ capabilities: z.array(z.string()), expected: z.array(z.string()).optional() })
const suspensionOf = (reply: unknown) => ({
  capabilities: merchants.get.reply.parse(reply).suspended_capabilities,
})

const lifts = (body: unknown, before: unknown): boolean => {
  const kept = new Set(Suspension.parse(body).capabilities)
  return Suspension.parse(before).capabilities.some((capability) => !kept.has(capability))
}

const notAsExpected = (before: unknown, body: unknown): Refusal | null => {
  const { capabilities: suspended } = Suspension.parse(before)
  const { expected } = Suspension.parse(body)
  return expected === undefined || String([...expected].sort()) === String([...suspended].sort())
    ? null
    : refuse('invalid_state', [{ reason: 'not_as_expected', capabilities: suspended }])
}

/** Disabling stops what may be known to others: it never waits. */
const doesMoreThanDisable =
  (harmless: readonly string[]) =>
  (body: unknown): boolean => {
    const asked = Object.entries(body as Readonly<Record<string, unknown>>)
    return asked.some(
      ([name, value]) => !harmless.includes(name) && !(name === 'status' && value === 'disabled'),
    )
  }

const key: Rule = { group: 'keys' }

/** Every action that FOUR_EYES can hold up, by the subject of its operation (decisions §14). */
const RULES: ReadonlyMap<string, Rule> = new Map(
  (
    [
      [
        reviews.approve,
        {
          group: 'approval',
          before: { operation: reviews.get, of: caseOf },
          refusal: (before) => {
            const { status } = CaseBefore.parse(before)
            return status === 'pending' ? null : refuse('invalid_state', [{ from: status, to: 'approved' }])
          },
          isRepeatable: true,
        },
      ],
      [
        relationships.reinstate,
        {
          group: 'reinstatement',
          before: { operation: relationships.getByStaff, of: relationshipOf },
          refusal: (before) => {
            const { relationship_status: status } = RelationshipBefore.parse(before)
            return status === 'revoked' ? null : refuse('invalid_state', [{ from: status, to: 'active' }])
          },
          isRepeatable: true,
        },
      ],
      [
        capabilities.suspend,
        {
          group: 'reinstatement',
          before: { operation: merchants.get, of: suspensionOf },
          covers: lifts,
          refusal: notAsExpected,
          guardedBody: (body, before) => ({
            ...(body as object),
            expected: Suspension.parse(before).capabilities,
          }),
          isRepeatable: true,
        },
      ],
      [partners.create, key],
      [partners.update, { ...key, covers: doesMoreThanDisable(['name', 'default_capabilities']) }],
      [clients.create, key],
      [clients.rotateSecret, key],
      [clients.update, { ...key, covers: doesMoreThanDisable(['daily_refund_limit_cents']) }],
      [clientKeys.replace, key],
      [apiKeys.create, key],
      [staffKeys.create, key],
      [portalLinks.createOfPartner, key],
      [portalLinks.createOfMerchant, key],
      [destinations.create, key],
      [destinations.rotateSecret, key],
    ] as const satisfies readonly (readonly [Operation, Rule])[]
  ).map(([operation, rule]) => [operation.subject, rule]),
)

/** The rule of an operation; undefined where it never needs two persons. */
export const ruleOf = (subject: string): Rule | undefined => RULES.get(subject)

/** Subjects of all operations with a rule. */
export const HELD_SUBJECTS: readonly string[] = [...RULES.keys()]

const OPERATOR_KEY = 'operator:'

/** Whether two names of the audit log are one person: the key of the setting is one, also after it was changed. */
export const isSamePerson = (one: string, other: string): boolean =>
  one === other || (one.startsWith(OPERATOR_KEY) && other.startsWith(OPERATOR_KEY))

/** The hash that names a request. */
export const requestHash = (request: Readonly<Record<string, unknown>>): string =>
  sha256(JSON.stringify(request))
