import {
  fingerprintOf,
  newId,
  newIdAt,
  refuse,
  reply,
  withIdempotency,
  type ServiceContext,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { integrations } from '@causeway/contracts'
import type { Relationships } from '../relationships/relationships.ts'
import { lockActiveRelationship } from '../relationships/store.ts'
import { DEFAULT_NAME, integrationChanged, MAX_INTEGRATIONS, presentIntegration } from './domain.ts'
import * as store from './store.ts'

export type IntegrationOptions = Readonly<{
  relationships: Relationships
  /** Public labels by processor key; a new integration has the first. */
  processors: ReadonlyMap<string, string>
}>

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>
type LockCustomer = (
  tx: Transaction,
  customer: Customer,
  now: Date,
) => Promise<Readonly<{ merchantId: string }> | null>

/** Locks a relationship and gives it its first integration if it never had one; null when it is not visible. */
export const createLockCustomer =
  (processor: string): LockCustomer =>
  async (tx, customer, now) => {
    const locked = await lockActiveRelationship(tx, customer)
    if (!locked) return null
    const first = { id: newId('integration'), ...customer, ...locked, name: DEFAULT_NAME, processor, now }
    const made = await store.insertFirst(tx, first)
    if (made)
      tx.emit(integrationChanged(made, { eventId: newIdAt('event', now.getTime()), deleted: false, now }))
    return locked
  }

/**
 * Creates one integration for each key. The relationship is locked while its integrations are counted, so that the
 * limit of 25 is exact under concurrent calls (spec: Fiat integrations). It is locked before the key is claimed, so
 * that nothing is replayed for a revoked relationship.
 */
export const createIntegration =
  ({ db }: ServiceContext, { relationships, processors }: IntegrationOptions, lockCustomer: LockCustomer) =>
  async (request: OperationRequest<(typeof integrations)['create']>) => {
    const { params, body, requestId, idempotencyKey, now } = request
    const { partnerId } = request.caller
    const customer = { partnerId, partnerCustomerId: params.customerId }
    await relationships.merchantOf(partnerId, params.customerId)
    const use = {
      partnerId,
      operation: integrations.create.subject,
      key: idempotencyKey ?? '',
      fingerprint: fingerprintOf(params, body),
      requestId,
      now,
    }
    let locked: Awaited<ReturnType<LockCustomer>> = null
    const refuseInvisible = async (tx: Transaction) => {
      locked = await lockCustomer(tx, customer, now)
      return locked ? null : refuse('resource_not_found')
    }
    const make = async (tx: Transaction) => {
      if (!locked) throw new Error('An integration needs a locked relationship')
      const known = await store.listAll(tx, customer)
      if (known.some(({ name }) => name === body.name)) return refuse('name_conflict')
      if (known.length >= MAX_INTEGRATIONS) return refuse('limit_reached')
      const [processor] = processors.keys()
      if (processor === undefined) throw new Error('No card processor is configured')
      const made = await store.insert(tx, {
        id: newId('integration'),
        ...customer,
        merchantId: locked.merchantId,
        name: body.name,
        processor,
        returnUrl: body.return_url,
        failureUrl: body.failure_url ?? null,
        contactUrl: body.contact_url ?? null,
        now,
      })
      if (!made) throw new Error('No integration was inserted for a locked relationship')
      tx.emit(integrationChanged(made, { eventId: newIdAt('event', now.getTime()), deleted: false, now }))
      return reply({
        integration: presentIntegration(made, processors.get(made.processor) ?? made.processor),
      })
    }
    return withIdempotency(db, use, make, refuseInvisible)
  }
