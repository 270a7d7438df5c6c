import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { CapabilityName, DisputeMeasure } from '@causeway/contracts'
import { z } from 'zod'
import { MerchantVerification } from './domain.ts'

const MerchantRow = z.object({
  id: z.string(),
  suspended: z.array(CapabilityName),
  verification: MerchantVerification,
  disputesAboveThreshold: z.boolean(),
  createdAt: z.date(),
})
const COLUMNS = `
  m.id, m.suspended, m.verification, m.disputes_over AS disputes_above_threshold, m.created_at`

/** Reads without a lock whether a merchant exists, and what of it is suspended. */
export const findMerchant = queryOne({
  name: 'merchants.find',
  parameters: { merchantId: 'text' },
  text: 'SELECT id, suspended FROM merchants WHERE id = :merchantId',
  row: z.object({ id: z.string(), suspended: z.array(CapabilityName) }),
})

/** Locks the row of the merchant with an e-mail address until the end of the transaction; inserts it if it does not exist. */
export const lockOrInsertMerchant = queryOne({
  name: 'merchants.find-or-create',
  parameters: { newId: 'text', emailMac: 'bytea', now: 'timestamptz' },
  // DO UPDATE changes nothing: unlike DO NOTHING it locks the row and returns it.
  text: `
    INSERT INTO merchants AS m (id, email_mac, created_at) VALUES (:newId, :emailMac, :now)
    ON CONFLICT (email_mac) DO UPDATE SET suspended = m.suspended
    RETURNING ${COLUMNS}`,
  row: MerchantRow,
})

export const lockMerchant = queryOne({
  name: 'merchants.hold',
  parameters: { merchantId: 'text' },
  text: `SELECT ${COLUMNS} FROM merchants m WHERE m.id = :merchantId FOR NO KEY UPDATE`,
  row: MerchantRow,
})

export const lockMerchantOfRelationship = queryOne({
  name: 'merchants.hold-of-relationship',
  parameters: { partnerCustomerId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM merchants m
    WHERE m.id = (SELECT merchant_id FROM relationships WHERE id = :partnerCustomerId)
    FOR NO KEY UPDATE`,
  row: MerchantRow,
})

/** Locks the merchant of a relationship, if the relationship is the partner's. */
export const lockMerchantOfPartner = queryOne({
  name: 'merchants.hold-of-partner',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM merchants m
    WHERE m.id = (SELECT merchant_id FROM relationships WHERE partner_id = :partnerId AND id = :partnerCustomerId)
    FOR NO KEY UPDATE`,
  row: MerchantRow,
})

/** Locks a merchant and reads what payments last said of its disputes. */
export const lockDisputes = queryOne({
  name: 'merchants.hold-disputes',
  parameters: { merchantId: 'text' },
  text: `
    SELECT disputes_version AS version, disputes_measure AS measure FROM merchants
    WHERE id = :merchantId FOR NO KEY UPDATE`,
  row: z.object({ version: z.number(), measure: DisputeMeasure.nullable() }),
})

export const updateDisputes = queryNone({
  name: 'merchants.set-disputes',
  parameters: { merchantId: 'text', isAboveThreshold: 'boolean', version: 'bigint', measure: 'jsonb?' },
  text: `
    UPDATE merchants
    SET disputes_over = :isAboveThreshold, disputes_version = :version, disputes_measure = :measure
    WHERE id = :merchantId`,
})

/** Stores a newer measure of disputes whose side of the threshold is known. */
export const updateDisputeMeasure = queryNone({
  name: 'merchants.set-dispute-measure',
  parameters: { merchantId: 'text', measure: 'jsonb' },
  text: 'UPDATE merchants SET disputes_measure = :measure WHERE id = :merchantId',
})

export const updateSuspension = queryNone({
  name: 'merchants.suspend',
  parameters: { merchantId: 'text', suspended: 'text[]' },
  text: 'UPDATE merchants SET suspended = :suspended WHERE id = :merchantId',
})

/** Locks merchants of relationships whose agreements revision is old; rows that another transaction has locked are skipped. */
export const lockMerchantsOfOldRevisions = queryMany({
  name: 'merchants.hold-untold',
  parameters: { limit: 'bigint' },
  text: `
    SELECT id FROM merchants
    WHERE id IN (
      SELECT merchant_id FROM relationships
      WHERE agreements_revision < (SELECT revision FROM agreement_catalogue)
      ORDER BY agreements_revision LIMIT :limit)
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
  row: z.object({ id: z.string() }),
})

/** Stores what the case means to capabilities; `expiresAt` is when an approval ends. */
export const updateVerification = queryNone({
  name: 'merchants.set-verification',
  parameters: { merchantId: 'text', verification: 'text', expiresAt: 'timestamptz?' },
  text: `
    UPDATE merchants SET verification = :verification, verification_expires_at = :expiresAt
    WHERE id = :merchantId`,
})

/** Locks merchants whose approval has ended; rows that another transaction has locked are skipped. */
export const lockExpiredApprovals = queryMany({
  name: 'merchants.hold-expired',
  parameters: { now: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT id FROM merchants WHERE verification_expires_at <= :now
    ORDER BY verification_expires_at LIMIT :limit
    FOR NO KEY UPDATE SKIP LOCKED`,
  row: z.object({ id: z.string() }),
})
