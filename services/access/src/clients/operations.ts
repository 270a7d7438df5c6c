import { implement, newId, refuse, refuseChanged, reply } from '@causeway/chassis'
import { clients, SCOPES } from '@causeway/contracts'
import type { AccessContext } from '../context.ts'
import {
  groupsOfUpdate,
  inOrder,
  NEW_CLIENT,
  presentClient,
  updatedClient,
  updatedStateOf,
} from './domain.ts'
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
export const clientOperations = ({ db, vault, changeFeed, recordEnd }: AccessContext) =>
  implement(clients, {
    async create({ params: { partnerId }, body, requestId, caller, now }) {
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
        const end = { target: `${partnerId}/${clientId}`, before: null, after: presentClient(client) }
        const answer = reply({ client: { client_id: clientId, client_secret: clientSecret } })
        return recordEnd(tx, { requestId, caller }, end, answer)
      })
    },

    async rotateSecret({ params: { clientId }, body, requestId, caller, now }) {
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
        const answer = reply({ client: { client_id: clientId, client_secret: clientSecret } })
        return recordEnd(tx, { requestId, caller }, { before: null, after }, answer)
      })
    },

    async prepareUpdate({ params, body }) {
      const client = await getClient(db, params)
      return client === null
        ? refuse('resource_not_found')
        : reply({ before: updatedStateOf(client), groups: groupsOfUpdate(client, body) })
    },

    update: ({ params: { clientId }, body, expected, requestId, caller }) =>
      changeFeed.transaction(async (tx, revision) => {
        const before = await getClient(tx, { clientId })
        if (before === null) return refuse('resource_not_found')
        const changed = refuseChanged(expected, updatedStateOf(before))
        if (changed) return changed
        const after = updatedClient(before, body)
        await updateClient(tx, { ...after, revision })
        const end = { before: presentClient(before), after: presentClient(after) }
        return recordEnd(tx, { requestId, caller }, end, reply({ client: end.after }))
      }),
  })
