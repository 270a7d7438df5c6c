import { createHash } from 'node:crypto'
import { refuse } from '@causeway/chassis'
import {
  agreements,
  apiKeys,
  capabilities,
  clientKeys,
  clients,
  cryptoOrders,
  destinations,
  integrationUrls,
  partners,
  payers,
  payouts,
  personalData,
  portalLinks,
  relationships,
  reviews,
  staffKeys,
  unattributedMoney,
  type Operation,
  type Refusal,
} from '@causeway/contracts'
import { z } from 'zod'
import type { FourEyes } from './groups.ts'
import {
  CaseBefore,
  caseState,
  ClientBefore,
  clientState,
  RelationshipBefore,
  relationshipState,
  suspensionState,
  webhookState,
  type Precondition,
} from './preconditions.ts'

type Covers = (body: unknown, before: unknown) => boolean

/** When an action needs two persons. */
export type Rule = Readonly<{
  /** The groups that it belongs to, and which of its requests need the second person; left out: each does. */
  groups: Readonly<Partial<Record<FourEyes, true | Covers>>>
  before?: Precondition
  /** Why it would be refused in the present state: no second person is needed to find that out. */
  refusal?: (before: unknown, body: unknown) => Refusal | null
  /** The body with which the service itself refuses when what was read has changed meanwhile. */
  guardedBody?: (body: unknown, before: unknown) => unknown
  /** Whether a second run after one whose outcome is unknown changes nothing. */
  isRepeatable?: true
}>

const Approval = z.object({ version: z.number().optional() })

/** What the first person has read must be what is there: an edit that nobody has seen is not put before the second. */
const refusalOfApproval = (before: unknown, body: unknown): Refusal | null => {
  const { status, version, edited_at: editedAt = null } = CaseBefore.parse(before)
  const transition = { from: status, to: 'approved' }
  if (status !== 'pending') return refuse('invalid_state', [transition])
  const { version: read } = Approval.parse(body ?? {})
  const isSeen = read === undefined ? editedAt === null : read === version
  return isSeen
    ? null
    : refuse('invalid_state', [{ ...transition, reason: 'modified', version, edited_at: editedAt }])
}

const Suspension = z.object({ capabilities: z.array(z.string()), expected: z.array(z.string()).optional() })

const lifts: Covers = (body, before) => {
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
  (harmless: readonly string[]): Covers =>
  (body) => {
    const asked = Object.entries(body as Readonly<Record<string, unknown>>)
    return asked.some(
      ([name, value]) => !harmless.includes(name) && !(name === 'status' && value === 'disabled'),
    )
  }

/** The platform's own limit (null) is not known to be lower than any other: both ways between them need two persons. */
const raisesLimit: Covers = (body, before) => {
  const { daily_refund_limit_cents: asked } = ClientBefore.partial().parse(body)
  const { daily_refund_limit_cents: current = null } = ClientBefore.parse(before)
  if (asked === undefined || asked === current) return false
  return asked === null || current === null || asked > current
}

const setsUrl: Covers = (body) => (body as Readonly<{ url?: unknown }>).url !== undefined

const key: Rule = { groups: { keys: true } }
const money: Rule = { groups: { money: true } }

/** Every action that FOUR_EYES can hold up, by the subject of its operation (decisions §14). */
const RULES: ReadonlyMap<string, Rule> = new Map(
  (
    [
      [
        reviews.approve,
        {
          groups: { approval: true },
          before: caseState,
          refusal: refusalOfApproval,
          guardedBody: (_body, before) => ({ version: CaseBefore.parse(before).version }),
          isRepeatable: true,
        },
      ],
      [
        relationships.reinstate,
        {
          groups: { reinstatement: true },
          before: relationshipState,
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
          groups: { reinstatement: lifts },
          before: suspensionState,
          refusal: notAsExpected,
          guardedBody: (body, before) => ({
            ...(body as object),
            expected: Suspension.parse(before).capabilities,
          }),
          isRepeatable: true,
        },
      ],
      [partners.create, key],
      [partners.update, { groups: { keys: doesMoreThanDisable(['name', 'default_capabilities']) } }],
      [clients.create, key],
      [clients.rotateSecret, key],
      [
        clients.update,
        {
          groups: { keys: doesMoreThanDisable(['daily_refund_limit_cents']), money: raisesLimit },
          before: clientState,
        },
      ],
      [clientKeys.replace, key],
      [apiKeys.create, key],
      [staffKeys.create, key],
      [portalLinks.createOfPartner, key],
      [portalLinks.createOfMerchant, key],
      [destinations.create, key],
      [destinations.rotateSecret, key],
      [destinations.update, { groups: { webhooks: setsUrl }, before: webhookState }],
      [integrationUrls.update, { groups: { webhooks: true } }],
      // A repeated call with the same address answers with the same refund.
      [cryptoOrders.refund, { ...money, isRepeatable: true }],
      [unattributedMoney.refund, { ...money, isRepeatable: true }],
      [payouts.announce, money],
      [payouts.markSent, { ...money, isRepeatable: true }],
      [agreements.publish, { groups: { agreements: true } }],
      [agreements.retire, { groups: { agreements: true } }],
      [payers.erase, { groups: { erasure: true }, isRepeatable: true }],
      [personalData.erase, { groups: { erasure: true }, isRepeatable: true }],
    ] as const satisfies readonly (readonly [Operation, Rule])[]
  ).map(([operation, rule]) => [operation.subject, rule]),
)

/** The rule of an operation; undefined where it never needs two persons. */
export const ruleOf = (subject: string): Rule | undefined => RULES.get(subject)

/** Subjects of all operations with a rule. */
export const HELD_SUBJECTS: readonly string[] = [...RULES.keys()]

/** Whether a request needs a second person under one of the groups. */
export const needsSecondPerson = (
  { groups }: Rule,
  fourEyes: ReadonlySet<FourEyes>,
  body: unknown,
  before: unknown,
): boolean =>
  Object.entries(groups).some(
    ([group, covers]) => fourEyes.has(group as FourEyes) && (covers === true || covers(body, before)),
  )

/** The hash that names a request. */
export const requestHash = (request: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex')
