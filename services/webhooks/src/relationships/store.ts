import { queryNone } from '@causeway/chassis'

/** Records the newest state of each relationship; repeated and late states change nothing. */
export const upsertRelationships = queryNone({
  name: 'relationships.record',
  parameters: { ids: 'text[]', revoked: 'boolean[]', versions: 'bigint[]' },
  text: `
    INSERT INTO relationships AS known (partner_customer_id, is_revoked, version)
    SELECT DISTINCT ON (id) id, revoked, version
    FROM unnest(:ids, :revoked, :versions) AS given (id, revoked, version)
    ORDER BY id, version DESC
    ON CONFLICT (partner_customer_id) DO UPDATE SET is_revoked = excluded.is_revoked, version = excluded.version
      WHERE excluded.version > known.version`,
})

/**
 * SQL: the relationship of a partner's event `e`, by its body; null for other events and for the notice of a revocation,
 * which is sent although the relationship is revoked. Quotes inside of a text are escaped in JSON: no text matches. A
 * column would cost every event a write, for a check of those that wait.
 */
export const STOPPABLE_RELATIONSHIP = `CASE WHEN e.type <> 'customer.updated'
    OR position('"relationship_status":"revoked"' IN e.body) = 0
  THEN substring(e.body FROM '"partner_customer_id":"(pcu_[0-9a-z]{26})"') END`
