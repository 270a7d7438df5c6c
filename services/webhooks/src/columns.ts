import { sealedColumns, type Tables, type VaultUse } from '@causeway/chassis'
import { secretContext } from './destinations/secret.ts'
import { bodyContext } from './engine/sealed-body.ts'

const BY_AGE = { keptBecause: 'Deleted with the event, after WEBHOOK_EVENT_RETENTION' }
const ANSWER = { keptBecause: 'Text of the receiver. Deleted by age, with the attempt' }
const secret = { key: 'id', contextOf: secretContext }

/** Every column of this service's tables: the rotation of keys derives from it. */
export const TABLES: Tables = {
  destinations: {
    secret: { secret_sealed: secret, former_secret_sealed: secret },
    plain:
      'id channel owner_id integration_id url event_types revision created_at removed_at former_secret_until disabled_at',
  },
  events: {
    personal: {
      body: BY_AGE,
      body_sealed: { ...BY_AGE, sealed: { key: 'event_id', contextOf: bodyContext } },
    },
    plain: 'owner_id event_id type integration_id created_at traceparent feed_position',
  },
  deliveries: {
    personal: { first_response_body: ANSWER },
    plain:
      'destination_id id owner_id event_id state lane retries_used due_at next_attempt_at lease_id created_at event_type ' +
      'first_at first_status_code first_latency_ms first_error',
  },
  attempts: { personal: { response_body: ANSWER }, plain: 'delivery_id at status_code latency_ms error' },
  destination_revision: { plain: 'only_row revision' },
  disabled_partner_set: { plain: 'only_row revision confirmed_at' },
  disabled_partners: { plain: 'partner_id' },
  integrations: { plain: 'integration_id merchant_id deleted' },
  redeliveries: {
    plain:
      'id owner_id destination_id status event_status since until per_second sent reached_at reached_id next_at ' +
      'created_at finished_at',
  },
  relationships: { plain: 'partner_customer_id is_revoked version' },
}

export const SEALED_COLUMNS = sealedColumns(TABLES)

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['cursor'],
}
