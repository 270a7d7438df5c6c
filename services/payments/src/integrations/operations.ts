import {
  createCursors,
  implement,
  keysetList,
  newIdAt,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  type ServiceContext,
  type Implementation,
  type OperationRequest,
} from '@causeway/chassis'
import { integrations } from '@causeway/contracts'
import { createIntegration, createLockCustomer, type IntegrationOptions } from './creation.ts'
import { integrationChanged, integrationState, presentIntegration, type IntegrationRecord } from './domain.ts'
import * as store from './store.ts'

type ListOptions = Readonly<{
  ensureProjected: (partnerId: string, partnerCustomerId: string) => Promise<unknown>
  lockCustomer: ReturnType<typeof createLockCustomer>
  labelOf: (processor: string) => string
}>

/** The integrations of a customer, oldest first. Without any it may be that the relationship is not projected yet. */
const createIntegrationList = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  { ensureProjected, lockCustomer, labelOf }: ListOptions,
) => {
  const cursors = createCursors(vault)
  return async ({
    caller,
    params,
    query: { limit, cursor },
    now,
  }: OperationRequest<typeof integrations.list>) => {
    const customer = { partnerId: caller.partnerId, partnerCustomerId: params.customerId }
    const name = `integrations:${customer.partnerId}:${customer.partnerCustomerId}`
    const list = keysetList(cursors, { name, order: OLDEST_FIRST })
    const from = list.after(cursor)
    if (from === null) return refuse('invalid_cursor')
    const page = { ...customer, afterAt: from.at, afterId: from.id, limit: limit + 1 }
    const present = (rows: readonly IntegrationRecord[]) => {
      const { items, nextCursor } = list.page({
        rows,
        limit,
        present: (row) => presentIntegration(row, labelOf(row.processor)),
        positionOf: (row) => ({ at: row.createdAt, id: row.id }),
      })
      return reply({ integrations: items, next_cursor: nextCursor })
    }
    const known = await store.listPage(db, page)
    if (known.length > 0) return present(known)
    await ensureProjected(customer.partnerId, customer.partnerCustomerId)
    return db.transaction(async (tx) => {
      if (!(await lockCustomer(tx, customer, now))) return refuse('resource_not_found')
      return present(await store.listPage(tx, page))
    })
  }
}

/** `payments.integrations` (spec: Fiat integrations; decisions §10 and §14). */
export const integrationOperations = (
  context: ServiceContext,
  options: IntegrationOptions,
): Implementation[] => {
  const { db } = context
  const { relationships, processors } = options
  const [firstProcessor] = processors.keys()
  if (firstProcessor === undefined) throw new Error('No card processor is configured')
  const labelOf = (processor: string) => processors.get(processor) ?? processor

  const lockCustomer = createLockCustomer(firstProcessor)
  /** Asks onboarding for a relationship that is not projected yet. */
  const ensureProjected = (partnerId: string, partnerCustomerId: string) =>
    relationships.merchantOf(partnerId, partnerCustomerId)

  return implement(integrations, {
    create: createIntegration(context, options, lockCustomer),

    list: createIntegrationList(context, { ensureProjected, lockCustomer, labelOf }),

    async delete({ caller: { partnerId }, params: { customerId, integrationId }, now }) {
      const customer = { partnerId, partnerCustomerId: customerId }
      await ensureProjected(partnerId, customerId)
      return db.transaction(async (tx) => {
        if (!(await lockCustomer(tx, customer, now))) return refuse('resource_not_found')
        const known = await store.listAll(tx, customer)
        if (!known.some((row) => row.id === integrationId)) return refuse('resource_not_found')
        if (known.length === 1) return refuse('invalid_state', [{ reason: 'last_integration' }])
        const deleted = await store.markDeleted(tx, { ...customer, integrationId, now })
        if (!deleted) throw new Error('A locked relationship has lost its integration')
        tx.emit(integrationChanged(deleted, { eventId: newIdAt('event', now.getTime()), deleted: true, now }))
        return reply({ deleted: true as const, integration_id: integrationId })
      })
    },

    async updateProcessor({ params: { integrationId }, body: { processor }, now }) {
      if (!processors.has(processor))
        return refuse('invalid_request', [
          { field: 'processor', reason: 'invalid_value', allowed: [...processors.keys()] },
        ])
      const row = await store.updateProcessor(db, { integrationId, processor, now })
      if (!row) return refuse('resource_not_found')
      const shown = {
        ...presentIntegration(row, labelOf(row.processor)),
        partner_customer_id: row.partnerCustomerId,
        customer_id: row.merchantId,
        processor: row.processor,
      }
      const before = { ...shown, psp: labelOf(row.processorBefore), processor: row.processorBefore }
      return withBefore(reply({ integration: shown }), { integration: before })
    },

    async resolve({ body }) {
      const row = await store.getState(db, { integrationId: body.integration_id })
      return row ? reply(integrationState(row, row.deleted)) : refuse('resource_not_found')
    },
  })
}
