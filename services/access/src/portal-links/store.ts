import { queryMany, queryNone, queryOne } from '@causeway/chassis'
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
    origin: 'text?',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO portal_links (token_hash, owner_kind, owner_id, origin, created_at, expires_at)
    VALUES (:tokenHash, :ownerKind, :ownerId, :origin, :now, :expiresAt)`,
})

/**
 * Uses a link up; no row for one that is used, ended, expired or unknown, whose partner is disabled, or which an earlier
 * operator key made.
 */
export const usePortalLink = queryOne({
  name: 'portal-links.use',
  parameters: { tokenHash: 'bytea', now: 'timestamptz', operatorActor: 'text' },
  text: `
    UPDATE portal_links SET used_at = :now
    WHERE token_hash = :tokenHash AND used_at IS NULL AND ended_at IS NULL AND expires_at > :now
      AND (origin IS NULL OR origin NOT LIKE 'operator:%' OR origin = :operatorActor)
      AND (owner_kind = 'merchant'
           OR EXISTS (SELECT FROM partners WHERE partner_id = owner_id AND status = 'active'))
    RETURNING owner_kind, owner_id, origin`,
  row: PortalOwner.extend({ origin: z.string().nullable() }),
})

const END = `
  UPDATE portal_links SET ended_at = :now
  WHERE used_at IS NULL AND ended_at IS NULL AND expires_at > :now`
const EndedLink = z.object({ ownerId: z.string() })

/** Ends the unused links that a key or a person made. */
export const endPortalLinksByOrigin = queryMany({
  name: 'portal-links.end-by-origin',
  parameters: { origin: 'text', now: 'timestamptz' },
  text: `${END} AND origin = :origin RETURNING owner_id`,
  row: EndedLink,
})

/** Ends the unused links of a partner's or a merchant's people. */
export const endPortalLinksOfOwner = queryMany({
  name: 'portal-links.end-by-owner',
  parameters: { ownerKind: 'text', ownerId: 'text', now: 'timestamptz' },
  text: `${END} AND owner_kind = :ownerKind AND owner_id = :ownerId RETURNING owner_id`,
  row: EndedLink,
})

export const purgePortalLinks = queryNone({
  name: 'portal-links.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM portal_links WHERE expires_at <= :before',
})
