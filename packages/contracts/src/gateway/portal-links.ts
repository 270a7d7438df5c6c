import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, NoBody, Timestamp } from '../primitives.ts'

/** A link to the portal; it opens one session, within 15 minutes. */
export const PortalLink = z.object({ url: z.string(), expires_at: Timestamp })

const reply = z.object({ portal_link: PortalLink })

/** `gateway.portal-links` (decisions §22). */
export const portalLinks = resource('gateway.portal-links', {
  createOfPartner: operation({
    operationId: 'createPartnerPortalLink',
    summary: 'Make a link to the portal for a partner’s people',
    description:
      'Use it to let a person of the partner see and manage its webhooks. The link opens one session of 8 hours, within 15 minutes: whoever opens it first acts for the partner.',
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    body: NoBody,
    reply,
    refusals: ['resource_not_found'],
  }),
  createOfMerchant: operation({
    operationId: 'createMerchantPortalLink',
    summary: 'Make a link to the portal for a merchant’s people',
    description:
      'Use it to let a person of the merchant see and manage its webhooks. The link opens one session of 8 hours, within 15 minutes: whoever opens it first acts for the merchant.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: NoBody,
    reply,
    refusals: ['resource_not_found'],
  }),
  createOwn: operation({
    operationId: 'createPortalLink',
    summary: 'Make a link to the portal for one of your people',
    description:
      'Use it to send a person of yours to the portal from your own pages. The link opens one session of 8 hours, within 15 minutes.',
    caller: 'merchant',
    body: NoBody,
    reply,
  }),
})
