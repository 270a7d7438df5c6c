import { statement, withDataKey } from '@causeway/chassis'
import { z } from 'zod'

const columns = {
  partner_customer_id: z.string(),
  customer_id: z.string(),
  external_customer_id: z.string(),
  relationship_status: z.enum(['active', 'revoked']),
  email_sealed: z.string(),
  customer_name: z.string().nullable(),
  customer_country: z.string().nullable(),
  created_at: z.date(),
}
const COLUMNS = `
  r.id AS partner_customer_id, r.merchant_id AS customer_id, r.external_customer_id,
  r.status AS relationship_status, ${withDataKey('r.email_sealed', 'r.id')} AS email_sealed, r.customer_name,
  r.customer_country, r.created_at`

const CustomerRow = z.object(columns)
export type CustomerRow = z.infer<typeof CustomerRow>

/**
 * The active customers among many asked for at once, each by its partner. Only what the asking partner owns joins.
 * Each key is looked up by itself (LATERAL, LIMIT 1): a join would read the whole table while statistics call it small.
 * $1 partner ids, $2 relationship ids, of equal length; `position` counts from 1
 */
export const readMany = statement({
  name: 'customers.read-many',
  text: `
    SELECT asked.position, ${COLUMNS}
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (partner_id, id, position)
    CROSS JOIN LATERAL (SELECT * FROM relationships WHERE id = asked.id LIMIT 1) r
    WHERE r.partner_id = asked.partner_id AND r.status = 'active'`,
  row: z.object({ position: z.number(), ...columns }),
})

/** One page of the partner's active customers, oldest first. $1 partner, $2 and $3 where the page before ended, $4 limit */
export const readPage = statement({
  name: 'customers.read-page',
  text: `
    SELECT ${COLUMNS}
    FROM relationships r
    WHERE r.partner_id = $1 AND r.status = 'active' AND (r.created_at, r.id) > ($2::timestamptz, $3)
    ORDER BY r.created_at, r.id
    LIMIT $4`,
  row: CustomerRow,
})

/** A customer whatever its status, for staff. $1 relationship */
export const readOne = statement({
  name: 'customers.read-one',
  text: `SELECT ${COLUMNS} FROM relationships r WHERE r.id = $1`,
  row: CustomerRow,
})

/**
 * The partner's relationships with this external id, and with this e-mail address: one that has both comes twice.
 * $1 partner, $2 external id, $3 the e-mail's keyed hash
 */
export const findLinks = statement({
  name: 'customers.find-links',
  text: `
    SELECT ${COLUMNS}, m.email_mac = $3 AS same_email
    FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.partner_id = $1 AND r.external_customer_id = $2
    UNION ALL
    SELECT ${COLUMNS}, true
    FROM relationships r
    WHERE r.partner_id = $1 AND r.merchant_id = (SELECT id FROM merchants WHERE email_mac = $3)`,
  row: z.object({ ...columns, same_email: z.boolean() }),
})

/**
 * Links a merchant. No row comes back when the partner has used the external id or linked the merchant
 * (relationships_external_id, relationships_merchant).
 * $1 id, $2 partner, $3 merchant, $4 external id, $5 sealed e-mail, $6 grants, $7 the merchant's creation, $8 now,
 * $9 whether the link counts at once even where another relationship of the merchant is there already. The merchant's
 * row is held: of two first links, one sees the other. $10 sealed data key. The e-mail address comes back as it was
 * given, without its key: a statement does not see the row that it adds.
 */
export const insert = statement({
  name: 'customers.insert',
  text: `
    WITH linked AS (
      INSERT INTO relationships AS r (id, partner_id, merchant_id, external_customer_id, email_sealed, status,
                                      granted, merchant_created_at, created_at, agreement_required, agreements_revision,
                                      link_confirmed)
      VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $8, EXISTS (SELECT FROM agreements),
              (SELECT revision FROM agreement_catalogue),
              $9 OR NOT EXISTS (SELECT FROM relationships other WHERE other.merchant_id = $3))
      ON CONFLICT DO NOTHING
      RETURNING ${COLUMNS}, r.agreement_required, r.link_confirmed
    ), key AS (
      INSERT INTO data_keys (subject, key_sealed, created_at) SELECT partner_customer_id, $10, $8 FROM linked
    )
    SELECT * FROM linked`,
  row: z.object({ ...columns, agreement_required: z.boolean(), link_confirmed: z.boolean() }),
})

/** What the relationship's own data calls the customer. $1 partner, $2 relationship */
export const readName = statement({
  name: 'customers.read-name',
  text: 'SELECT customer_name AS name FROM relationships WHERE partner_id = $1 AND id = $2',
  row: z.object({ name: z.string().nullable() }),
})

/** Fills what the relationship's own data says of the customer. A row comes back if that changes anything. $1 partner, $2 relationship, $3 name, $4 country */
export const fill = statement({
  name: 'customers.fill',
  text: `
    UPDATE relationships SET customer_name = $3, customer_country = $4
    WHERE partner_id = $1 AND id = $2 AND (customer_name, customer_country) IS DISTINCT FROM ($3, $4)
    RETURNING id`,
  row: z.object({ id: z.string() }),
})
