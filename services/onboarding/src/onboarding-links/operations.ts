import {
  bearerTokenHash,
  implement,
  newBearerToken,
  newId,
  refuse,
  reply,
  type Db,
  type Implementation,
} from '@causeway/chassis'
import { DEFAULT_EXPIRES_IN_HOURS, MAX_ONBOARDING_LINKS, onboardingLinks } from '@causeway/contracts'
import { lockOwnRelationship } from '../relationship-state/access.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; publicBaseUrl: string }>

const HOUR_MS = 3_600_000

/** `onboarding.onboarding-links` (decisions §22). */
export const onboardingLinkOperations = ({ db, publicBaseUrl }: Dependencies): Implementation[] =>
  implement(onboardingLinks, {
    async create({ caller: { partnerId }, params: { customerId: partnerCustomerId }, body, now }) {
      const { return_url: returnUrl = null, expires_in_hours: hours = DEFAULT_EXPIRES_IN_HOURS } = body ?? {}
      const { token, tokenHash } = newBearerToken()
      const onboardingLinkId = newId('onboardingLink')
      const expiresAt = new Date(now.getTime() + hours * HOUR_MS)
      const key = { partnerId, partnerCustomerId }
      return db.transaction(async (tx) => {
        // The lock of the merchant's row makes the count exact.
        if (!(await lockOwnRelationship(tx, partnerId, partnerCustomerId)))
          return refuse('resource_not_found')
        await store.deleteDead(tx, { ...key, now })
        if (((await store.countLive(tx, { ...key, now }))?.live ?? 0) >= MAX_ONBOARDING_LINKS)
          return refuse('limit_reached', [{ resource: 'onboarding_links', limit: MAX_ONBOARDING_LINKS }])
        await store.insert(tx, { ...key, onboardingLinkId, tokenHash, returnUrl, now, expiresAt })
        return reply({
          onboarding_link: {
            onboarding_link_id: onboardingLinkId,
            url: `${publicBaseUrl}/onboarding/${token}`,
            expires_at: expiresAt.toISOString(),
          },
        })
      })
    },

    async end({ caller: { partnerId }, params: { customerId: partnerCustomerId, onboardingLinkId }, now }) {
      const ended = await store.end(db, { partnerId, partnerCustomerId, onboardingLinkId, now })
      return ended ? reply({}) : refuse('resource_not_found')
    },

    async open({ params: { token }, now }) {
      const tokenHash = bearerTokenHash(token)
      const found = tokenHash && (await store.findLive(db, { tokenHash, now }))
      return found
        ? reply({
            onboarding_link_id: found.onboardingLinkId,
            partner_id: found.partnerId,
            partner_customer_id: found.partnerCustomerId,
            return_url: found.returnUrl,
            expires_at: found.expiresAt.toISOString(),
          })
        : refuse('resource_not_found')
    },
  })
