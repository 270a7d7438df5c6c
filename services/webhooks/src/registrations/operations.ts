import { implement, newId, pageOf, refuse, reply, type Implementation } from '@causeway/chassis'
import { registrations, type MerchantWebhook, type Refusal } from '@causeway/contracts'
import { toServiceUrl } from './service-url.ts'
import { parseWebhookUrl } from '../destinations/url.ts'
import { secretContext } from '../engine/destination-registry.ts'
import { removeDestination, replaceSecret } from '../destinations/store.ts'
import * as store from './store.ts'
import type { IntegrationOwners } from '../integrations/owners.ts'
import type { Parts } from '../dependencies.ts'
import { newSecret } from '../destinations/secret.ts'
import { sendSample } from './test-call.ts'

/** An event tells of each that took it. */
const MOST = 1_000

type Judged<T> = Readonly<{ ok: true; value: T }> | Refusal<'invalid_request'>

const present = (row: store.RegistrationRow): Omit<MerchantWebhook, 'hasSecret'> => ({
  id: row.id,
  url: row.url,
  integrationId: row.integration_id,
  createdAt: row.created_at.toISOString(),
})

/** What was typed is judged first: its normal form hides line breaks, and is longer by its suffix. */
const judgeUrl = (typed: string, { urlPolicy }: Parts): Judged<string> => {
  const url = toServiceUrl(typed)
  const asTyped = parseWebhookUrl(typed, urlPolicy)
  const parsed = asTyped.ok ? parseWebhookUrl(url, urlPolicy) : asTyped
  if (!parsed.ok) return refuse('invalid_request', [{ field: 'url', reason: parsed.reason }])
  return { ok: true, value: url }
}

/** Null binds to no integration; an integration has to be the merchant's own. */
const judgeBinding = async (
  given: string | null,
  merchantId: string,
  owners: IntegrationOwners,
): Promise<Judged<string | null>> => {
  if (given === null || given === '') return { ok: true, value: null }
  if ((await owners.merchantOf(given)) === merchantId) return { ok: true, value: given }
  return refuse('invalid_request', [{ field: 'integrationId', reason: 'invalid_value' }])
}

/** How merchants keep their receivers (spec: Merchant webhook management API). */
export const registrationOperations = (parts: Parts): Implementation[] => {
  const { db, vault, engine, owners, cursors } = parts
  return implement(registrations, {
    async list({ caller: { merchantId }, query: { limit, cursor } }) {
      const name = `registrations:${merchantId}`
      const after = cursor === null ? [''] : cursors.decode(name, cursor)
      if (!after) return refuse('invalid_cursor')
      const rows = await db.query(store.listRegistrations, [merchantId, after[0], limit + 1])
      const shown = (row: store.RegistrationRow) => ({ ...present(row), hasSecret: row.has_secret })
      const { items, last } = pageOf({ rows, limit, present: shown })
      return reply({ webhooks: [...items], next_cursor: last ? cursors.encode(name, [last.id]) : null })
    },

    async create({ caller: { merchantId }, body, now }) {
      const judged = judgeUrl(body.url, parts)
      if (!judged.ok) return judged
      const binding = await judgeBinding(body.integrationId ?? null, merchantId, owners)
      if (!binding.ok) return binding
      const id = newId('webhook')
      const secret = newSecret()
      const sealed = vault.seal(secret, secretContext(id))
      const values = [merchantId, id, binding.value, judged.value, sealed, now, MOST]
      const [row] = await db.query(store.insertRegistration, values)
      if (!row) return refuse('limit_reached')
      await engine.destinationsChanged()
      return reply({ ...present(row), webhookSecret: secret })
    },

    async update({ caller: { merchantId }, params: { webhookId }, body }) {
      const judged = body.url === undefined ? null : judgeUrl(body.url, parts)
      if (judged?.ok === false) return judged
      const rebinds = body.integrationId !== undefined
      const binding = await judgeBinding(body.integrationId ?? null, merchantId, owners)
      if (!binding.ok) return binding
      const values = [merchantId, webhookId, judged?.value ?? null, rebinds, binding.value]
      const [row] = await db.query(store.updateRegistration, values)
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      const { id, url, integrationId } = present(row)
      return reply(rebinds ? { id, url, integrationId } : { id, url })
    },

    async delete({ caller: { merchantId }, params: { webhookId }, now }) {
      const [row] = await db.query(removeDestination, ['merchant', merchantId, webhookId, now])
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return reply({ ok: true as const })
    },

    async rotateSecret({ caller: { merchantId }, params: { webhookId } }) {
      const secret = newSecret()
      const sealed = vault.seal(secret, secretContext(webhookId))
      const [row] = await db.query(replaceSecret, ['merchant', merchantId, webhookId, sealed])
      if (!row) return refuse('resource_not_found')
      await engine.destinationsChanged()
      return reply({ id: row.id, url: row.url, webhookSecret: secret })
    },

    async test({ caller: { merchantId }, params: { webhookId }, deadlineMs }) {
      const [row] = await db.query(store.readRegistration, [merchantId, webhookId])
      if (!row) return refuse('resource_not_found')
      return reply(await sendSample(parts, row, deadlineMs))
    },
  })
}
