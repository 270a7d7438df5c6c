import { describe, expect, it } from '@jest/globals'
import type { KybRecord, KybWrite } from '@causeway/contracts'
import { recordFrom } from '../verifications/kyb-record.ts'
import { changesBetween } from './changes.ts'

const ADA = { full_name: 'Ada Lovelace', date_of_birth: '1985-12-10', nationality: 'GB' } as const
const GRACE = { full_name: 'Grace Hopper', date_of_birth: '1976-12-09', nationality: 'US' } as const

const record = (write: KybWrite): KybRecord => recordFrom(write)
const between = (before: KybWrite, after: KybWrite) => changesBetween(record(before), record(after))

describe('fields that differ', () => {
  it('are returned with the values before and after, in the order of the form, and nothing else', () => {
    expect(
      between(
        {
          business: { legal_name: 'Old Ltd', website: 'https://old.example' },
          commercial: { requested_payment_methods: ['card'] },
          consent: { version: '1' },
          additional_data: { note: 'a', gone: 1 },
        },
        {
          business: { legal_name: 'New Ltd', website: 'https://old.example' },
          contact: { phone: '+44' },
          commercial: { requested_payment_methods: ['card', 'crypto'] },
          ubo_declaration: 'no_qualifying_ubo',
          consent: { version: '1', marketing_opt_in: true },
          additional_data: { note: 'b', 'new.key': true },
        },
      ),
    ).toEqual({
      fields: [
        { field: 'business.legal_name', before: 'Old Ltd', after: 'New Ltd' },
        { field: 'contact.phone', before: null, after: '+44' },
        { field: 'commercial.requested_payment_methods', before: ['card'], after: ['card', 'crypto'] },
        { field: 'consent.marketing_opt_in', before: false, after: true },
        { field: 'ubo_declaration', before: 'has_ubos', after: 'no_qualifying_ubo' },
        { field: 'additional_data.note', before: 'a', after: 'b' },
        { field: 'additional_data.gone', before: 1, after: null },
        { field: 'additional_data.new.key', before: null, after: true },
      ],
      people: [],
    })
  })
})

describe('people', () => {
  it('are unchanged in another order, or with a field that is null', () => {
    expect(
      between({ directors: [ADA, GRACE] }, { directors: [{ ...GRACE, email: null }, ADA] }).people,
    ).toEqual([])
  })

  it('are recognised by their name, and by their date of birth if the name was corrected', () => {
    expect(
      between(
        { directors: [ADA, GRACE] },
        {
          directors: [
            { ...GRACE, full_name: 'Grace Murray Hopper' },
            { ...ADA, nationality: 'IE' },
          ],
        },
      ).people,
    ).toEqual([
      {
        list: 'directors',
        change: 'changed',
        full_name: 'Ada Lovelace',
        fields: [{ field: 'nationality', before: 'GB', after: 'IE' }],
      },
      {
        list: 'directors',
        change: 'changed',
        full_name: 'Grace Murray Hopper',
        fields: [{ field: 'full_name', before: 'Grace Hopper', after: 'Grace Murray Hopper' }],
      },
    ])
  })

  it('count as removed and added, with all their data, if they are somebody else', () => {
    const { people } = between(
      { ubos: [{ ...ADA, ownership_percent: 50 }] },
      { ubos: [{ ...GRACE, ownership_percent: 50 }] },
    )
    expect(people.map(({ list, change, full_name: name }) => [list, change, name])).toEqual([
      ['ubos', 'removed', 'Ada Lovelace'],
      ['ubos', 'added', 'Grace Hopper'],
    ])
    expect(people[0]?.fields).toContainEqual({ field: 'ownership_percent', before: 50, after: null })
    expect(people[1]?.fields).toContainEqual({ field: 'nationality', before: null, after: 'US' })
  })

  it('are two people if the same data occurs twice: one fewer is one removed', () => {
    expect(between({ directors: [ADA, ADA] }, { directors: [ADA] }).people).toMatchObject([
      { change: 'removed', full_name: 'Ada Lovelace' },
    ])
  })

  it('are never matched without a name and a date', () => {
    expect(
      between({ directors: [{ city: 'Cork' }] }, { directors: [{ city: 'Bath' }] }).people,
    ).toMatchObject([
      { change: 'removed', full_name: null },
      { change: 'added', full_name: null },
    ])
  })
})
