import { implement, newId, refuse, reply } from '@causeway/chassis'
import { clients, SCOPES } from '@causeway/contracts'
import { macOfClientSecret, newClientSecret } from './secrets.ts'
import { auditStore } from '../audit/store.ts'
import { clientStore, NEW_CLIENT, presentClient, type ClientRow } from './store.ts'
import { partnerStore } from '../partners/store.ts'
import { registryStore } from '../change-feed/store.ts'
import { inOrder } from '../partners/in-order.ts'
import type { OperationContext } from '../partners/operations.ts'
import type { z } from 'zod'

/** A partner's clients are read with it, all of them, those that are disabled too. */
const MOST = 100
const MS_PER_SECOND = 1_000

type Change = z.output<(typeof clients.update)['body']>

/** Null takes a bound of the client away; what is not told stays. */
const changed = (before: ClientRow, change: Change): ClientRow => {
  const { status, scopes, allowed_addresses, daily_refund_limit_cents } = change
  return {
    ...before,
    status: status ?? before.status,
    scopes: inOrder(SCOPES, scopes ?? before.scopes),
    ...(allowed_addresses !== undefined && { allowed_addresses }),
    ...(daily_refund_limit_cents !== undefined && { daily_refund_limit_cents }),
  }
}

/** `gateway.clients` (decisions §2 and §14). */
export const clientOperations = ({ db, vault, registry }: OperationContext) =>
  implement(clients, {
    async create({ params, body, requestId, now }) {
      const clientId = newId('client')
      const clientSecret = newClientSecret()
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const partner = await partnerStore.read(tx, params.partnerId)
        if (partner === null) return refuse('resource_not_found')
        // The revision's lock, held since, lets one count at a time.
        if ((await clientStore.listOfPartner(tx, partner.partner_id)).length >= MOST)
          return refuse('limit_reached', [{ resource: 'clients', limit: MOST }])
        const client: ClientRow = {
          ...NEW_CLIENT,
          client_id: clientId,
          partner_id: partner.partner_id,
          scopes: inOrder(SCOPES, body?.scopes ?? partner.scopes),
          created_at: now,
        }
        await clientStore.insert(tx, client, revision)
        await clientStore.addSecret(tx, clientId, macOfClientSecret(vault, clientId, clientSecret), now)
        const target = `${partner.partner_id}/${clientId}`
        await auditStore.finish(tx, requestId, { target, before: null, after: presentClient(client) })
        return reply({ client: { client_id: clientId, client_secret: clientSecret } })
      })
      await registry.changed()
      return outcome
    },

    async rotateSecret({ params, body, requestId, now }) {
      const graceSeconds = body?.grace_seconds ?? 0
      const expiresAt = new Date(now.getTime() + graceSeconds * MS_PER_SECOND)
      const clientSecret = newClientSecret()
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const client = await clientStore.read(tx, params.clientId)
        if (client === null) return refuse('resource_not_found')
        // Has every replica judge the client's tokens anew: those of an ended secret end with it.
        await clientStore.update(tx, client, revision)
        await clientStore.retireSecret(tx, client.client_id, expiresAt)
        const mac = macOfClientSecret(vault, client.client_id, clientSecret)
        await clientStore.addSecret(tx, client.client_id, mac, now)
        const after = { client_id: client.client_id, old_secret_expires_at: expiresAt.toISOString() }
        await auditStore.finish(tx, requestId, { target: null, before: null, after })
        return reply({ client: { client_id: client.client_id, client_secret: clientSecret } })
      })
      await registry.changed()
      return outcome
    },

    async update({ params, body, requestId }) {
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const before = await clientStore.read(tx, params.clientId)
        if (before === null) return refuse('resource_not_found')
        const after = changed(before, body)
        await clientStore.update(tx, after, revision)
        const change = { before: presentClient(before), after: presentClient(after) }
        await auditStore.finish(tx, requestId, { target: null, ...change })
        return reply({ client: presentClient(after) })
      })
      await registry.changed()
      return outcome
    },
  })
