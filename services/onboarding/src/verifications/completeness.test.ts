import { describe, expect, it } from '@jest/globals'
import { REQUIRED_DOCUMENT_TYPES, type KybWrite } from '@causeway/contracts'
import { COMPLETE, PERSON } from '../../tests/verifications/kyb-data.ts'
import { incompleteFields, checkCompleteness, requiredAtSubmission } from './completeness.ts'
import { applyWrite, EMPTY_RECORD, recordFrom } from './kyb-record.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const ALL_DOCUMENTS = new Set(REQUIRED_DOCUMENT_TYPES)
const withWrite = (write: KybWrite) => {
  const merged = applyWrite(recordFrom(COMPLETE), write)
  if (!merged.ok) throw new Error(JSON.stringify(merged.details))
  return merged.value
}
const pathsOf = (write: KybWrite) => incompleteFields(withWrite(write), NOW).map(({ path }) => path.join('.'))

describe('requirements of a submission', () => {
  it('follow from the schema: exactly the fields of the specification', () => {
    expect(requiredAtSubmission()).toEqual([
      'business.legal_name',
      'business.registration_number',
      'business.industry',
      'business.business_registration_country',
      'business.incorporation_country',
      'business.incorporation_date',
      'registered_address.line1',
      'registered_address.city',
      'registered_address.postal_code',
      'registered_address.country',
      'contact.first_name',
      'contact.last_name',
      'contact.email',
      'commercial.expected_monthly_processing_volume',
      'commercial.card_type',
      'commercial.settlement_option',
      'commercial.fee_handling',
      'commercial.requested_payment_methods',
      'directors',
      'ubos',
      'consent.version',
    ])
  })

  it('are all reported while nothing is written, with paths as arrays', () => {
    const incomplete = incompleteFields(EMPTY_RECORD, NOW)
    expect(incomplete.map(({ path }) => path.join('.'))).toEqual(requiredAtSubmission())
    expect(incomplete[0]).toEqual({ path: ['business', 'legal_name'], message: 'Required at submission.' })
  })

  it('are met once all fields are there', () => {
    expect(pathsOf({})).toEqual([])
  })

  it.each(requiredAtSubmission())('report only %s when only that is missing', (path) => {
    const [group = '', field] = path.split('.')
    const write = field === undefined ? { [group]: null } : { [group]: { [field]: null } }
    expect(pathsOf(write as KybWrite)).toEqual([path])
  })

  it('do not accept blank text', () => {
    expect(pathsOf({ business: { legal_name: ' \t' } })).toEqual(['business.legal_name'])
  })

  it('include name, birth and nationality of each person, and a share of each owner', () => {
    expect(pathsOf({ directors: [PERSON, {}], ubos: [{ ...PERSON, email: null }] })).toEqual([
      'directors.1.full_name',
      'directors.1.date_of_birth',
      'directors.1.nationality',
      'ubos.0.ownership_percent',
    ])
  })

  it('include no owner if none qualifies, but still a director', () => {
    const nobody: KybWrite = { ubo_declaration: 'no_qualifying_ubo', ubos: [], directors: [] }
    expect(pathsOf(nobody)).toEqual(['directors'])
  })
})

describe('the values of a submission', () => {
  it.each<[string, KybWrite]>([
    ['contact.email', { contact: { email: 'ada at engines' } }],
    ['business.website', { business: { website: 'engines.example' } }],
    ['business.website', { business: { website: 'ftp://engines.example' } }],
    ['business.incorporation_date', { business: { incorporation_date: '2021-02-29' } }],
    ['business.incorporation_date', { business: { incorporation_date: 'last spring' } }],
    ['business.incorporation_date', { business: { incorporation_date: '2026-11-22' } }],
    ['business.incorporation_date', { business: { incorporation_date: '2026-11-21T10:00:01Z' } }],
    ['directors.0.date_of_birth', { directors: [{ ...PERSON, date_of_birth: '10/12/1985' }] }],
    ['directors.0.email', { directors: [{ ...PERSON, email: '@' }] }],
    ['ubos.0.email', { ubos: [{ ...PERSON, ownership_percent: 25, email: 'x' }] }],
  ])('block it when they cannot be parsed: %s: %j', (path, write) => {
    expect(pathsOf(write)).toEqual([path])
  })

  it.each<[KybWrite]>([
    [{ business: { website: 'https://engines.example/shop?x=1' } }],
    [{ business: { website: 'https://магазин.рф' } }],
    [{ business: { incorporation_date: '2026-11-21' } }],
    [{ business: { incorporation_date: '2024-02-29' } }],
    [{ business: { incorporation_date: '2026-11-21T11:00:00+02:00' } }],
  ])('do not block it: %j', (write) => {
    expect(pathsOf(write)).toEqual([])
  })
})

describe('a submission', () => {
  const completenessOf = (write: KybWrite, documents = ALL_DOCUMENTS) =>
    checkCompleteness(withWrite(write), documents, NOW)
  const some = new Set(['bank_statement', 'director_id'] as const)
  const absent = ['certificate_of_incorporation', 'proof_of_address', 'processing_statement']

  it('is not blocked when it is complete, and both lists are empty', () => {
    expect(completenessOf({})).toEqual({
      submitted: true,
      blocked_by: null,
      missing_documents: [],
      incomplete_fields: [],
    })
  })

  it('is blocked by missing documents', () => {
    expect(completenessOf({}, some)).toMatchObject({
      submitted: false,
      blocked_by: 'missing_documents',
      missing_documents: absent,
      incomplete_fields: [],
    })
  })

  it('is blocked by validation without a field and some documents, and both are reported', () => {
    expect(completenessOf({ consent: { version: null } }, some)).toEqual({
      submitted: false,
      blocked_by: 'validation_failed',
      missing_documents: absent,
      incomplete_fields: [{ path: ['consent', 'version'], message: 'Required at submission.' }],
    })
  })
})
