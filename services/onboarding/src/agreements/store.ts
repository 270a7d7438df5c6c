import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

/** SQL: whether relationship `r` has yet to accept a current agreement. With none published nothing is required. */
export const AGREEMENT_REQUIRED = `
  EXISTS (
    SELECT FROM agreements a WHERE NOT EXISTS (
      SELECT FROM acceptances x
      WHERE x.partner_customer_id = r.id AND x.agreement_id = a.id AND x.agreement_version = a.current_version))`

const readStanding = statement({
  name: 'agreements.read-standing',
  text: `SELECT r.id FROM relationships r WHERE r.id = ANY($1::text[]) AND NOT ${AGREEMENT_REQUIRED}`,
  row: z.object({ id: z.string() }),
})

/** Which of these relationships have accepted every current agreement. */
export const agreementsStanding = async (
  database: Queryable,
  partnerCustomerIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await database.query(readStanding, [partnerCustomerIds])
  return new Set(rows.map((row) => row.id))
}

const VersionRow = z.object({
  agreement_id: z.string(),
  version: z.string(),
  title: z.string(),
  effective_date: z.string(),
  parties: z.array(z.object({ role: z.string(), name: z.string() })),
  disclosure: z.string(),
  content_hash: z.string(),
})
export type VersionRow = z.infer<typeof VersionRow>
const ListedRow = VersionRow.extend({ created_at: z.date() })
export type ListedRow = z.infer<typeof ListedRow>

/**
 * The current versions of one page of agreements, in the order in which the agreements were first published.
 * $1 and $2 where the page before ended, $3 limit
 */
export const readPage = statement({
  name: 'agreements.read-page',
  text: `
    SELECT v.agreement_id, v.version, v.title, v.effective_date::text, v.parties, v.disclosure, v.content_hash,
           a.created_at
    FROM agreements a JOIN agreement_versions v ON v.agreement_id = a.id AND v.version = a.current_version
    WHERE (a.created_at, a.id) > ($1::timestamptz, $2)
    ORDER BY a.created_at, a.id LIMIT $3`,
  row: ListedRow,
})

/** A published document by its hash; never changes. $1 agreement, $2 hash */
export const readContent = statement({
  name: 'agreements.read-content',
  text: `
    SELECT content, content_type FROM agreement_versions WHERE agreement_id = $1 AND content_hash = $2 LIMIT 1`,
  row: z.object({ content: z.instanceof(Buffer), content_type: z.string() }),
})

/** The current version, which no publication changes before the transaction ends. $1 agreement */
export const holdCurrent = statement({
  name: 'agreements.hold-current',
  text: `
    SELECT v.version, v.content_hash
    FROM agreements a JOIN agreement_versions v ON v.agreement_id = a.id AND v.version = a.current_version
    WHERE a.id = $1 FOR SHARE OF a`,
  row: z.object({ version: z.string(), content_hash: z.string() }),
})

/** Counts a publication; publications follow one another. */
export const countPublication = statement({
  name: 'agreements.count-publication',
  text: 'UPDATE agreement_catalogue SET revision = revision + 1',
})

/** $1 id, $2 version, $3 now */
export const insert = statement({
  name: 'agreements.insert',
  text: 'INSERT INTO agreements (id, current_version, created_at) VALUES ($1, $2, $3)',
})

/** No row comes back for an unknown agreement. $1 agreement, $2 version */
export const moveToVersion = statement({
  name: 'agreements.move-to-version',
  text: 'UPDATE agreements SET current_version = $2 WHERE id = $1 RETURNING id',
  row: z.object({ id: z.string() }),
})

/**
 * No row comes back for a version that is published already. $1 agreement, $2 version, $3 title, $4 effective date,
 * $5 parties in JSON, $6 disclosure, $7 content, $8 content type, $9 hash, $10 now
 */
export const insertVersion = statement({
  name: 'agreements.insert-version',
  text: `
    INSERT INTO agreement_versions (agreement_id, version, title, effective_date, parties, disclosure, content,
                                    content_type, content_hash, published_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT ON CONSTRAINT agreement_versions_key DO NOTHING
    RETURNING version`,
  row: z.object({ version: z.string() }),
})
