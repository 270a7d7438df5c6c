import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const RELATIONSHIP = { partnerId: 'text', partnerCustomerId: 'text' } as const

/** How many links of a relationship open something. */
export const countLive = queryOne({
  name: 'onboarding-links.count-live',
  parameters: { ...RELATIONSHIP, now: 'timestamptz' },
  text: `
    SELECT count(*) AS live FROM onboarding_links
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND expires_at > :now
      AND ended_at IS NULL`,
  row: z.object({ live: z.number() }),
})

/** Links that open nothing any more are kept until the next one is made: nothing reads them. */
export const deleteDead = queryNone({
  name: 'onboarding-links.delete-dead',
  parameters: { ...RELATIONSHIP, now: 'timestamptz' },
  text: `
    DELETE FROM onboarding_links
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId
      AND (expires_at <= :now OR ended_at IS NOT NULL)`,
})

export const insert = queryNone({
  name: 'onboarding-links.insert',
  parameters: {
    ...RELATIONSHIP,
    onboardingLinkId: 'text',
    tokenHash: 'bytea',
    returnUrl: 'text?',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO onboarding_links (id, partner_id, partner_customer_id, token_hash, return_url, created_at, expires_at)
    VALUES (:onboardingLinkId, :partnerId, :partnerCustomerId, :tokenHash, :returnUrl, :now, :expiresAt)`,
})

/** Ends a link of an active relationship; no row for one that opens nothing any more. */
export const end = queryOne({
  name: 'onboarding-links.end',
  parameters: { ...RELATIONSHIP, onboardingLinkId: 'text', now: 'timestamptz' },
  text: `
    UPDATE onboarding_links l SET ended_at = :now
    FROM relationships r
    WHERE l.id = :onboardingLinkId AND l.partner_id = :partnerId AND l.partner_customer_id = :partnerCustomerId
      AND l.expires_at > :now AND l.ended_at IS NULL AND r.id = l.partner_customer_id AND r.status = 'active'
    RETURNING l.id`,
  row: z.object({ id: z.string() }),
})

/** Finds the live link of a token; its relationship is active. */
export const findLive = queryOne({
  name: 'onboarding-links.find-live',
  parameters: { tokenHash: 'bytea', now: 'timestamptz' },
  text: `
    SELECT l.id AS onboarding_link_id, l.partner_id, l.partner_customer_id, l.return_url, l.expires_at
    FROM onboarding_links l JOIN relationships r ON r.id = l.partner_customer_id
    WHERE l.token_hash = :tokenHash AND l.expires_at > :now AND l.ended_at IS NULL AND r.status = 'active'`,
  row: z.object({
    onboardingLinkId: z.string(),
    partnerId: z.string(),
    partnerCustomerId: z.string(),
    returnUrl: z.string().nullable(),
    expiresAt: z.date(),
  }),
})
