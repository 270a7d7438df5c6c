import { queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { RelationshipStatus, type RelationshipState, type UnavailableReason } from '@causeway/contracts'
import { z } from 'zod'

const upsert = queryNone({
  name: 'known-relationships.upsert',
  parameters: { states: 'jsonb', now: 'timestamptz' },
  text: `
    WITH erased AS (
      UPDATE payout_wallets AS w SET deleted_at = :now
      FROM jsonb_to_recordset(:states) AS s (partner_customer_id text, erased boolean)
      WHERE s.erased AND w.partner_customer_id = s.partner_customer_id AND w.deleted_at IS NULL
    )
    INSERT INTO relationships AS known (partner_customer_id, partner_id, merchant_id, status, grants, held, version)
    SELECT s.partner_customer_id, s.partner_id, s.merchant_id, s.status, s.grants, s.held, s.version
    FROM jsonb_to_recordset(:states) AS s (
      partner_customer_id text, partner_id text, merchant_id text, status text, grants text[], held boolean,
      version bigint)
    ORDER BY s.partner_customer_id
    ON CONFLICT (partner_customer_id) DO UPDATE
      SET status = excluded.status, grants = excluded.grants, held = excluded.held, version = excluded.version
      WHERE known.version < excluded.version`,
})

/** An unconfirmed link is named before a suspension, so it may hide one. */
const isHold = (reason: UnavailableReason | null): boolean =>
  reason === 'suspended' || reason === 'link_unconfirmed'

const present = (state: RelationshipState) => ({
  partner_customer_id: state.partner_customer_id,
  partner_id: state.partner_id,
  merchant_id: state.customer_id,
  status: state.status,
  grants: state.capabilities.filter(({ enabled }) => enabled).map(({ capability }) => capability),
  held: state.capabilities.some(({ capability, reason }) => capability === 'payouts' && isHold(reason)),
  erased: state.erased === true,
  version: state.version,
})

/**
 * Stores states that are newer than the known ones; repeated and overtaken states change nothing. The destinations of an
 * erased relationship are deleted, and then erased as any deleted one.
 */
export const upsertRelationships = async (
  db: Queryable,
  states: readonly RelationshipState[],
  now: Date,
): Promise<void> => {
  const newest = new Map<string, RelationshipState>()
  for (const state of states) {
    const known = newest.get(state.partner_customer_id)
    if (!known || known.version < state.version) newest.set(state.partner_customer_id, state)
  }
  // An upsert may touch a row only once.
  if (newest.size > 0) await upsert(db, { states: JSON.stringify([...newest.values()].map(present)), now })
}

const Standing = z.object({ status: RelationshipStatus, grants: z.array(z.string()) })
export type Standing = Readonly<z.infer<typeof Standing>>

/** The status of a relationship of this partner and its granted capabilities, as projected. */
export const getStanding = queryOne({
  name: 'known-relationships.standing',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT status, grants FROM relationships
    WHERE partner_customer_id = :partnerCustomerId AND partner_id = :partnerId`,
  row: Standing,
})

/** SQL: the owners of a merchant's money, its relationships and itself, as `owner_id`; it takes `:merchantId`. */
export const OWNERS_OF_MERCHANT = `
  SELECT partner_customer_id AS owner_id FROM relationships WHERE merchant_id = :merchantId
  UNION ALL SELECT :merchantId`
