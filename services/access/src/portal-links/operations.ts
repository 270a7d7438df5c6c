import { implement, newBearerToken, reply, type Queryable } from '@causeway/chassis'
import { portalLinks } from '@causeway/contracts'
import type { AccessContext, RecordEnd } from '../context.ts'
import { insertPortalLink, type PortalOwner } from './store.ts'

const TTL_MS = 15 * 60_000

const createLink = async (
  db: Queryable,
  owner: PortalOwner,
  { publicBaseUrl, origin, now }: Readonly<{ publicBaseUrl: string; origin: string | null; now: Date }>,
) => {
  const { token, tokenHash } = newBearerToken()
  const expiresAt = new Date(now.getTime() + TTL_MS)
  await insertPortalLink(db, { ...owner, tokenHash, origin, now, expiresAt })
  return { url: `${publicBaseUrl}/portal/${token}`, expires_at: expiresAt.toISOString() }
}

type Options = Readonly<{ publicBaseUrl: string }>

/** `gateway.portal-links` (decisions §22). The dispatcher has checked that partner and merchant of the path exist. */
export const portalLinkOperations = (
  { db, recordEnd }: Pick<AccessContext, 'db' | 'recordEnd'>,
  { publicBaseUrl }: Options,
) => {
  const createByStaff = (
    owner: PortalOwner,
    { now, ...request }: Parameters<RecordEnd>[1] & Readonly<{ now: Date }>,
  ) =>
    db.transaction(async (tx) => {
      const link = await createLink(tx, owner, { publicBaseUrl, origin: request.caller.actor, now })
      const after = { portal_link: { expires_at: link.expires_at } }
      return recordEnd(tx, request, { before: null, after }, reply({ portal_link: link }))
    })

  return implement(portalLinks, {
    createOfPartner: ({ params: { partnerId }, ...call }) =>
      createByStaff({ ownerKind: 'partner', ownerId: partnerId }, call),

    createOfMerchant: ({ params: { customerId }, ...call }) =>
      createByStaff({ ownerKind: 'merchant', ownerId: customerId }, call),

    async createOwn({ caller: { merchantId, keyId = null }, now }) {
      const owner = { ownerKind: 'merchant', ownerId: merchantId } as const
      return reply({ portal_link: await createLink(db, owner, { publicBaseUrl, origin: keyId, now }) })
    },
  })
}
