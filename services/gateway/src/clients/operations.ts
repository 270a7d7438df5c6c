import { implement, newId, refuse, reply } from '@causeway/chassis'
import { clients, SCOPES } from '@causeway/contracts'
import { appendEnd } from '../audit/store.ts'
import type { GatewayContext } from '../context.ts'
import { inOrder, NEW_CLIENT, presentClient, updatedClient } from './domain.ts'
import { macOfClientSecret, newClientSecret } from './secrets.ts'
import {
  expireNewestSecret,
  getClient,
  getPartnerScopes,
  insertClient,
  insertSecret,
  listClientsOfPartner,
  updateClient,
  type ClientRecord,
} from './store.ts'

/** A partner is read with all its clients, disabled ones included. */
const CLIENTS_PER_PARTNER = 100
const MS_PER_SECOND = 1_000

/** `gateway.clients` (decisions §2 and §14). */
export const clientOperations = ({ vault, changeFeed }: GatewayContext) =>
  implement(clients, {
    async create({ params: { partnerId }, body, requestId, now }) {
      const clientId = newId('client')
      const clientSecret = newClientSecret()
      const secretMac = macOfClientSecret(vault, clientId, clientSecret)
      return changeFeed.transaction(async (tx, revision) => {
        const partner = await getPartnerScopes(tx, { partnerId })
        if (partner === null) return refuse('resource_not_found')
        // Exact under concurrency, because the change feed's lock serialises the counts.
        if ((await listClientsOfPartner(tx, { partnerId })).length >= CLIENTS_PER_PARTNER)
          return refuse('limit_reached', [{ resource: 'clients', limit: CLIENTS_PER_PARTNER }])
        const client: ClientRecord = {
          ...NEW_CLIENT,
          clientId,
          partnerId,
          scopes: inOrder(SCOPES, body?.scopes ?? partner.scopes),
          createdAt: now,
        }
        await insertClient(tx, { ...client, revision })
        await insertSecret(tx, { clientId, secretMac, createdAt: now })
        const target = `${partnerId}/${clientId}`
        await appendEnd(tx, { requestId, target, before: null, after: presentClient(client) })
        return reply({ client: { client_id: clientId, client_secret: clientSecret } })
      })
    },

    async rotateSecret({ params: { clientId }, body, requestId, now }) {
      const graceSeconds = body?.grace_seconds ?? 0
      const expiresAt = new Date(now.getTime() + graceSeconds * MS_PER_SECOND)
      const clientSecret = newClientSecret()
      const secretMac = macOfClientSecret(vault, clientId, clientSecret)
      return changeFeed.transaction(async (tx, revision) => {
        const client = await getClient(tx, { clientId })
        if (client === null) return refuse('resource_not_found')
        // The new revision has every replica verify the client's tokens again: they expire with their secret.
        await updateClient(tx, { ...client, revision })
        await expireNewestSecret(tx, { clientId, expiresAt })
        await insertSecret(tx, { clientId, secretMac, createdAt: now })
        const after = { client_id: clientId, old_secret_expires_at: expiresAt.toISOString() }
        await appendEnd(tx, { requestId, before: null, after })
        return reply({ client: { client_id: clientId, client_secret: clientSecret } })
      })
    },

    update: ({ params: { clientId }, body, requestId }) =>
      changeFeed.transaction(async (tx, revision) => {
        const before = await getClient(tx, { clientId })
        if (before === null) return refuse('resource_not_found')
        const after = updatedClient(before, body)
        await updateClient(tx, { ...after, revision })
        await appendEnd(tx, { requestId, before: presentClient(before), after: presentClient(after) })
        return reply({ client: presentClient(after) })
      }),
  })
