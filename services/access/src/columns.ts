import { sealedColumns, type Tables, type VaultUse } from '@causeway/chassis'
import { mailContext } from './mail/message.ts'
import { personContext, signInRequestContext } from './people/address.ts'
import { requestContext, resultContext } from './pending-actions/request.ts'
import { signingKeyContext } from './signing-keys/domain.ts'

const STAFF = { keptBecause: 'Staff: who may act, and who did' }
const OF_PERSON = { keptBecause: 'Deleted when the person is removed' }
const OF_REQUEST = { keptBecause: 'Deleted within seconds; the hash within 15 minutes' }
const AUDIT = {
  keptBecause: 'The audit log is append-only (ADR 0041). Personal data of customers is left out',
}
const OF_ACTION = { keptBecause: 'Deleted with the action, by age', key: 'pending_action_id' }

/** Every column of this service's tables: the rotation of keys derives from it. */
export const TABLES: Tables = {
  'audit.head': { plain: 'only_row sequence hash' },
  'audit.records': { personal: { record: AUDIT }, plain: 'sequence request_id kind hash' },
  audit_entries: {
    personal: { actor: STAFF, target: AUDIT, before: AUDIT, after: AUDIT },
    plain: 'entry_id at action request_id',
  },
  client_assertions: { plain: 'client_id jti_hash expires_at' },
  client_secrets: { plain: 'client_id secret_mac created_at expires_at' },
  clients: {
    plain:
      'client_id partner_id status scopes created_at revision keys allowed_addresses daily_refund_limit_cents',
  },
  mails: {
    personal: {
      message_sealed: {
        keptBecause: 'Deleted when the mail has been sent, and at the latest a week after it was queued',
        sealed: { key: 'mail_id', contextOf: mailContext },
      },
    },
    plain: 'mail_id kind created_at expires_at attempts next_attempt_at ended_at outcome',
  },
  known_browsers: { plain: 'person_id browser_hash seen_at' },
  merchant_api_keys: { plain: 'key_mac merchant_id created_at key_id hint revoked_at revision' },
  notices: { plain: 'person_id kind subject queued_at' },
  partners: { plain: 'partner_id name status scopes default_capabilities created_at revision' },
  people: {
    personal: {
      email_mac: OF_PERSON,
      email_sealed: { ...OF_PERSON, sealed: { key: 'person_id', contextOf: personContext } },
      invited_by: STAFF,
    },
    plain:
      'person_id owner_kind owner_id role invited_at invitation_hash invitation_expires_at accepted_at removed_at ' +
      'mails_new_sign_in muted_notices',
  },
  pending_actions: {
    personal: {
      requested_by: STAFF,
      decided_by: STAFF,
      request_sealed: {
        keptBecause: OF_ACTION.keptBecause,
        sealed: { key: OF_ACTION.key, contextOf: requestContext },
      },
      result_sealed: {
        keptBecause: OF_ACTION.keptBecause,
        sealed: { key: OF_ACTION.key, contextOf: resultContext },
      },
    },
    plain:
      'pending_action_id action target role request_sha256 status requested_role requested_at expires_at decided_at ' +
      'execution_id code',
  },
  portal_links: {
    personal: { origin: STAFF },
    plain: 'token_hash owner_kind owner_id created_at expires_at used_at ended_at',
  },
  registry: { plain: 'only_row revision' },
  revoked_tokens: { plain: 'jti client_id expires_at' },
  sessions: {
    personal: { subject: STAFF, origin: STAFF },
    plain: 'token_hash kind role created_at expires_at ended_at session_id last_seen_at end_reason',
  },
  sign_in_requests: {
    personal: {
      email_mac: OF_REQUEST,
      email_sealed: {
        ...OF_REQUEST,
        sealed: { key: 'sign_in_request_id', contextOf: signInRequestContext },
      },
    },
    plain: 'sign_in_request_id browser_hash requested_at expires_at token_hash used_at',
  },
  signing_keys: {
    secret: { private_sealed: { key: 'kid', contextOf: signingKeyContext } },
    plain: 'kid public_jwk created_at signs_from',
  },
  staff_keys: {
    personal: { name: STAFF, made_by: STAFF },
    plain: 'staff_key_id key_mac role created_at last_used_at revoked_at revision',
  },
}

export const VAULT_USE: VaultUse = {
  columns: sealedColumns(TABLES),
  formerHashPurposes: ['client-secret', 'merchant-api-key', 'cursor'],
}
