import { implement, keysetList, newId, OLDEST_FIRST, refuse, reply } from '@causeway/chassis'
import {
  accessPartners,
  CAPABILITIES,
  DEFAULT_SCOPES,
  partners,
  SCOPES,
  type Partner,
} from '@causeway/contracts'
import { doesMoreThanDisable, inOrder, NEW_CLIENT, presentClient } from '../clients/domain.ts'
import { macOfClientSecret, newClientSecret } from '../clients/secrets.ts'
import { insertClient, insertSecret, listClientsOfPartner } from '../clients/store.ts'
import type { AccessContext } from '../context.ts'
import { endOfOwner } from '../sessions/ending.ts'
import {
  getPartner,
  insertPartner,
  listPartnerNames,
  listPartners,
  updatePartner,
  type PartnerRecord,
} from './store.ts'

/** A partner in the API (decisions §14). */
const present = (partner: PartnerRecord): Partner => ({
  partner_id: partner.partnerId,
  name: partner.name,
  status: partner.status,
  scopes: partner.scopes,
  default_capabilities: partner.defaultCapabilities,
  created_at: partner.createdAt.toISOString(),
})

/** `gateway.partners` (decisions §14). */
export const partnerOperations = ({ db, vault, changeFeed, cursors, recordEnd }: AccessContext) => {
  const all = keysetList(cursors, { name: 'partners', order: OLDEST_FIRST })
  return implement(partners, {
    async create({ body, requestId, caller, now }) {
      const partner: PartnerRecord = {
        partnerId: newId('partner'),
        name: body.name,
        status: 'active',
        scopes: inOrder(SCOPES, body.scopes ?? DEFAULT_SCOPES),
        defaultCapabilities: inOrder(CAPABILITIES, body.default_capabilities ?? CAPABILITIES),
        createdAt: now,
      }
      const { partnerId, scopes } = partner
      const clientId = newId('client')
      const clientSecret = newClientSecret()
      const secretMac = macOfClientSecret(vault, clientId, clientSecret)
      return changeFeed.transaction(async (tx, revision) => {
        await insertPartner(tx, { ...partner, revision })
        await insertClient(tx, { ...NEW_CLIENT, clientId, partnerId, scopes, createdAt: now, revision })
        await insertSecret(tx, { clientId, secretMac, createdAt: now })
        const after = { partner: present(partner), client: { client_id: clientId } }
        const credentials = { client_id: clientId, client_secret: clientSecret }
        const answer = reply({ partner: present(partner), client: credentials })
        return recordEnd(tx, { requestId, caller }, { target: partnerId, before: null, after }, answer)
      })
    },

    async list({ query: { cursor, limit } }) {
      const from = all.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const { items, nextCursor } = all.page({
        rows: await listPartners(db, { afterAt: from.at, afterId: from.id, limit }),
        limit,
        present,
        positionOf: (row) => ({ at: row.createdAt, id: row.partnerId }),
        continuesWhenFull: true,
      })
      return reply({ partners: items, next_cursor: nextCursor })
    },

    listNames: async ({ body: { ids } }) => reply({ names: await listPartnerNames(db, { partnerIds: ids }) }),

    async get({ params: { partnerId } }) {
      const partner = await getPartner(db, { partnerId })
      if (partner === null) return refuse('resource_not_found')
      const clients = await listClientsOfPartner(db, { partnerId })
      return reply({ partner: present(partner), clients: clients.map(presentClient) })
    },

    prepareUpdate: async ({ body }) =>
      reply({
        before: null,
        groups: doesMoreThanDisable(body, ['name', 'default_capabilities']) ? ['keys' as const] : [],
      }),

    update: ({ params: { partnerId }, body, caller, requestId, now }) =>
      changeFeed.transaction(async (tx, revision) => {
        const before = await getPartner(tx, { partnerId })
        if (before === null) return refuse('resource_not_found')
        const after: PartnerRecord = {
          ...before,
          name: body.name ?? before.name,
          status: body.status ?? before.status,
          scopes: inOrder(SCOPES, body.scopes ?? before.scopes),
          defaultCapabilities: inOrder(CAPABILITIES, body.default_capabilities ?? before.defaultCapabilities),
        }
        await updatePartner(tx, { ...after, revision })
        if (after.status === 'disabled')
          await endOfOwner(
            tx,
            { kind: 'partner', subject: partnerId },
            { now, actor: caller.actor, reason: 'partner_disabled' },
          )
        const [shownBefore, shownAfter] = [present(before), present(after)]
        const answer = reply({ partner: shownAfter })
        return recordEnd(tx, { requestId, caller }, { before: shownBefore, after: shownAfter }, answer)
      }),
  })
}

/** `access.partners`. */
export const partnerLookUps = ({ db }: Pick<AccessContext, 'db'>) =>
  implement(accessPartners, {
    async get({ body: { partner_id: partnerId } }) {
      const partner = await getPartner(db, { partnerId })
      return partner === null
        ? refuse('resource_not_found')
        : reply({ name: partner.name, status: partner.status })
    },
  })
