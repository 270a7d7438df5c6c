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
const ListedRow = VersionRow.extend({
  createdAt: z.date(),
  /** The next version that comes into force; null without one. */
  upcomingVersion: z.string().nullable(),
  upcomingAt: z.date().nullable(),
  upcomingHash: z.string().nullable(),
})
export type ListedRow = z.infer<typeof ListedRow>

/** The current versions of one page of agreements, in the order in which the agreements were first published. */
export const listPage = queryMany({
  name: 'agreements.read-page',
  parameters: { at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT v.agreement_id, v.version, v.title, v.effective_date::text, v.parties, v.disclosure, v.content_hash,
           a.created_at, u.version AS upcoming_version, u.effective_at AS upcoming_at, u.content_hash AS upcoming_hash
    FROM agreements a JOIN agreement_versions v ON v.agreement_id = a.id AND v.version = a.current_version
    LEFT JOIN LATERAL (
      SELECT * FROM agreement_versions WHERE agreement_id = a.id AND NOT in_force
      ORDER BY effective_at LIMIT 1) u ON true
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

/** The current version of an agreement, locked: no publication changes it before the transaction ends. */
export const lockCurrent = queryOne({
  name: 'agreements.hold-current',
  parameters: { agreementId: 'text' },
  text: 'SELECT current_version AS version FROM agreements WHERE id = :agreementId FOR SHARE',
  row: z.object({ version: z.string().nullable() }),
})

/** Reads the versions of an agreement that can be accepted: the current one, and those that come into force later. */
export const getAcceptable = queryOne({
  name: 'agreements.read-acceptable',
  parameters: { agreementId: 'text', agreementVersion: 'text' },
  text: `
    SELECT v.content_hash FROM agreement_versions v JOIN agreements a ON a.id = v.agreement_id
    WHERE v.agreement_id = :agreementId AND v.version = :agreementVersion
      AND (NOT v.in_force OR v.version = a.current_version)`,
  row: z.object({ contentHash: z.string() }),
})

/** Every version, the newest first, before a position in (published_at, agreement_id, version). */
export const listVersions = queryMany({
  name: 'agreements.list-versions',
  parameters: { at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT v.agreement_id, v.version, v.title, v.effective_date::text, v.parties, v.disclosure, v.content_hash,
           v.published_at, v.effective_at, v.in_force, coalesce(a.current_version = v.version, false) AS is_current
    FROM agreement_versions v JOIN agreements a ON a.id = v.agreement_id
    WHERE (v.published_at, v.agreement_id || '/' || v.version) < (:at, :id)
    ORDER BY v.published_at DESC, v.agreement_id || '/' || v.version DESC LIMIT :limit`,
  row: VersionRow.extend({
    publishedAt: z.date(),
    effectiveAt: z.date().nullable(),
    inForce: z.boolean(),
    isCurrent: z.boolean(),
  }),
})
export type StaffVersionRow = Awaited<ReturnType<typeof listVersions>>[number]

/** Ends what is in force of an agreement. No row comes back where nothing was. */
export const endCurrentVersion = queryOne({
  name: 'agreements.end-current',
  parameters: { agreementId: 'text' },
  text: `
    UPDATE agreements SET current_version = NULL WHERE id = :agreementId AND current_version IS NOT NULL
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

const lockScheduled = queryMany({
  name: 'agreements.hold-scheduled',
  parameters: { now: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT agreement_id, version FROM agreement_versions
    WHERE NOT in_force AND effective_at <= :now ORDER BY effective_at, version LIMIT :limit
    FOR NO KEY UPDATE SKIP LOCKED`,
  row: z.object({ agreementId: z.string(), version: z.string() }),
})

const markInForce = queryNone({
  name: 'agreements.mark-in-force',
  parameters: { agreementId: 'text', version: 'text' },
  text: `
    UPDATE agreement_versions SET in_force = true WHERE agreement_id = :agreementId AND version = :version`,
})

/** Increments the revision of all agreements, which also makes publications follow one another. */
export const incrementRevision = queryNone({
  name: 'agreements.count-publication',
  text: 'UPDATE agreement_catalogue SET revision = revision + 1',
})

export const insert = queryNone({
  name: 'agreements.insert',
  parameters: { agreementId: 'text', version: 'text?', now: 'timestamptz' },
  text: 'INSERT INTO agreements (id, current_version, created_at) VALUES (:agreementId, :version, :now)',
})

export const find = queryOne({
  name: 'agreements.find',
  parameters: { agreementId: 'text' },
  text: 'SELECT id FROM agreements WHERE id = :agreementId',
  row: z.object({ id: z.string() }),
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
    scheduledFor: 'timestamptz?',
  },
  text: `
    INSERT INTO agreement_versions (agreement_id, version, title, effective_date, parties, disclosure, content,
                                    content_type, content_hash, published_at, effective_at, in_force)
    VALUES (:agreementId, :version, :title, CAST(:effectiveDate AS date), :parties, :disclosure, :content,
            :contentType, :contentHash, :now, :scheduledFor, CAST(:scheduledFor AS timestamptz) IS NULL)
    ON CONFLICT ON CONSTRAINT agreement_versions_key DO NOTHING
    RETURNING version`,
  row: z.object({ version: z.string() }),
})

/** Versions that come into force in one transaction. */
const MAX_AT_ONCE = 50

/**
 * Makes those versions current whose time has come, the earliest first; rows that another replica has locked are
 * skipped. @returns whether there were any
 */
export const bringIntoForce = async (tx: Queryable, now: Date): Promise<boolean> => {
  const due = await lockScheduled(tx, { now, limit: MAX_AT_ONCE })
  if (due.length > 0) await incrementRevision(tx)
  for (const version of due) {
    await updateCurrentVersion(tx, version)
    await markInForce(tx, version)
  }
  return due.length > 0
}
