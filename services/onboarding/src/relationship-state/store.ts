import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { CapabilityName, FeeHandling, RelationshipStatus, SettlementOption } from '@causeway/contracts'
import { z } from 'zod'
import { MerchantVerification } from '../merchants/domain.ts'

/** SQL: whether relationship `r` has yet to accept a current agreement. With none in force nothing is required. */
export const AGREEMENT_REQUIRED = `
  EXISTS (
    SELECT FROM agreements a WHERE a.current_version IS NOT NULL AND NOT EXISTS (
      SELECT FROM acceptances x
      WHERE x.partner_customer_id = r.id AND x.agreement_id = a.id AND x.agreement_version = a.current_version))`

const RelationshipRow = z.object({
  partnerCustomerId: z.string(),
  partnerId: z.string(),
  merchantId: z.string(),
  status: RelationshipStatus,
  isErased: z.boolean(),
  feeHandling: FeeHandling.nullable(),
  settlementOption: SettlementOption.nullable(),
  granted: z.array(CapabilityName),
  linkConfirmed: z.boolean(),
  suspended: z.array(CapabilityName),
  verification: MerchantVerification,
  agreementRequired: z.boolean(),
  disputesAboveThreshold: z.boolean(),
  version: z.number(),
})
const COMMON_COLUMNS = `
  r.id AS partner_customer_id, r.partner_id, r.merchant_id, r.status, r.granted, r.link_confirmed, m.suspended,
  m.verification, m.disputes_over AS disputes_above_threshold, r.erased_at IS NOT NULL AS is_erased, r.version,
  r.fee_handling, r.settlement_option`
/** As last emitted: a change is compared with this. */
const COLUMNS = `${COMMON_COLUMNS}, r.agreement_required`
/** As it is now: replies show this. */
const LIVE_COLUMNS = `${COMMON_COLUMNS}, ${AGREEMENT_REQUIRED} AS agreement_required`
/** A change is emitted with what is true by then, whatever else has changed since the last one. */
const NEW_VERSION = `
  version = r.version + 1, agreement_required = ${AGREEMENT_REQUIRED},
  agreements_revision = (SELECT revision FROM agreement_catalogue)`

/** As last emitted, whatever its status. */
export const get = queryOne({
  name: 'relationships.read',
  parameters: { partnerCustomerId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.id = :partnerCustomerId`,
  row: RelationshipRow,
})

/** As it is now, whatever its status: callers check it. */
export const getLive = queryOne({
  name: 'relationships.read-of-partner',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT ${LIVE_COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId`,
  row: RelationshipRow,
})

export const listOfMerchant = queryMany({
  name: 'relationships.read-of-merchant',
  parameters: { merchantId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.merchant_id = :merchantId ORDER BY r.id`,
  row: RelationshipRow,
})

/** As last emitted, whatever their status: those after an id. */
export const listAfter = queryMany({
  name: 'relationships.list-after',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.id > :after ORDER BY r.id LIMIT :limit`,
  row: RelationshipRow,
})

export const update = queryOne({
  name: 'relationships.update',
  parameters: { partnerCustomerId: 'text', status: 'text', granted: 'text[]' },
  text: `
    UPDATE relationships r SET status = :status, granted = :granted, ${NEW_VERSION}
    FROM merchants m WHERE r.id = :partnerCustomerId AND m.id = r.merchant_id
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})

/** Stores when a relationship ended; no row for one whose data is erased, because it cannot begin again. */
export const updateEnd = queryOne({
  name: 'personal-data.set-end',
  parameters: { partnerCustomerId: 'text', endedAt: 'timestamptz?' },
  text: `
    UPDATE relationships SET ended_at = :endedAt WHERE id = :partnerCustomerId AND erased_at IS NULL
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

export const confirmLink = queryOne({
  name: 'relationships.confirm-link',
  parameters: { partnerCustomerId: 'text' },
  text: `
    UPDATE relationships r SET link_confirmed = true, ${NEW_VERSION}
    FROM merchants m WHERE r.id = :partnerCustomerId AND m.id = r.merchant_id
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})

/** Gives every relationship of a merchant a new version, after the merchant has changed. */
export const updateVersionsOfMerchant = queryMany({
  name: 'relationships.count-change',
  parameters: { merchantId: 'text' },
  text: `
    UPDATE relationships r SET ${NEW_VERSION}
    FROM merchants m WHERE r.merchant_id = :merchantId AND m.id = r.merchant_id
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})

/** Stores the commercial choices of relationships, as approved; the relationships get their new version afterwards. */
export const updateChoices = queryNone({
  name: 'relationships.set-choices',
  parameters: { partnerCustomerIds: 'text[]', feeHandlings: 'text?[]', settlementOptions: 'text?[]' },
  text: `
    UPDATE relationships r SET fee_handling = c.fee_handling, settlement_option = c.settlement_option
    FROM unnest(:partnerCustomerIds, :feeHandlings, :settlementOptions) AS c (id, fee_handling, settlement_option)
    WHERE r.id = c.id`,
})

export const listOfMerchants = queryMany({
  name: 'relationships.read-of-merchants',
  parameters: { merchantIds: 'text[]' },
  text: `
    SELECT ${COLUMNS} FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.merchant_id = ANY(:merchantIds)`,
  row: RelationshipRow,
})

/**
 * Brings the relationships of locked merchants up to the newest publication of agreements. Those whose requirement
 * has changed get a new version.
 */
export const updateAgreementsRevision = queryMany({
  name: 'relationships.settle-agreements',
  parameters: { merchantIds: 'text[]' },
  text: `
    UPDATE relationships r
    SET version = r.version + (r.agreement_required <> ${AGREEMENT_REQUIRED})::int,
        agreement_required = ${AGREEMENT_REQUIRED},
        agreements_revision = (SELECT revision FROM agreement_catalogue)
    FROM merchants m
    WHERE r.merchant_id = ANY(:merchantIds) AND m.id = r.merchant_id
      AND r.agreements_revision < (SELECT revision FROM agreement_catalogue)
    RETURNING ${COLUMNS}`,
  row: RelationshipRow,
})
