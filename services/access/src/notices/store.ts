import { queryMany, queryNone } from '@causeway/chassis'
import { z } from 'zod'
import { HAS_ACTIVE_OWNER } from '../people/store.ts'

/** Most notices that a person is sent in an hour. */
export const NOTICES_PER_HOUR = 20

/**
 * Claims a notice for each active person of an owner with one of the roles, who has not switched its kind off: at most one
 * of each kind and subject since `since`, also on several replicas. @returns the people to whom it is sent
 */
export const claimNotices = queryMany({
  name: 'notices.claim',
  parameters: {
    ownerKind: 'text',
    ownerId: 'text',
    roles: 'text[]',
    kind: 'text',
    subject: 'text',
    now: 'timestamptz',
    since: 'timestamptz',
    hourAgo: 'timestamptz',
  },
  text: `
    WITH claimed AS (
      INSERT INTO notices AS n (person_id, kind, subject, queued_at)
      SELECT person_id, :kind, :subject, :now FROM people
      WHERE owner_kind = :ownerKind AND owner_id = :ownerId AND role = ANY (:roles) AND accepted_at IS NOT NULL
        AND removed_at IS NULL AND NOT :kind = ANY (muted_notices) AND ${HAS_ACTIVE_OWNER}
        AND (
          SELECT count(*) FROM notices sent WHERE sent.person_id = people.person_id AND sent.queued_at > :hourAgo
        ) < ${NOTICES_PER_HOUR}
      ON CONFLICT (person_id, kind, subject) DO UPDATE SET queued_at = :now WHERE n.queued_at <= :since
      RETURNING person_id
    )
    SELECT person_id, email_sealed FROM people JOIN claimed USING (person_id)`,
  row: z.object({ personId: z.string(), emailSealed: z.string() }),
})

export const purgeNotices = queryNone({
  name: 'notices.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM notices WHERE queued_at <= :before',
})
