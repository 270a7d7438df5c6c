import { z } from 'zod'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NoBody, Timestamp } from '../primitives.ts'

/** A link to the portal; it opens one session, within 15 minutes. */
export const PortalLink = z.object({ url: z.string(), expires_at: Timestamp })

const reply = z.object({ portal_link: PortalLink })

/** `gateway.portal-links` (decisions §22). */
export const portalLinks = resource('gateway.portal-links', {
  createOfPartner: operation({
    operationId: 'createPartnerPortalLink',
    http: post('/partners/:partnerId/portal-links', { status: 201, ofPartner: true }),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Create a portal link for a partner',
    description:
      'Use it to let a partner’s employee manage its webhooks. The link works once, within 15 minutes, and starts a session of 8 hours. Anyone who opens it acts for the partner.',
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    body: NoBody,
    reply,
    refusals: ['resource_not_found'],
  }),
  createOfMerchant: operation({
    operationId: 'createMerchantPortalLink',
    http: post('/merchants/:customerId/portal-links', { status: 201, ofMerchant: true }),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Create a portal link for a merchant',
    description:
      'Use it to let a merchant’s employee manage its webhooks. The link works once, within 15 minutes, and starts a session of 8 hours. Anyone who opens it acts for the merchant.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: NoBody,
    reply,
    refusals: ['resource_not_found'],
  }),
  createOwn: operation({
    operationId: 'createPortalLink',
    http: post('/portal-links', { status: 201 }),
    tag: 'API keys',
    summary: 'Create a portal link for one of your people',
    description:
      'Use it to link from your own pages to the portal. The link works once, within 15 minutes, and starts a session of 8 hours.',
    caller: 'merchant',
    body: NoBody,
    reply,
  }),
})
