import { implement, newId, refuse, reply } from '@causeway/chassis'
import { CAPABILITIES, partners, SCOPES, type Partner } from '@causeway/contracts'
import { appendEnd } from '../audit/store.ts'
import { inOrder, NEW_CLIENT, presentClient } from '../clients/domain.ts'
import { macOfClientSecret, newClientSecret } from '../clients/secrets.ts'
import { insertClient, insertSecret, listClientsOfPartner } from '../clients/store.ts'
import type { GatewayContext } from '../context.ts'
import { getPartner, insertPartner, listPartners, updatePartner, type PartnerRecord } from './store.ts'

const LIST = 'partners'
/** Before every partner. */
const START = [new Date(0).toISOString(), '']

/** How the API shows a partner (decisions §14). */
const present = (partner: PartnerRecord): Partner => ({
  partner_id: partner.partnerId,
  name: partner.name,
  status: partner.status,
  scopes: partner.scopes,
  default_capabilities: partner.defaultCapabilities,
  created_at: partner.createdAt.toISOString(),
})

/** `gateway.partners` (decisions §14). */
export const partnerOperations = ({ db, vault, changeFeed, cursors }: GatewayContext) =>
  implement(partners, {
    async create({ body, requestId, now }) {
      const partner: PartnerRecord = {
        partnerId: newId('partner'),
        name: body.name,
        status: 'active',
        scopes: inOrder(SCOPES, body.scopes ?? SCOPES),
        defaultCapabilities: inOrder(CAPABILITIES, body.default_capabilities ?? CAPABILITIES),
        createdAt: now,
      }
      const { partnerId, scopes } = partner
      const clientId = newId('client')
      const clientSecret = newClientSecret()
      const secretMac = macOfClientSecret(vault, clientId, clientSecret)
      await changeFeed.transaction(async (tx, revision) => {
        await insertPartner(tx, { ...partner, revision })
        await insertClient(tx, { ...NEW_CLIENT, clientId, partnerId, scopes, createdAt: now, revision })
        await insertSecret(tx, { clientId, secretMac, createdAt: now })
        const after = { partner: present(partner), client: { client_id: clientId } }
        await appendEnd(tx, { requestId, target: partnerId, before: null, after })
      })
      return reply({
        partner: present(partner),
        client: { client_id: clientId, client_secret: clientSecret },
      })
    },

    async list({ query: { cursor, limit } }) {
      const position = cursor === null ? START : cursors.decode(LIST, cursor)
      if (position === null) return refuse('invalid_cursor')
      const [createdAt = '', afterPartnerId = ''] = position
      const rows = await listPartners(db, { afterCreatedAt: new Date(createdAt), afterPartnerId, limit })
      const last = rows.length === limit ? rows.at(-1) : undefined
      return reply({
        partners: rows.map(present),
        next_cursor: last ? cursors.encode(LIST, [last.createdAt.toISOString(), last.partnerId]) : null,
      })
    },

    async get({ params: { partnerId } }) {
      const partner = await getPartner(db, { partnerId })
      if (partner === null) return refuse('resource_not_found')
      const clients = await listClientsOfPartner(db, { partnerId })
      return reply({ partner: present(partner), clients: clients.map(presentClient) })
    },

    update: ({ params: { partnerId }, body, requestId }) =>
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
        await appendEnd(tx, { requestId, before: present(before), after: present(after) })
        return reply({ partner: present(after) })
      }),
  })
