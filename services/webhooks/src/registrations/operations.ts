import { BY_ID, implement, keysetList, newId, refuse, reply, type Implementation } from '@causeway/chassis'
import { registrations, type MerchantWebhook, type Refusal } from '@causeway/contracts'
import type { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { newSecret, overlapEnd, secretContext } from '../destinations/secret.ts'
import { deleteDestination, listDuplicates, lockDestinations, replaceSecret } from '../destinations/store.ts'
import { sendMerchantSample } from '../test-calls/test-call.ts'
import { parseWebhookUrl, refuseUrl } from '../destinations/url.ts'
import type { IntegrationOwners } from '../integrations/owners.ts'
import { toServiceUrl } from './service-url.ts'
import {
  findRegistration,
  insertRegistration,
  listRegistrations,
  updateRegistration,
  type RegistrationRow,
} from './store.ts'

/** Registrations of one merchant; a logged event lists the deliveries to each. */
const MAX_REGISTRATIONS = 1_000

type Validated<T> = Readonly<{ ok: true; value: T }> | Refusal<'invalid_request'>

type Shown = Pick<MerchantWebhook, 'id' | 'url' | 'integrationId' | 'createdAt'>

const present = (row: RegistrationRow): Shown => ({
  id: row.id,
  url: row.url,
  integrationId: row.integrationId,
  createdAt: row.createdAt.toISOString(),
})

/** Only during the overlap of a rotation. */
const overlapOf = ({ formerSecretUntil: until }: Pick<RegistrationRow, 'formerSecretUntil'>, now: Date) =>
  until !== null && until > now ? { formerSecretUntil: until.toISOString() } : {}

/** Only while it is disabled. */
const disabledOf = ({ disabledAt }: RegistrationRow) =>
  disabledAt === null ? {} : { disabledAt: disabledAt.toISOString() }

/** Lists other webhooks with the same URL; nothing without one. */
const duplicatesOf = async ({ db }: Dependencies, merchantId: string, id: string) => {
  const rows = await listDuplicates(db, { channel: 'merchant', ownerId: merchantId, id })
  return rows.length === 0 ? {} : { duplicateOf: rows.map((row) => row.id) }
}

/** Validates the original text first: the normalised URL hides line breaks, and is longer by its suffix. */
const validateUrl = (typed: string, { urlPolicy }: Dependencies): Validated<string> => {
  const url = toServiceUrl(typed)
  const asTyped = parseWebhookUrl(typed, urlPolicy)
  const parsed = asTyped.ok ? parseWebhookUrl(url, urlPolicy) : asTyped
  return parsed.ok ? { ok: true, value: url } : refuseUrl(parsed.reason)
}

/** Null binds to no integration; an integration has to be the merchant's own. */
const validateBinding = async (
  given: string | null,
  merchantId: string,
  owners: IntegrationOwners,
): Promise<Validated<string | null>> => {
  if (given === null || given === '') return { ok: true, value: null }
  if ((await owners.merchantOf(given)) === merchantId) return { ok: true, value: given }
  return refuse('invalid_request', [
    {
      field: 'integrationId',
      reason: 'invalid_value',
      expected: 'an integration of your own, or null for all of them',
    },
  ])
}

type Change = z.output<(typeof registrations)['update']['body']>

/** Response to a change: binding and status only if the change set them. */
const changedOf = ({ id, url, integrationId }: RegistrationRow, change: Change) => ({
  id,
  url,
  ...(change.integrationId !== undefined && { integrationId }),
  ...(change.status !== undefined && { status: change.status }),
})

/** A page of a merchant's webhooks, oldest first, or null for a cursor that this list did not issue. */
const pageOfRegistrations = async (
  { db, cursors }: Dependencies,
  merchantId: string,
  { limit, cursor, now }: Readonly<{ limit: number; cursor: string | null; now: Date }>,
) => {
  const list = keysetList(cursors, { name: `registrations:${merchantId}`, order: BY_ID })
  const after = list.after(cursor)
  if (!after) return null
  const rows = await listRegistrations(db, { merchantId, afterId: after.id, limit: limit + 1 })
  const withSecret = (row: RegistrationRow) => ({
    ...present(row),
    hasSecret: row.hasSecret,
    ...overlapOf(row, now),
    ...disabledOf(row),
  })
  const page = list.page({ rows, limit, present: withSecret, positionOf: (row) => row })
  return { webhooks: page.items, next_cursor: page.nextCursor }
}

/** How merchants keep their receivers (spec: Merchant webhook management API). */
export const registrationOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault, engine, owners } = dependencies
  return implement(registrations, {
    async list({ caller: { merchantId }, query, now }) {
      const page = await pageOfRegistrations(dependencies, merchantId, { ...query, now })
      return page ? reply(page) : refuse('invalid_cursor')
    },

    async create({ caller: { merchantId }, body, now }) {
      const url = validateUrl(body.url, dependencies)
      if (!url.ok) return url
      const integration = await validateBinding(body.integrationId ?? null, merchantId, owners)
      if (!integration.ok) return integration
      const id = newId('webhook')
      const secret = newSecret()
      const registration = {
        merchantId,
        id,
        integrationId: integration.value,
        url: url.value,
        sealedSecret: vault.seal(secret, secretContext(id)),
        now,
        max: MAX_REGISTRATIONS,
      }
      const row = await db.transaction(async (tx) => {
        await lockDestinations(tx, {})
        return insertRegistration(tx, registration)
      })
      if (!row) return refuse('limit_reached')
      await engine.destinationsChanged()
      const duplicates = await duplicatesOf(dependencies, merchantId, id)
      return reply({ ...present(row), webhookSecret: secret, ...duplicates })
    },

    async update({ caller: { merchantId }, params: { webhookId }, body, now }) {
      const url = body.url === undefined ? null : validateUrl(body.url, dependencies)
      if (url?.ok === false) return url
      const rebinds = body.integrationId !== undefined
      const integration = await validateBinding(body.integrationId ?? null, merchantId, owners)
      if (!integration.ok) return integration
      const endsOverlap = body.formerSecretUntil === null
      const { status = null } = body
      const rebound = { rebinds, integrationId: integration.value }
      const change = { url: url?.value ?? null, ...rebound, endsOverlap, status, now }
      const row = await updateRegistration(db, { merchantId, id: webhookId, ...change })
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      const duplicates = await duplicatesOf(dependencies, merchantId, row.id)
      return reply({ ...changedOf(row, body), ...duplicates })
    },

    async delete({ caller: { merchantId }, params: { webhookId: id }, now }) {
      const row = await deleteDestination(db, { channel: 'merchant', ownerId: merchantId, id, now })
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return reply({ ok: true as const })
    },

    async rotateSecret({ caller: { merchantId: ownerId }, params: { webhookId: id }, body, now }) {
      const secret = newSecret()
      const sealedSecret = vault.seal(secret, secretContext(id))
      const formerUntil = overlapEnd(now, body?.overlapHours)
      const change = { sealedSecret, formerUntil, now }
      const row = await replaceSecret(db, { channel: 'merchant', ownerId, id, ...change })
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return reply({ id: row.id, url: row.url, webhookSecret: secret, ...overlapOf(row, now) })
    },

    async test({ caller: { merchantId }, params: { webhookId }, now, deadlineMs }) {
      const row = await findRegistration(db, { merchantId, id: webhookId })
      if (!row) return refuse('resource_not_found')
      return reply(
        await sendMerchantSample(dependencies, { ...row, ownerId: merchantId }, { now, deadlineMs }),
      )
    },
  })
}
