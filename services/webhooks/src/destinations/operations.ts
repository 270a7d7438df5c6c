import { implement, newId, pageOf, refuse, reply, withBefore, type Implementation } from '@causeway/chassis'
import { destinations, type PartnerWebhook } from '@causeway/contracts'
import { explicitEventTypes } from './destination.ts'
import { parseWebhookUrl, type UrlPolicy } from './url.ts'
import { secretContext } from '../engine/destination-registry.ts'
import {
  insertDestination,
  listDestinations,
  removeDestination,
  replaceSecret,
  updateDestination,
  type DestinationRow,
} from './store.ts'
import type { Parts } from '../dependencies.ts'
import { newSecret } from './secret.ts'

const presentWebhook = (row: DestinationRow): PartnerWebhook => ({
  webhook_id: row.id,
  url: row.url,
  event_types: explicitEventTypes(row.event_types),
  status: 'active',
  created_at: row.created_at.toISOString(),
})

/**
 * A page of a partner's destinations, oldest first, or null for a cursor that this list did not issue: what staff read
 * and what the partner reads are two.
 */
export const readDestinations = async (
  { db, cursors }: Pick<Parts, 'db' | 'cursors'>,
  list: 'webhooks' | 'subscriptions',
  partnerId: string,
  { limit, cursor }: Readonly<{ limit: number; cursor: string | null }>,
) => {
  const name = `${list}:${partnerId}`
  const after = cursor === null ? [''] : cursors.decode(name, cursor)
  if (!after) return null
  const rows = await db.query(listDestinations, ['partner', partnerId, after[0], limit + 1])
  const { items, last } = pageOf({ rows, limit, present: presentWebhook })
  return { webhooks: [...items], next_cursor: last ? cursors.encode(name, [last.id]) : null }
}

const refuseUrl = (url: string, policy: UrlPolicy) => {
  const parsed = parseWebhookUrl(url, policy)
  return parsed.ok ? null : refuse('invalid_request', [{ field: 'url', reason: parsed.reason }])
}

/** How staff keep partners' destinations (decisions §12 and §14). */
export const destinationOperations = ({ db, vault, engine, cursors, urlPolicy }: Parts): Implementation[] =>
  implement(destinations, {
    async create({ params: { partnerId }, body, now }) {
      const refusal = refuseUrl(body.url, urlPolicy)
      if (refusal) return refusal
      const id = newId('webhook')
      const secret = newSecret()
      const sealed = vault.seal(secret, secretContext(id))
      const types = [...new Set(body.event_types ?? [])]
      const values = [id, 'partner', partnerId, null, body.url, types, sealed, now]
      const [row] = await db.query(insertDestination, values)
      if (!row) throw new Error('An inserted destination was not returned')
      await engine.destinationsChanged()
      return reply({ webhook: presentWebhook(row), webhook_secret: secret }, 'created')
    },

    async list({ params: { partnerId }, query }) {
      const page = await readDestinations({ db, cursors }, 'webhooks', partnerId, query)
      return page ? reply(page) : refuse('invalid_cursor')
    },

    async update({ params: { partnerId, webhookId }, body: { url, event_types: types } }) {
      const refusal = url === undefined ? null : refuseUrl(url, urlPolicy)
      if (refusal) return refusal
      const chosen = types === undefined ? null : [...new Set(types)]
      const values = ['partner', partnerId, webhookId, url ?? null, chosen]
      const [row] = await db.query(updateDestination, values)
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      const before = presentWebhook({ ...row, url: row.url_before, event_types: row.event_types_before })
      return withBefore(reply({ webhook: presentWebhook(row) }), { webhook: before })
    },

    async delete({ params: { partnerId, webhookId }, now }) {
      const [row] = await db.query(removeDestination, ['partner', partnerId, webhookId, now])
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return withBefore(reply({ deleted: true as const, webhook_id: row.id }), {
        webhook: presentWebhook(row),
      })
    },

    async rotateSecret({ params: { partnerId, webhookId } }) {
      const secret = newSecret()
      const sealed = vault.seal(secret, secretContext(webhookId))
      const [row] = await db.query(replaceSecret, ['partner', partnerId, webhookId, sealed])
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return reply({ webhook: presentWebhook(row), webhook_secret: secret })
    },
  })
