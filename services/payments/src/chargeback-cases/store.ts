import { statement } from '@causeway/chassis'
import { z } from 'zod'

const CaseRow = z.object({
  id: z.string(),
  kind: z.enum(['ip', 'email']),
  valueMasked: z.string(),
  status: z.enum(['active', 'lifted']),
  orderKeys: z.array(z.coerce.number()),
  createdAt: z.date(),
  liftedAt: z.date().nullable(),
})
export type CaseRow = Readonly<z.infer<typeof CaseRow>>

/** A case bears the keys of the first so many disputed orders of its payer. */
const MOST_ORDER_KEYS = 1_000

const COLUMNS = `
  c.id, c.kind, c.value_masked AS "valueMasked", c.status, c.order_keys[1:${MOST_ORDER_KEYS}]::text[] AS "orderKeys",
  c.created_at AS "createdAt", c.lifted_at AS "liftedAt"`

/**
 * Opens a case, or adds the order to the active one of the same payer. $1 id, $2 partner, $3 relationship, $4 kind,
 * $5 keyed hash, $6 masked, $7 order key, $8 now
 */
export const open = statement({
  name: 'chargeback-cases.open',
  text: `
    INSERT INTO chargeback_cases AS c
      (id, partner_id, partner_customer_id, kind, value_mac, value_masked, status, order_keys, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, 'active', ARRAY[$7::bigint], $8)
    ON CONFLICT (partner_customer_id, kind, value_mac) WHERE status = 'active' DO UPDATE
      SET order_keys = CASE
        WHEN $7::bigint = ANY (c.order_keys) OR cardinality(c.order_keys) >= ${MOST_ORDER_KEYS} THEN c.order_keys
        ELSE c.order_keys || $7::bigint END`,
})

/** Whether a payer is blocked at a customer. $1 partner, $2 relationship, $3 hash of the IP, $4 hash of the e-mail */
export const isBlocked = statement({
  name: 'chargeback-cases.is-blocked',
  text: `
    SELECT EXISTS (
      SELECT FROM chargeback_cases c
      WHERE c.partner_id = $1 AND c.partner_customer_id = $2 AND c.status = 'active'
        AND ((c.kind = 'ip' AND c.value_mac = $3) OR (c.kind = 'email' AND c.value_mac = $4))) AS blocked`,
  row: z.object({ blocked: z.boolean() }),
})

/** Newest first. $1 partner, $2 relationship, $3 and $4 where the page before ended, $5 limit */
export const list = statement({
  name: 'chargeback-cases.list',
  text: `
    SELECT ${COLUMNS} FROM chargeback_cases c
    WHERE c.partner_id = $1 AND c.partner_customer_id = $2 AND (c.created_at, c.id) < ($3, $4)
    ORDER BY c.created_at DESC, c.id DESC LIMIT $5`,
  row: CaseRow,
})

/** $1 partner, $2 relationship, $3 case, $4 now */
export const lift = statement({
  name: 'chargeback-cases.lift',
  text: `
    UPDATE chargeback_cases c SET status = 'lifted', lifted_at = $4
    WHERE c.partner_id = $1 AND c.partner_customer_id = $2 AND c.id = $3 AND c.status = 'active'
    RETURNING ${COLUMNS}`,
  row: CaseRow,
})

/** $1 partner, $2 relationship, $3 case */
export const find = statement({
  name: 'chargeback-cases.find',
  text: `
    SELECT ${COLUMNS} FROM chargeback_cases c
    WHERE c.partner_id = $1 AND c.partner_customer_id = $2 AND c.id = $3`,
  row: CaseRow,
})
