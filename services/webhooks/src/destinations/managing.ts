import { BY_ID, keysetList, newId, refuse, reply, withBefore } from '@causeway/chassis'
import type {
  CreatePartnerWebhookRequest,
  PartnerWebhook,
  TestedWebhook,
  WebhookRotation,
  UpdatePartnerWebhookRequest,
} from '@causeway/contracts'
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
  lockDestinations,
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
 * @param name a cursor of one list is invalid in the others
 */
export const pageOfDestinations = async (
  { db, cursors }: Pick<Dependencies, 'db' | 'cursors'>,
  name: 'webhooks' | 'subscriptions' | 'endpoints',
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
export type SendSample = (
  destination: SampledDestination & Readonly<{ ownerId: string }>,
  times: Readonly<{ now: Date; deadlineMs: number }>,
) => Promise<TestedWebhook>

type Owned = Readonly<{ partnerId: string; webhookId: string }>
type Parts = Pick<Dependencies, 'db' | 'vault' | 'engine' | 'urlPolicy'>

const find = ({ db }: Pick<Parts, 'db'>, { partnerId, webhookId: id }: Owned) =>
  findDestination(db, { channel, ownerId: partnerId, id })

/** @param limit maximum destinations that the partner may then have */
async function create(
  { db, vault, engine, urlPolicy }: Parts,
  partnerId: string,
  { url, event_types: eventTypes = [] }: z.output<typeof CreatePartnerWebhookRequest>,
  { now, limit }: Readonly<{ now: Date; limit: number }>,
) {
  const refusal = checkUrl(url, urlPolicy)
  if (refusal) return refusal
  const id = newId('webhook')
  const secret = newSecret()
  const destination = {
    id,
    channel,
    ownerId: partnerId,
    integrationId: null,
    url,
    eventTypes: [...new Set(eventTypes)],
    sealedSecret: vault.seal(secret, secretContext(id)),
    now,
    limit,
  }
  const row = await db.transaction(async (tx) => {
    await lockDestinations(tx, {})
    return insertDestination(tx, destination)
  })
  if (!row) return refuse('limit_reached')
  await engine.destinationsChanged()
  const duplicates = await duplicatesOf({ db }, partnerId, id)
  return reply({ webhook: present(row, now), webhook_secret: secret, ...duplicates }, 'created')
}

/** @param expectedUrl a destination with another URL is not found; null: any */
async function update(
  { db, engine, urlPolicy }: Parts,
  { partnerId, webhookId: id }: Owned,
  body: z.output<typeof UpdatePartnerWebhookRequest>,
  { now, expectedUrl }: Readonly<{ now: Date; expectedUrl: string | null }>,
) {
  const { url, event_types: types, status = null } = body
  const refusal = url === undefined ? null : checkUrl(url, urlPolicy)
  if (refusal) return refusal
  const eventTypes = types === undefined ? null : [...new Set(types)]
  const endsOverlap = body.former_secret_until === null
  const change = { url: url ?? null, eventTypes, endsOverlap, status, now, expectedUrl }
  const owned = { channel, ownerId: partnerId, id }
  const row = await updateDestination(db, { ...owned, ...change })
  if (!row) return refuse('resource_not_found')
  await engine.destinationsChanged()
  const before = present(beforeOf(row), now)
  const duplicates = await duplicatesOf({ db }, partnerId, id)
  return withBefore(reply({ webhook: present(row, now), ...duplicates }), { webhook: before })
}

async function remove({ db, engine }: Parts, { partnerId, webhookId: id }: Owned, now: Date) {
  const row = await deleteDestination(db, { channel, ownerId: partnerId, id, now })
  if (!row) return refuse('resource_not_found')
  await engine.destinationsChanged()
  return withBefore(reply({ deleted: true as const, webhook_id: id }), { webhook: present(row, now) })
}

async function rotateSecret(
  { db, vault, engine }: Parts,
  { partnerId, webhookId: id }: Owned,
  rotation: z.output<typeof WebhookRotation>,
  now: Date,
) {
  const secret = newSecret()
  const sealedSecret = vault.seal(secret, secretContext(id))
  const formerUntil = overlapEnd(now, rotation?.overlap_hours)
  const row = await replaceSecret(db, { channel, ownerId: partnerId, id, sealedSecret, formerUntil, now })
  if (!row) return refuse('resource_not_found')
  await engine.destinationsChanged()
  return reply({ webhook: present(row, now), webhook_secret: secret })
}

async function sendTest(
  { db }: Parts,
  { partnerId, webhookId: id }: Owned,
  send: SendSample,
  times: Readonly<{ now: Date; deadlineMs: number }>,
) {
  const row = await findSampledDestination(db, { channel, ownerId: partnerId, id })
  if (!row) return refuse('resource_not_found')
  return reply(await send({ ...row, ownerId: partnerId }, times))
}

/** Changes of partners' destinations, by staff or by the partners themselves. */
export const managing = { find, present, create, update, remove, rotateSecret, sendTest } as const
