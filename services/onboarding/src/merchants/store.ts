import { statement } from '@causeway/chassis'
import { CapabilityName } from '@causeway/contracts'
import { z } from 'zod'

const MerchantRow = z.object({
  id: z.string(),
  suspended: z.array(CapabilityName),
  verification: z.enum(['required', 'approved', 'expired']),
  disputes_over: z.boolean(),
  created_at: z.date(),
})

/**
 * Finds or creates the merchant of an e-mail address and holds its row to the end of the transaction: the update
 * changes nothing, it locks. $1 id if new, $2 the e-mail's keyed hash, $3 now
 */
export const findOrCreate = statement({
  name: 'merchants.find-or-create',
  text: `
    INSERT INTO merchants AS m (id, email_mac, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (email_mac) DO UPDATE SET suspended = m.suspended
    RETURNING m.id, m.suspended, m.verification, m.disputes_over, m.created_at`,
  row: MerchantRow,
})

/** Holds a merchant's row to the end of the transaction. $1 merchant */
export const hold = statement({
  name: 'merchants.hold',
  text: 'SELECT id, suspended, verification, disputes_over, created_at FROM merchants WHERE id = $1 FOR NO KEY UPDATE',
  row: MerchantRow,
})

/** Holds the row of a relationship's merchant. $1 relationship */
export const holdOfRelationship = statement({
  name: 'merchants.hold-of-relationship',
  text: `
    SELECT id, suspended, verification, disputes_over, created_at FROM merchants
    WHERE id = (SELECT merchant_id FROM relationships WHERE id = $1)
    FOR NO KEY UPDATE`,
  row: MerchantRow,
})

/** Holds the row of the merchant of a partner's own relationship. $1 partner, $2 relationship */
export const holdOfPartner = statement({
  name: 'merchants.hold-of-partner',
  text: `
    SELECT id, suspended, verification, disputes_over, created_at FROM merchants
    WHERE id = (SELECT merchant_id FROM relationships WHERE partner_id = $1 AND id = $2)
    FOR NO KEY UPDATE`,
  row: MerchantRow,
})

/** Holds a merchant's row, with what is known of its disputes. $1 merchant */
export const holdDisputes = statement({
  name: 'merchants.hold-disputes',
  text: 'SELECT disputes_version AS version FROM merchants WHERE id = $1 FOR NO KEY UPDATE',
  row: z.object({ version: z.number() }),
})

/** $1 merchant, $2 whether its disputes are over the threshold, $3 version */
export const setDisputes = statement({
  name: 'merchants.set-disputes',
  text: 'UPDATE merchants SET disputes_over = $2, disputes_version = $3 WHERE id = $1',
})

/** $1 merchant, $2 suspended capabilities */
export const suspend = statement({
  name: 'merchants.suspend',
  text: 'UPDATE merchants SET suspended = $2 WHERE id = $1',
})

/**
 * Holds merchants with a relationship that has not been told of every publication of agreements; those that another
 * transaction holds are left for later. $1 how many
 */
export const holdUntold = statement({
  name: 'merchants.hold-untold',
  text: `
    SELECT id FROM merchants
    WHERE id IN (
      SELECT merchant_id FROM relationships
      WHERE agreements_revision < (SELECT revision FROM agreement_catalogue)
      ORDER BY agreements_revision LIMIT $1)
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
  row: z.object({ id: z.string() }),
})

/** $1 merchant, $2 what its case means to capabilities, $3 when an approval ends */
export const setVerification = statement({
  name: 'merchants.set-verification',
  text: 'UPDATE merchants SET verification = $2, verification_expires_at = $3 WHERE id = $1',
})

/** Holds merchants whose approval has ended; each replica skips what another holds. $1 now, $2 limit */
export const holdExpired = statement({
  name: 'merchants.hold-expired',
  text: `
    SELECT id, suspended, verification, disputes_over, created_at FROM merchants WHERE verification_expires_at <= $1
    ORDER BY verification_expires_at LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED`,
  row: MerchantRow,
})
