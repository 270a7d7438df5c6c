import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { ChargebackCase } from '@causeway/contracts'
import { z } from 'zod'

const CaseRow = z.object({
  id: z.string(),
  kind: ChargebackCase.shape.kind,
  valueMasked: z.string(),
  status: ChargebackCase.shape.status,
  orderKeys: z.array(z.coerce.number()),
  createdAt: z.date(),
  liftedAt: z.date().nullable(),
})
export type CaseRow = Readonly<z.infer<typeof CaseRow>>

/** A case lists the keys of its payer's first 1,000 disputed orders. */
const MAX_ORDER_KEYS = 1_000

const COLUMNS = `
  c.id, c.kind, c.value_masked, c.status, c.order_keys[1:${MAX_ORDER_KEYS}]::text[] AS order_keys, c.created_at,
  c.lifted_at`

/** Opens a case, or adds the order to the active one of the same payer. `valueMac` is the keyed hash of the IP or e-mail. */
export const open = queryNone({
  name: 'chargeback-cases.open',
  parameters: {
    id: 'text',
    partnerId: 'text',
    partnerCustomerId: 'text',
    kind: 'text',
    valueMac: 'bytea',
    valueMasked: 'text',
    orderKey: 'bigint',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO chargeback_cases AS c
      (id, partner_id, partner_customer_id, kind, value_mac, value_masked, status, order_keys, created_at)
    VALUES (:id, :partnerId, :partnerCustomerId, :kind, :valueMac, :valueMasked, 'active', ARRAY[:orderKey], :now)
    ON CONFLICT (partner_customer_id, kind, value_mac) WHERE status = 'active' DO UPDATE
      SET order_keys = CASE
        WHEN :orderKey = ANY (c.order_keys) OR cardinality(c.order_keys) >= ${MAX_ORDER_KEYS} THEN c.order_keys
        ELSE c.order_keys || :orderKey END`,
})

/** Checks whether an active case of a customer blocks a payer; a null hash matches nobody. */
export const getBlocked = queryOne({
  name: 'chargeback-cases.is-blocked',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', ipMac: 'bytea?', emailMac: 'bytea?' },
  text: `
    SELECT EXISTS (
      SELECT FROM chargeback_cases c
      WHERE c.partner_id = :partnerId AND c.partner_customer_id = :partnerCustomerId AND c.status = 'active'
        AND ((c.kind = 'ip' AND c.value_mac = :ipMac) OR (c.kind = 'email' AND c.value_mac = :emailMac))) AS blocked`,
  row: z.object({ blocked: z.boolean() }),
})

/** A page of cases, newest first, of those before `(createdAt, id)`. */
export const listPage = queryMany({
  name: 'chargeback-cases.list',
  parameters: {
    partnerId: 'text',
    partnerCustomerId: 'text',
    beforeAt: 'timestamptz',
    beforeId: 'text',
    limit: 'bigint',
  },
  text: `
    SELECT ${COLUMNS} FROM chargeback_cases c
    WHERE c.partner_id = :partnerId AND c.partner_customer_id = :partnerCustomerId
      AND (c.created_at, c.id) < (:beforeAt, :beforeId)
    ORDER BY c.created_at DESC, c.id DESC LIMIT :limit`,
  row: CaseRow,
})

const CaseOfCustomerRow = CaseRow.extend({ partnerId: z.string(), partnerCustomerId: z.string() })
export type CaseOfCustomerRow = Readonly<z.infer<typeof CaseOfCustomerRow>>

/** For staff: a page of the active cases of all customers, newest first. */
export const listActive = queryMany({
  name: 'chargeback-cases.list-active',
  parameters: { at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS}, c.partner_id, c.partner_customer_id FROM chargeback_cases c
    WHERE c.status = 'active' AND (c.created_at, c.id) < (:at, :id)
    ORDER BY c.created_at DESC, c.id DESC LIMIT :limit`,
  row: CaseOfCustomerRow,
})

/** No row for a case that is not active. */
export const lift = queryOne({
  name: 'chargeback-cases.lift',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', caseId: 'text', now: 'timestamptz' },
  text: `
    UPDATE chargeback_cases c SET status = 'lifted', lifted_at = :now
    WHERE c.partner_id = :partnerId AND c.partner_customer_id = :partnerCustomerId AND c.id = :caseId
      AND c.status = 'active'
    RETURNING ${COLUMNS}`,
  row: CaseRow,
})

export const get = queryOne({
  name: 'chargeback-cases.find',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', caseId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM chargeback_cases c
    WHERE c.partner_id = :partnerId AND c.partner_customer_id = :partnerCustomerId AND c.id = :caseId`,
  row: CaseRow,
})
