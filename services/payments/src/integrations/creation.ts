import {
  fingerprintOf,
  newId,
  refuse,
  reply,
  withIdempotency,
  type ServiceContext,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { integrations } from '@causeway/contracts'
import { integrationChanged, MAX_INTEGRATIONS, presentIntegration } from './domain.ts'
import * as store from './store.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { seedIntegrations } from './seed.ts'

export type IntegrationOptions = Readonly<{
  relationships: Relationships
  /** Public labels by processor key; the first is what integrations begin with. */
  processors: ReadonlyMap<string, string>
}>

type Hold = (
  tx: Transaction,
  partnerId: string,
  partnerCustomerId: string,
  now: Date,
) => Promise<{ merchantId: string } | null>

/** Holds a relationship and makes sure that it has had its first integration; null when it is not visible. */
export const createHold =
  (processor: string): Hold =>
  async (tx, partnerId, partnerCustomerId, now) => {
    const [held] = await tx.query(store.holdRelationship, [partnerId, partnerCustomerId])
    if (!held) return null
    await seedIntegrations(tx, [{ partnerId, partnerCustomerId, ...held }], { processor, now })
    return held
  }

/**
 * Creates an integration once a key. The relationship is held while its integrations are counted, so that the limit
 * of 25 is exact however many calls come at once (spec: Fiat integrations). It is held before the key is
 * looked at: of a revoked one nothing is replayed.
 */
export const createIntegration =
  ({ db }: ServiceContext, { relationships, processors }: IntegrationOptions, hold: Hold) =>
  async (request: OperationRequest<(typeof integrations)['create']>) => {
    const { params, body, requestId, idempotencyKey, now } = request
    const { partnerId } = request.caller
    const { customerId } = params
    await relationships.merchantOf(partnerId, customerId)
    const use = {
      partnerId,
      operation: integrations.create.subject,
      key: idempotencyKey ?? '',
      fingerprint: fingerprintOf(params, body),
      requestId,
      now,
    }
    let held: Awaited<ReturnType<Hold>> = null
    const hide = async (tx: Transaction) => {
      held = await hold(tx, partnerId, customerId, now)
      return held ? null : refuse('resource_not_found')
    }
    const make = async (tx: Transaction) => {
      if (!held) throw new Error('An integration is made of a relationship that nobody holds')
      const known = await tx.query(store.list, [partnerId, customerId])
      if (known.some(({ name }) => name === body.name)) return refuse('name_conflict')
      if (known.length >= MAX_INTEGRATIONS) return refuse('limit_reached')
      const [processor] = processors.keys()
      const urls = [body.return_url, body.failure_url ?? null, body.contact_url ?? null]
      const who = [newId('integration'), partnerId, customerId, held.merchantId]
      const [made] = await tx.query(store.insert, [...who, body.name, processor, ...urls, now])
      if (!made) throw new Error('An integration of a held relationship was not made')
      tx.emit(integrationChanged(made, { eventId: newId('event'), deleted: false, now }))
      return reply({
        integration: presentIntegration(made, processors.get(made.processor) ?? made.processor),
      })
    }
    return withIdempotency(db, use, make, hide)
  }
