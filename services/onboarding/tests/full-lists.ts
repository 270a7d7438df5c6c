import { newId, queryNone } from '@causeway/chassis'
import { fileNameContext } from '../src/documents/presentation.ts'
import { valueOf } from './verifications/kyb-calls.ts'
import type { RunningOnboarding } from './running-onboarding.ts'

/** Bound of a page, plus the case and the page's own field names. */
export const MAX_REPLY_BYTES = 512 * 1024 + 1024

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
/** A text of six bytes of JSON a character. */
export const costly = (length: number): string => '\u0001'.repeat(length)

type Paged = { next_cursor: string | null }
type Answer = { ok: true; value: Paged } | { ok: false; code: string }

/** Reads a list to its end and checks that every reply is within the bound. @returns the pages */
export const walk = async <A extends Answer>(
  ask: (query: Record<string, string>) => Promise<A>,
  cursor: string | null = null,
): Promise<Extract<A, { ok: true }>['value'][]> => {
  const pages: Extract<A, { ok: true }>['value'][] = []
  let next = cursor
  do {
    const page = valueOf(await ask(next === null ? {} : { cursor: next })) as (typeof pages)[number]
    const bytes = bytesOf(page)
    if (bytes > MAX_REPLY_BYTES) throw new Error(`A reply has ${bytes} bytes`)
    pages.push(page)
    next = page.next_cursor
  } while (next !== null)
  return pages
}

const insertDocuments = queryNone({
  name: 'test.insert-documents',
  parameters: { ids: 'text[]', names: 'text[]', partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    INSERT INTO documents (id, partner_id, partner_customer_id, document_type, file_name_sealed, mime_type,
                           file_size_bytes, status, rejection_reason, blob_key, blob_secret_sealed, uploaded_at)
    SELECT id, :partnerId, :partnerCustomerId, 'other', name, 'application/pdf', 3, 'rejected', repeat('😀', 500), id, 'x',
           timestamptz '2026-01-01Z' + position / 3 * interval '1 ms'
    FROM unnest(:ids, :names) WITH ORDINALITY AS given (id, name, position)`,
})
const insertRequirements = queryNone({
  name: 'test.insert-requirements',
  parameters: { ids: 'text[]', merchantId: 'text', raisedBy: 'text?', status: 'text' },
  text: `
    INSERT INTO requirements (id, merchant_id, raised_by, kind, target, message, status, created_at, updated_at)
    SELECT id, :merchantId, :raisedBy, 'field', repeat('😀', 255), repeat('😀', 500), :status,
           timestamptz '2026-01-01Z' + position / 3 * interval '1 ms', '2026-01-02Z'
    FROM unnest(:ids) WITH ORDINALITY AS given (id, position)`,
})

const ids = (kind: 'document' | 'requirement', count: number) =>
  Array.from({ length: count }, () => newId(kind)).sort()

/** Inserts rows of the maximum size, three with each time. @returns their ids in the list's order */
export const filling = ({ db, ring }: Pick<RunningOnboarding, 'db' | 'ring'>) => {
  const { vault } = ring
  return {
    async documents(partnerId: string, partnerCustomerId: string, count: number) {
      const made = ids('document', count)
      const names = made.map((id) => vault.seal('😀'.repeat(255), fileNameContext(id)))
      await insertDocuments(db, { ids: made, names, partnerId, partnerCustomerId })
      return made
    },
    async requirements(merchantId: string, raisedBy: string | null, count: number, status = 'cancelled') {
      const made = ids('requirement', count)
      await insertRequirements(db, { ids: made, merchantId, raisedBy, status })
      return made
    },
  }
}
