import type { EventOf, Integration, IntegrationState } from '@causeway/contracts'

/** Integrations of a customer at most (spec: Limits). */
export const MAX_INTEGRATIONS = 25

/** Name of the first integration of every customer (decisions §3). */
export const DEFAULT_NAME = 'Default'

export type IntegrationRecord = Readonly<{
  id: string
  partnerId: string
  partnerCustomerId: string
  merchantId: string
  name: string
  processor: string
  returnUrl: string | null
  failureUrl: string | null
  contactUrl: string | null
  createdAt: Date
  updatedAt: Date | null
}>

/** @param psp the processor's public label */
export const presentIntegration = (record: IntegrationRecord, psp: string): Integration => ({
  integration_id: record.id,
  name: record.name,
  psp,
  return_url: record.returnUrl,
  failure_url: record.failureUrl,
  contact_url: record.contactUrl,
  created_at: record.createdAt.toISOString(),
  updated_at: record.updatedAt?.toISOString() ?? null,
})

/** Its projection in other services. */
export const integrationState = (record: IntegrationRecord, deleted: boolean): IntegrationState => ({
  integration_id: record.id,
  partner_id: record.partnerId,
  partner_customer_id: record.partnerCustomerId,
  customer_id: record.merchantId,
  deleted,
})

/** The fact for other services: whose an integration is, and whether it was deleted. */
export const integrationChanged = (
  record: IntegrationRecord,
  change: { eventId: string; deleted: boolean; now: Date },
): EventOf<'integration.changed'> => ({
  id: change.eventId,
  name: 'integration.changed',
  created_at: change.now.toISOString(),
  partners: [],
  merchant: null,
  fact: { kind: 'integration', integration: integrationState(record, change.deleted) },
})
