import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { RelationshipStatus, type RelationshipState } from '@causeway/contracts'
import { z } from 'zod'
import { Eligibility } from './eligibility.ts'

const upsert = queryNone({
  name: 'relationships.upsert',
  parameters: {
    partnerCustomerIds: 'text[]',
    partnerIds: 'text[]',
    merchantIds: 'text[]',
    statuses: 'text[]',
    capabilities: 'jsonb[]',
    kybChoices: 'jsonb[]',
    versions: 'bigint[]',
  },
  text: `
    INSERT INTO relationships AS known
      (partner_customer_id, partner_id, merchant_id, status, capabilities, kyb_choices, version)
    SELECT * FROM unnest(:partnerCustomerIds, :partnerIds, :merchantIds, :statuses, :capabilities, :kybChoices, :versions)
    ON CONFLICT (partner_customer_id) DO UPDATE
      SET status = excluded.status, capabilities = excluded.capabilities,
        kyb_choices = known.kyb_choices || excluded.kyb_choices, version = excluded.version
      WHERE known.version < excluded.version`,
})

/** Capabilities as the projection stores them: by name, so that a statement can pick one. */
const capabilitiesByName = (state: RelationshipState): string =>
  JSON.stringify(
    Object.fromEntries(
      state.capabilities.map(({ capability, enabled, available, reason }) => [
        capability,
        { enabled, available, reason },
      ]),
    ),
  )

/** The newest state of each relationship: an upsert may touch a row only once. */
const newest = (states: readonly RelationshipState[]): RelationshipState[] => {
  const byId = new Map<string, RelationshipState>()
  for (const state of states) {
    const known = byId.get(state.partner_customer_id)
    if (!known || known.version < state.version) byId.set(state.partner_customer_id, state)
  }
  return [...byId.values()].sort((a, b) => (a.partner_customer_id < b.partner_customer_id ? -1 : 1))
}

/**
 * Stores states that are newer than the known ones; repeated and overtaken states change nothing. Choices that a state
 * leaves out stay: replicas of onboarding from before there were any do not state them.
 */
export const upsertRelationships = async (
  db: Queryable,
  states: readonly RelationshipState[],
): Promise<void> => {
  const rows = newest(states)
  if (rows.length === 0) return
  await upsert(db, {
    partnerCustomerIds: rows.map((state) => state.partner_customer_id),
    partnerIds: rows.map((state) => state.partner_id),
    merchantIds: rows.map((state) => state.customer_id),
    statuses: rows.map((state) => state.status),
    capabilities: rows.map(capabilitiesByName),
    kybChoices: rows.map(({ fee_handling, settlement_option }) =>
      JSON.stringify({ fee_handling, settlement_option }),
    ),
    versions: rows.map((state) => state.version),
  })
}

/** The merchant behind a relationship of this partner as projected. */
export const getMerchant = queryOne({
  name: 'relationships.find-merchant',
  parameters: { partnerCustomerId: 'text', partnerId: 'text' },
  text: `
    SELECT merchant_id FROM relationships
    WHERE partner_customer_id = :partnerCustomerId AND partner_id = :partnerId`,
  row: z.object({ merchantId: z.string() }),
})

/** The status of a relationship of this partner as projected. */
export const getRelationship = queryOne({
  name: 'fiat-orders.read-relationship',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT r.status FROM relationships r
    WHERE r.partner_id = :partnerId AND r.partner_customer_id = :partnerCustomerId`,
  row: z.object({ status: RelationshipStatus }),
})

/** Those of the ids that are no active relationships of this partner, as projected. */
export const listNotActive = queryMany({
  name: 'relationships.list-not-active',
  parameters: { partnerId: 'text', partnerCustomerIds: 'text[]' },
  text: `
    SELECT given.id FROM unnest(:partnerCustomerIds) AS given (id)
    WHERE NOT EXISTS (
      SELECT FROM relationships r
      WHERE r.partner_customer_id = given.id AND r.partner_id = :partnerId AND r.status = 'active')`,
  row: z.object({ id: z.string() }),
})

/** The status of a relationship of this partner and of its card capability, as projected. */
export const getCardEligibility = queryOne({
  name: 'chargebacks.read-standing',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT r.status, coalesce(c.enabled, false) AS enabled, coalesce(c.available, false) AS available, c.reason
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.fiat_card')
      AS c (enabled boolean, available boolean, reason text) ON true
    WHERE r.partner_id = :partnerId AND r.partner_customer_id = :partnerCustomerId`,
  row: Eligibility,
})

/** Locks an active relationship of this partner, so that what belongs to it is counted exactly. */
export const lockActiveRelationship = queryOne({
  name: 'integrations.hold-relationship',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT merchant_id FROM relationships
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND status = 'active' FOR UPDATE`,
  row: z.object({ merchantId: z.string() }),
})
