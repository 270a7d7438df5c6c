import {
  implement,
  newId,
  refuse,
  reply,
  type Clock,
  type Cursors,
  type Db,
  type Vault,
} from '@causeway/chassis'
import { CAPABILITIES, partners, SCOPES } from '@causeway/contracts'
import { macOfClientSecret, newClientSecret } from '../clients/secrets.ts'
import type { Registry } from '../change-feed/change-feed.ts'
import { auditStore } from '../audit/store.ts'
import { clientStore, NEW_CLIENT, presentClient } from '../clients/store.ts'
import { partnerStore, presentPartner, type PartnerRow } from './store.ts'
import { registryStore } from '../change-feed/store.ts'
import { inOrder } from './in-order.ts'

/** What the gateway's own operations stand on. */
export type OperationContext = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  registry: Registry
  cursors: Cursors
}>

const LIST = 'partners'

/** `gateway.partners` (decisions §14). */
export const partnerOperations = ({ db, vault, registry, cursors }: OperationContext) =>
  implement(partners, {
    async create({ body, requestId, now }) {
      const partner: PartnerRow = {
        partner_id: newId('partner'),
        name: body.name,
        status: 'active',
        scopes: inOrder(SCOPES, body.scopes ?? SCOPES),
        default_capabilities: inOrder(CAPABILITIES, body.default_capabilities ?? CAPABILITIES),
        created_at: now,
      }
      const clientId = newId('client')
      const clientSecret = newClientSecret()
      await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        await partnerStore.insert(tx, partner, revision)
        const client = { ...partner, ...NEW_CLIENT, client_id: clientId }
        await clientStore.insert(tx, client, revision)
        await clientStore.addSecret(tx, clientId, macOfClientSecret(vault, clientId, clientSecret), now)
        const after = { partner: presentPartner(partner), client: { client_id: clientId } }
        await auditStore.finish(tx, requestId, { target: partner.partner_id, before: null, after })
      })
      await registry.changed()
      return reply({
        partner: presentPartner(partner),
        client: { client_id: clientId, client_secret: clientSecret },
      })
    },

    async list({ query }) {
      const from = query.cursor === null ? ['-infinity', ''] : cursors.decode(LIST, query.cursor)
      if (from === null) return refuse('invalid_cursor')
      const [createdAt = '', partnerId = ''] = from
      const rows = await partnerStore.list(db, { createdAt, partnerId }, query.limit)
      const last = rows.length === query.limit ? rows.at(-1) : undefined
      return reply({
        partners: rows.map(presentPartner),
        next_cursor: last ? cursors.encode(LIST, [last.created_at.toISOString(), last.partner_id]) : null,
      })
    },

    async read({ params }) {
      const partner = await partnerStore.read(db, params.partnerId)
      if (partner === null) return refuse('resource_not_found')
      const clients = await clientStore.listOfPartner(db, params.partnerId)
      return reply({ partner: presentPartner(partner), clients: clients.map(presentClient) })
    },

    async update({ params, body, requestId }) {
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const before = await partnerStore.read(tx, params.partnerId)
        if (before === null) return refuse('resource_not_found')
        const after: PartnerRow = {
          ...before,
          name: body.name ?? before.name,
          status: body.status ?? before.status,
          scopes: inOrder(SCOPES, body.scopes ?? before.scopes),
          default_capabilities: inOrder(
            CAPABILITIES,
            body.default_capabilities ?? before.default_capabilities,
          ),
        }
        await partnerStore.update(tx, after, revision)
        const change = { before: presentPartner(before), after: presentPartner(after) }
        await auditStore.finish(tx, requestId, { target: null, ...change })
        return reply({ partner: presentPartner(after) })
      })
      await registry.changed()
      return outcome
    },
  })
