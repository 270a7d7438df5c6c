import { describe, expect, it } from '@jest/globals'
import type { KybRecord, KybWrite } from '@causeway/contracts'
import { applyWrite, EMPTY_RECORD, recordFrom } from './kyb-record.ts'

const after = (...writes: KybWrite[]): KybRecord =>
  writes.reduce<KybRecord>((record, write) => {
    const merged = applyWrite(record, write)
    if (!merged.ok) throw new Error(JSON.stringify(merged.details))
    return merged.value
  }, EMPTY_RECORD)
const person = { full_name: 'A', date_of_birth: '1980-01-01', nationality: 'FR' } as const
const ubo = { ...person, ownership_percent: 25 }

describe('a write', () => {
  it('leaves omitted fields unchanged, within groups too', () => {
    const record = after(
      { business: { legal_name: 'One', trading_name: 'Shop' }, contact: { phone: '1' } },
      { business: { legal_name: 'Two' } },
    )
    expect(record.business).toMatchObject({ legal_name: 'Two', trading_name: 'Shop' })
    expect(record.contact.phone).toBe('1')
  })

  it('clears a field by null, and a whole group by null', () => {
    const record = after(
      { business: { legal_name: 'One', website: 'https://a.example' }, contact: { phone: '1' } },
      { business: { website: null }, contact: null },
    )
    expect(record.business).toMatchObject({ legal_name: 'One', website: null })
    expect(record.contact).toEqual(EMPTY_RECORD.contact)
  })

  it('resets a field to its default if it has one', () => {
    const record = after(
      {
        commercial: { requested_payment_methods: ['card'] },
        consent: { marketing_opt_in: true },
        ubo_declaration: 'no_qualifying_ubo',
      },
      {
        commercial: { requested_payment_methods: null },
        consent: { marketing_opt_in: null },
        ubo_declaration: null,
      },
    )
    expect(record).toEqual(EMPTY_RECORD)
    expect(record.consent.marketing_opt_in).toBe(false)
    expect(record.ubo_declaration).toBe('has_ubos')
  })

  it('replaces whole lists', () => {
    const record = after({ directors: [person, person] }, { directors: [{ full_name: 'B' }] })
    expect(record.directors).toEqual([{ full_name: 'B' }])
    expect(after({ directors: [person] }, { directors: null }).directors).toEqual([])
  })

  it("merges a partner's own keys, and null deletes a key", () => {
    const record = after(
      { additional_data: { a: 1, b: ['x', null], c: false } },
      { additional_data: { a: null, d: 'new' } },
    )
    expect(record.additional_data).toEqual({ b: ['x', null], c: false, d: 'new' })
    expect(after({ additional_data: { a: 1 } }, { additional_data: null }).additional_data).toEqual({})
  })

  it('changes nothing when it is empty', () => {
    const record = after({ business: { legal_name: 'One' }, directors: [person], additional_data: { a: 1 } })
    expect(after(record, {})).toEqual(record)
    expect(recordFrom(JSON.parse(JSON.stringify(record)) as KybWrite)).toEqual(record)
  })
})

describe('an error that only the merged data shows', () => {
  const noUbo = { ubo_declaration: 'no_qualifying_ubo' } as const
  const contradiction = {
    ok: false,
    code: 'validation_failed',
    details: [
      {
        field: 'ubos',
        reason: 'invalid_value',
        expected: 'an empty list if ubo_declaration is no_qualifying_ubo',
      },
    ],
  }

  it('is refused whichever of two contradicting fields was written first', () => {
    expect(applyWrite(after({ ubos: [ubo] }), noUbo)).toEqual(contradiction)
    expect(applyWrite(after(noUbo), { ubos: [ubo] })).toEqual(contradiction)
  })

  it('is avoided when the same write removes the contradicting field', () => {
    expect(after({ ubos: [ubo] }, { ...noUbo, ubos: [] }).ubo_declaration).toBe('no_qualifying_ubo')
    expect(after(noUbo, { ubo_declaration: 'has_ubos', ubos: [ubo] }).ubos).toEqual([ubo])
  })

  it('counts keys after the merge: 50 fit, however many were cleared in the same write; 51 do not', () => {
    const keys = (from: number, to: number, value: number | null) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`k${from + n}`, value]))
    const full = after({ additional_data: keys(0, 50, 1) })
    expect(Object.keys(full.additional_data)).toHaveLength(50)
    expect(applyWrite(full, { additional_data: { k50: 1 } })).toEqual({
      ok: false,
      code: 'validation_failed',
      details: [{ field: 'additional_data', reason: 'too_many', expected: 'at most 50 fields' }],
    })
    const swapped = after(full, { additional_data: { ...keys(0, 30, null), ...keys(50, 80, 2) } })
    expect(Object.keys(swapped.additional_data)).toHaveLength(50)
    expect(after(full, { additional_data: { k0: 9 } }).additional_data['k0']).toBe(9)
  })
})
