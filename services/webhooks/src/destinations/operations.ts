import {
  BY_ID,
  implement,
  keysetList,
  newId,
  notAsExpected,
  refuse,
  reply,
  withBefore,
  type Implementation,
} from '@causeway/chassis'
import { destinations, type PartnerWebhook } from '@causeway/contracts'
import type { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { explicitEventTypes } from './domain.ts'
import { newSecret, overlapEnd, secretContext } from './secret.ts'
import {
  deleteDestination,
  findDestination,
  findSampledDestination,
  insertDestination,
  listDestinations,
  listDuplicates,
  replaceSecret,
  updateDestination,
  type DestinationRow,
  type SampledDestination,
} from './store.ts'
import { parseWebhookUrl, refuseUrl, type UrlPolicy } from './url.ts'

const channel = 'partner'

/** Active, or disabled since when. */
const statusOf = ({ disabledAt }: DestinationRow): Pick<PartnerWebhook, 'status' | 'disabled_at'> =>
  disabledAt === null ? { status: 'active' } : { status: 'disabled', disabled_at: disabledAt.toISOString() }

const present = (row: DestinationRow, now: Date): PartnerWebhook => ({
  webhook_id: row.id,
  url: row.url,
  event_types: explicitEventTypes(row.eventTypes),
  ...statusOf(row),
  created_at: row.createdAt.toISOString(),
  ...(row.formerSecretUntil !== null &&
    row.formerSecretUntil > now && { former_secret_until: row.formerSecretUntil.toISOString() }),
})

/**
 * A page of a partner's destinations, oldest first, or null for a cursor that this list did not issue.
 * @param name staff and the partner read two lists: a cursor of one is invalid in the other
 */
export const pageOfDestinations = async (
  { db, cursors }: Pick<Dependencies, 'db' | 'cursors'>,
  name: 'webhooks' | 'subscriptions',
  partnerId: string,
  { limit, cursor, now }: Readonly<{ limit: number; cursor: string | null; now: Date }>,
) => {
  const list = keysetList(cursors, { name: `${name}:${partnerId}`, order: BY_ID })
  const after = list.after(cursor)
  if (!after) return null
  const rows = await listDestinations(db, {
    channel,
    ownerId: partnerId,
    afterId: after.id,
    limit: limit + 1,
  })
  const { items, nextCursor } = list.page({
    rows,
    limit,
    present: (row) => present(row, now),
    positionOf: (row) => row,
  })
  return { webhooks: items, next_cursor: nextCursor }
}

const checkUrl = (url: string, policy: UrlPolicy) => {
  const parsed = parseWebhookUrl(url, policy)
  return parsed.ok ? null : refuseUrl(parsed.reason)
}

/** The row before a change, for the audit log. */
const beforeOf = (row: NonNullable<Awaited<ReturnType<typeof updateDestination>>>): DestinationRow => ({
  ...row,
  url: row.urlBefore,
  eventTypes: row.eventTypesBefore,
  formerSecretUntil: row.formerSecretUntilBefore,
  disabledAt: row.disabledAtBefore,
})

/** Lists other destinations with the same URL; nothing without one. */
const duplicatesOf = async ({ db }: Pick<Dependencies, 'db'>, partnerId: string, id: string) => {
  const rows = await listDuplicates(db, { channel, ownerId: partnerId, id })
  return rows.length === 0 ? {} : { duplicate_of: rows.map((row) => row.id) }
}

/** Sends a sample to a destination; `deadlineMs` is when its caller gives it up. */
type SendSample = (
  destination: SampledDestination & Readonly<{ ownerId: string }>,
  times: Readonly<{ now: Date; deadlineMs: number }>,
) => Promise<z.output<(typeof destinations)['test']['reply']>>

/** How staff keep partners' destinations (decisions §12 and §14). */
export const destinationOperations = (
  { db, vault, engine, cursors, urlPolicy }: Dependencies,
  sendSample: SendSample,
): Implementation[] => {
  return implement(destinations, {
    async create({ params: { partnerId }, body, now }) {
      const refusal = checkUrl(body.url, urlPolicy)
      if (refusal) return refusal
      const id = newId('webhook')
      const secret = newSecret()
      const row = await insertDestination(db, {
        id,
        channel,
        ownerId: partnerId,
        integrationId: null,
        url: body.url,
        eventTypes: [...new Set(body.event_types ?? [])],
        sealedSecret: vault.seal(secret, secretContext(id)),
        now,
      })
      if (!row) throw new Error('An inserted destination was not returned')
      await engine.destinationsChanged()
      const duplicates = await duplicatesOf({ db }, partnerId, id)
      return reply({ webhook: present(row, now), webhook_secret: secret, ...duplicates }, 'created')
    },

    async list({ params: { partnerId }, query, now }) {
      const page = await pageOfDestinations({ db, cursors }, 'webhooks', partnerId, { ...query, now })
      return page ? reply(page) : refuse('invalid_cursor')
    },

    async prepareUpdate({ params: { partnerId, webhookId: id }, body }) {
      const row = await findDestination(db, { channel, ownerId: partnerId, id })
      if (!row) return refuse('resource_not_found')
      return reply({ before: { url: row.url }, groups: body.url === undefined ? [] : ['webhooks' as const] })
    },

    async update({ params: { partnerId, webhookId: id }, body, expected, now }) {
      const { url, event_types: types, status = null } = body
      const refusal = url === undefined ? null : checkUrl(url, urlPolicy)
      if (refusal) return refusal
      const eventTypes = types === undefined ? null : [...new Set(types)]
      const endsOverlap = body.former_secret_until === null
      const change = { url: url ?? null, eventTypes, endsOverlap, status, now }
      const owned = { channel, ownerId: partnerId, id }
      const row = await updateDestination(db, { ...owned, ...change, expectedUrl: expected?.url ?? null })
      if (!row) return (await findDestination(db, owned)) ? notAsExpected() : refuse('resource_not_found')
      await engine.destinationsChanged()
      const before = present(beforeOf(row), now)
      const duplicates = await duplicatesOf({ db }, partnerId, id)
      return withBefore(reply({ webhook: present(row, now), ...duplicates }), { webhook: before })
    },

    async delete({ params: { partnerId, webhookId: id }, now }) {
      const row = await deleteDestination(db, { channel, ownerId: partnerId, id, now })
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return withBefore(reply({ deleted: true as const, webhook_id: id }), { webhook: present(row, now) })
    },

    async rotateSecret({ params: { partnerId, webhookId: id }, body, now }) {
      const secret = newSecret()
      const sealedSecret = vault.seal(secret, secretContext(id))
      const formerUntil = overlapEnd(now, body?.overlap_hours)
      const row = await replaceSecret(db, { channel, ownerId: partnerId, id, sealedSecret, formerUntil, now })
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return reply({ webhook: present(row, now), webhook_secret: secret })
    },

    async test({ params: { partnerId, webhookId: id }, now, deadlineMs }) {
      const row = await findSampledDestination(db, { channel, ownerId: partnerId, id })
      if (!row) return refuse('resource_not_found')
      return reply(await sendSample({ ...row, ownerId: partnerId }, { now, deadlineMs }))
    },
  })
}
