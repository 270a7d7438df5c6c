import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Whose people a link or a session of the portal is for. */
export const PortalOwner = z.object({ ownerKind: z.enum(['partner', 'merchant']), ownerId: z.string() })
export type PortalOwner = z.infer<typeof PortalOwner>

export const insertPortalLink = queryNone({
  name: 'portal-links.insert',
  parameters: {
    tokenHash: 'bytea',
    ownerKind: 'text',
    ownerId: 'text',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO portal_links (token_hash, owner_kind, owner_id, created_at, expires_at)
    VALUES (:tokenHash, :ownerKind, :ownerId, :now, :expiresAt)`,
})

/** Uses a link up; no row for one that is used, expired or unknown, or whose partner is disabled. */
export const usePortalLink = queryOne({
  name: 'portal-links.use',
  parameters: { tokenHash: 'bytea', now: 'timestamptz' },
  text: `
    UPDATE portal_links SET used_at = :now
    WHERE token_hash = :tokenHash AND used_at IS NULL AND expires_at > :now
      AND (owner_kind = 'merchant'
           OR EXISTS (SELECT FROM partners WHERE partner_id = owner_id AND status = 'active'))
    RETURNING owner_kind, owner_id`,
  row: PortalOwner,
})

export const purgePortalLinks = queryNone({
  name: 'portal-links.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM portal_links WHERE expires_at <= :before',
})
