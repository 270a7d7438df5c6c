import { statement, type Queryable } from '@causeway/chassis'
import type { RelationshipState } from '@causeway/contracts'
import { z } from 'zod'

const upsert = statement({
  name: 'relationships.upsert',
  text: `
    INSERT INTO relationships AS known
      (partner_customer_id, partner_id, merchant_id, status, capabilities, version)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::bigint[])
    ON CONFLICT (partner_customer_id) DO UPDATE
      SET status = excluded.status, capabilities = excluded.capabilities, version = excluded.version
      WHERE known.version < excluded.version`,
})

const find = statement({
  name: 'relationships.find-merchant',
  text: `
    SELECT merchant_id AS "merchantId" FROM relationships
    WHERE partner_customer_id = $1 AND partner_id = $2`,
  row: z.object({ merchantId: z.string() }),
})

/** Capabilities as the projection keeps them: found by name within a statement. */
const capabilitiesByName = (state: RelationshipState): string =>
  JSON.stringify(
    Object.fromEntries(
      state.capabilities.map(({ capability, enabled, available, reason }) => [
        capability,
        { enabled, available, reason },
      ]),
    ),
  )

/** The newest state of each relationship: a statement may touch a row only once. */
const newest = (states: readonly RelationshipState[]): RelationshipState[] => {
  const byId = new Map<string, RelationshipState>()
  for (const state of states) {
    const known = byId.get(state.partner_customer_id)
    if (!known || known.version < state.version) byId.set(state.partner_customer_id, state)
  }
  return [...byId.values()].sort((a, b) => (a.partner_customer_id < b.partner_customer_id ? -1 : 1))
}

/** Keeps states that are newer than what is known; repeated and overtaken ones change nothing. */
export const keepRelationships = async (
  db: Queryable,
  states: readonly RelationshipState[],
): Promise<void> => {
  const kept = newest(states)
  if (kept.length === 0) return
  await db.query(upsert, [
    kept.map((state) => state.partner_customer_id),
    kept.map((state) => state.partner_id),
    kept.map((state) => state.customer_id),
    kept.map((state) => state.status),
    kept.map(capabilitiesByName),
    kept.map((state) => state.version),
  ])
}

/** The merchant behind a relationship of this partner as projected, or null. */
export const findMerchant = async (
  db: Queryable,
  partnerId: string,
  partnerCustomerId: string,
): Promise<string | null> => (await db.query(find, [partnerCustomerId, partnerId]))[0]?.merchantId ?? null
