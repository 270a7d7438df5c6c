import { expect, test } from '@jest/globals'
import type { CaseChanges, CaseFile, Document } from '@causeway/contracts'
import { changesOf } from './changes.ts'

const SUBMITTED = '2026-11-02T10:00:00.000Z'
const DECIDED = '2026-11-01T10:00:00.000Z'

const document = (id: string, at: string, type: Document['document_type'] = 'director_id') =>
  ({
    document_id: `doc_${id}`,
    document_type: type,
    file_name: `${id}.pdf`,
    status: 'uploaded',
    uploaded_at: at,
  }) as Document

/** The parts of a file that the page compares. */
const fileOf = (changes: CaseChanges | null, documents: readonly Document[] = []) =>
  ({
    partner_customer_id: 'pcu_1',
    documents,
    documents_next_cursor: null,
    changes,
  }) as unknown as CaseFile

const textOf = (file: CaseFile, submittedAt: string | null = SUBMITTED) =>
  String(changesOf('/console/cases/ver_1', submittedAt, file))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const NONE = { since: DECIDED, fields: [], people: [], complete: true }

test('shows changed fields, people and documents with the labels of the page', () => {
  const text = textOf(
    fileOf(
      {
        since: DECIDED,
        fields: [
          { field: 'business.legal_name', before: '<b>Old</b>', after: 'New' },
          { field: 'commercial.card_type', before: null, after: 'mixed' },
        ],
        people: [
          {
            list: 'ubos',
            change: 'added',
            full_name: 'Grace Hopper',
            fields: [{ field: 'full_name', before: null, after: 'Grace Hopper' }],
          },
        ],
        complete: true,
      },
      [
        document('old', '2026-10-30T10:00:00.000Z'),
        document('again', SUBMITTED),
        document('bank', SUBMITTED, 'bank_statement'),
      ],
    ),
  )
  expect(text).toContain('Changes since 1 Nov 2026')
  expect(text).toContain('Business: Legal name &lt;b&gt;Old&lt;/b&gt; New')
  expect(text).toContain('Payments: Card type not given mixed')
  expect(text).toContain('1. Owner added: Grace Hopper (pcu_1)')
  expect(text).toContain('Replaced: Director id (again.pdf)')
  expect(text).toContain('Added: Bank statement (bank.pdf)')
  expect(text).not.toMatch(/old\.pdf|Nothing has changed/)
})

test('states that nothing has changed when a case returns unchanged', () => {
  expect(textOf(fileOf(NONE, [document('old', DECIDED)]))).toMatch(/Nothing has changed\.$/)
})

test('does not report an incomplete list of changes as unchanged', () => {
  const text = textOf(fileOf({ ...NONE, complete: false }))
  expect(text).toContain('There are more changes than shown here')
  expect(text).not.toContain('Nothing has changed')
})

test('states that no earlier data exists, and which documents were uploaded after the submission', () => {
  expect(textOf(fileOf(null))).toContain('There is no earlier submission to compare with.')
  const later = [document('old', DECIDED), document('later', '2026-11-03T10:00:00.000Z')]
  expect(textOf(fileOf(null, later))).toMatch(/Uploaded after the submission: Replaced: Director id/)
  expect(textOf(fileOf(null), null)).toBe('')
})
