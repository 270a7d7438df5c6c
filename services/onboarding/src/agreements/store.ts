import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { AGREEMENT_REQUIRED } from '../relationship-state/store.ts'

const listFullyAccepted = queryMany({
  name: 'agreements.read-standing',
  parameters: { partnerCustomerIds: 'text[]' },
  text: `SELECT r.id FROM relationships r WHERE r.id = ANY(:partnerCustomerIds) AND NOT ${AGREEMENT_REQUIRED}`,
  row: z.object({ id: z.string() }),
})

/** Which of these relationships have accepted every current agreement. */
export const relationshipsWithAllAccepted = async (
  db: Queryable,
  partnerCustomerIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await listFullyAccepted(db, { partnerCustomerIds })
  return new Set(rows.map((row) => row.id))
}

const VersionRow = z.object({
  agreementId: z.string(),
  version: z.string(),
  title: z.string(),
  effectiveDate: z.string(),
  parties: z.array(z.object({ role: z.string(), name: z.string() })),
  disclosure: z.string(),
  contentHash: z.string(),
})
export type VersionRow = z.infer<typeof VersionRow>
const ListedRow = VersionRow.extend({ createdAt: z.date() })
export type ListedRow = z.infer<typeof ListedRow>

/** The current versions of one page of agreements, in the order in which the agreements were first published. */
export const listPage = queryMany({
  name: 'agreements.read-page',
  parameters: { at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT v.agreement_id, v.version, v.title, v.effective_date::text, v.parties, v.disclosure, v.content_hash,
           a.created_at
    FROM agreements a JOIN agreement_versions v ON v.agreement_id = a.id AND v.version = a.current_version
    WHERE (a.created_at, a.id) > (:at, :id)
    ORDER BY a.created_at, a.id LIMIT :limit`,
  row: ListedRow,
})

/** A published document by its hash; it never changes. */
export const getContent = queryOne({
  name: 'agreements.read-content',
  parameters: { agreementId: 'text', contentHash: 'text' },
  text: `
    SELECT content, content_type FROM agreement_versions
    WHERE agreement_id = :agreementId AND content_hash = :contentHash LIMIT 1`,
  row: z.object({ content: z.instanceof(Buffer), contentType: z.string() }),
})

/** The current version, locked: no publication changes it before the transaction ends. */
export const lockCurrent = queryOne({
  name: 'agreements.hold-current',
  parameters: { agreementId: 'text' },
  text: `
    SELECT v.version, v.content_hash
    FROM agreements a JOIN agreement_versions v ON v.agreement_id = a.id AND v.version = a.current_version
    WHERE a.id = :agreementId FOR SHARE OF a`,
  row: z.object({ version: z.string(), contentHash: z.string() }),
})

/** Increments the revision of all agreements, which also makes publications follow one another. */
export const incrementRevision = queryNone({
  name: 'agreements.count-publication',
  text: 'UPDATE agreement_catalogue SET revision = revision + 1',
})

export const insert = queryNone({
  name: 'agreements.insert',
  parameters: { agreementId: 'text', version: 'text', now: 'timestamptz' },
  text: 'INSERT INTO agreements (id, current_version, created_at) VALUES (:agreementId, :version, :now)',
})

/** No row comes back for an unknown agreement. */
export const updateCurrentVersion = queryOne({
  name: 'agreements.move-to-version',
  parameters: { agreementId: 'text', version: 'text' },
  text: 'UPDATE agreements SET current_version = :version WHERE id = :agreementId RETURNING id',
  row: z.object({ id: z.string() }),
})

/** No row comes back for a version that is published already. `effectiveDate` is YYYY-MM-DD, `parties` JSON text. */
export const insertVersion = queryOne({
  name: 'agreements.insert-version',
  parameters: {
    agreementId: 'text',
    version: 'text',
    title: 'text',
    effectiveDate: 'text',
    parties: 'jsonb',
    disclosure: 'text',
    content: 'bytea',
    contentType: 'text',
    contentHash: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO agreement_versions (agreement_id, version, title, effective_date, parties, disclosure, content,
                                    content_type, content_hash, published_at)
    VALUES (:agreementId, :version, :title, CAST(:effectiveDate AS date), :parties, :disclosure, :content,
            :contentType, :contentHash, :now)
    ON CONFLICT ON CONSTRAINT agreement_versions_key DO NOTHING
    RETURNING version`,
  row: z.object({ version: z.string() }),
})
