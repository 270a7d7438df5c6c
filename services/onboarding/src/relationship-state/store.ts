import { statement } from '@causeway/chassis'
import { CapabilityName } from '@causeway/contracts'
import { z } from 'zod'
import { AGREEMENT_REQUIRED } from '../agreements/store.ts'

const RelationshipRow = z.object({
  partner_customer_id: z.string(),
  partner_id: z.string(),
  customer_id: z.string(),
  status: z.enum(['active', 'revoked']),
  granted: z.array(CapabilityName),
  link_confirmed: z.boolean(),
  suspended: z.array(CapabilityName),
  verification: z.enum(['required', 'approved', 'expired']),
  agreement_required: z.boolean(),
  disputes_over: z.boolean(),
  version: z.number(),
})
const SHARED = `
  r.id AS partner_customer_id, r.partner_id, r.merchant_id AS customer_id, r.status, r.granted, r.link_confirmed, m.suspended,
  m.verification,  m.disputes_over, r.version`
/** As last announced: what a change is compared with. */
const COLUMNS = `${SHARED}, r.agreement_required`
/** As it is now: what is shown. */
const LIVE_COLUMNS = `${SHARED}, ${AGREEMENT_REQUIRED} AS agreement_required`
/** Every change is announced with what is true by then, whatever else has come about since the last one. */
const ANNOUNCED_NOW = `
  version = r.version + 1, agreement_required = ${AGREEMENT_REQUIRED},
  agreements_revision = (SELECT revision FROM agreement_catalogue)`

/** $1 relationship. Changes read it while they hold the merchant. */
export const read = statement({
  name: 'relationships.read',
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.id = $1`,
  row: RelationshipRow,
})

/** $1 partner, $2 relationship. Whatever its status; callers judge it. */
export const readOfPartner = statement({
  name: 'relationships.read-of-partner',
  text: `
    SELECT ${LIVE_COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.id = $2 AND r.partner_id = $1`,
  row: RelationshipRow,
})

/** $1 merchant */
export const readOfMerchant = statement({
  name: 'relationships.read-of-merchant',
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.merchant_id = $1 ORDER BY r.id`,
  row: RelationshipRow,
})

/** Stores a change and counts it. $1 relationship, $2 status, $3 grants */
export const update = statement({
  name: 'relationships.update',
  text: `
    UPDATE relationships r SET status = $2, granted = $3, ${ANNOUNCED_NOW}
    FROM merchants m WHERE r.id = $1 AND m.id = r.merchant_id
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})

/** $1 relationship */
export const confirmLink = statement({
  name: 'relationships.confirm-link',
  text: `
    UPDATE relationships r SET link_confirmed = true, ${ANNOUNCED_NOW}
    FROM merchants m WHERE r.id = $1 AND m.id = r.merchant_id
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})

/** Counts a change of the merchant on each of its relationships. $1 merchant */
export const countChange = statement({
  name: 'relationships.count-change',
  text: `
    UPDATE relationships r SET ${ANNOUNCED_NOW}
    FROM merchants m WHERE r.merchant_id = $1 AND m.id = r.merchant_id
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})

const UNTOLD = 'r.agreements_revision < (SELECT revision FROM agreement_catalogue)'

/** $1 merchants */
export const readOfMerchants = statement({
  name: 'relationships.read-of-merchants',
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.merchant_id = ANY($1::text[])`,
  row: RelationshipRow,
})

/** Brings held merchants' relationships up to every publication; only those count a change whose requirement has changed. $1 merchants */
export const settleAgreements = statement({
  name: 'relationships.settle-agreements',
  text: `
    UPDATE relationships r
    SET version = r.version + (r.agreement_required <> ${AGREEMENT_REQUIRED})::int,
        agreement_required = ${AGREEMENT_REQUIRED},
        agreements_revision = (SELECT revision FROM agreement_catalogue)
    FROM merchants m WHERE r.merchant_id = ANY($1::text[]) AND m.id = r.merchant_id AND ${UNTOLD}
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})
