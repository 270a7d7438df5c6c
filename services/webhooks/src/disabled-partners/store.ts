import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { NEXT_REVISION } from '../destinations/store.ts'

/**
 * Locks the set and confirms it under its revision at the gateway. Null where a newer one is known that was confirmed
 * after `lapsedBefore`.
 */
export const confirmDisabledPartners = queryOne({
  name: 'disabled-partners.confirm',
  parameters: { revision: 'bigint', now: 'timestamptz', lapsedBefore: 'timestamptz' },
  text: `
    UPDATE disabled_partner_set SET revision = :revision, confirmed_at = :now
    WHERE revision <= :revision OR confirmed_at < :lapsedBefore
    RETURNING revision`,
  row: z.object({ revision: z.number() }),
})

/** Replaces the set. @returns the partners that were added or removed */
export const replaceDisabledPartners = queryMany({
  name: 'disabled-partners.replace',
  parameters: { partnerIds: 'text[]' },
  text: `
    WITH enabled AS (
      DELETE FROM disabled_partners WHERE partner_id <> ALL (:partnerIds) RETURNING partner_id
    ), disabled AS (
      INSERT INTO disabled_partners (partner_id) SELECT unnest(:partnerIds)
      ON CONFLICT DO NOTHING
      RETURNING partner_id
    )
    SELECT partner_id FROM enabled UNION ALL SELECT partner_id FROM disabled`,
  row: z.object({ partnerId: z.string() }),
})

/** Takes the next revision of destinations, and the lock with it. */
export const nextDestinationRevision = queryOne({
  name: 'disabled-partners.next-revision',
  text: NEXT_REVISION,
  row: z.object({ revision: z.number() }),
})

/**
 * Gives all destinations of these partners a revision, so that every replica reads them again. In a separate statement:
 * only one that begins under the lock sees a destination that was created meanwhile.
 */
export const reviseDestinations = queryNone({
  name: 'disabled-partners.revise-destinations',
  parameters: { partnerIds: 'text[]', revision: 'bigint' },
  text: `
    UPDATE destinations SET revision = :revision
    WHERE channel = 'partner' AND owner_id = ANY (:partnerIds) AND removed_at IS NULL`,
})
