import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { COUNTRIES } from '@causeway/contracts'
import { kybCalls, type KybCalls } from './kyb-calls.ts'
import { PERSON } from './kyb-data.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

const COUNTRIES_EXPECTED = `one of ${COUNTRIES.length} values, such as AD, AE, AF`

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

const SCALAR = 'text or a number or true or false or null'
const SCALAR_OR_LIST = `${SCALAR} or a list`

describe('writes', () => {
  it.each<[string, unknown, unknown[]]>([
    ['an unknown group', { bank: {} }, [{ field: 'bank', reason: 'unknown_field' }]],
    ['an unknown field', { business: { vat: 'x' } }, [{ field: 'business.vat', reason: 'unknown_field' }]],
    [
      'an unknown field of a person',
      { directors: [{ ...PERSON, ownership_percent: 30 }] },
      [{ field: 'directors.0.ownership_percent', reason: 'unknown_field' }],
    ],
    [
      'a wrong type',
      { business: { legal_name: 5 }, consent: { marketing_opt_in: 'yes' } },
      [
        { field: 'business.legal_name', reason: 'invalid_type', expected: 'text' },
        { field: 'consent.marketing_opt_in', reason: 'invalid_type', expected: 'true or false' },
      ],
    ],
    ['no object', [], [{ field: 'body', reason: 'invalid_type', expected: 'an object' }]],
    [
      'an enum value that is not exact',
      { business: { industry: 'CBD' }, commercial: { card_type: 'eea ' } },
      [
        {
          field: 'business.industry',
          reason: 'invalid_value',
          allowed: [
            'ecommerce_retail',
            'cannabis',
            'cbd',
            'hemp',
            'seeds',
            'growshops',
            'cannabis_clubs',
            'standard_wellness_products',
            'peptides',
            'kratom',
            'higher_risk_supplements',
            'difficult_to_place_ecommerce',
            'merchants_requiring_expensive_payment_routes',
            'merchants_with_elevated_refund_or_chargeback_exposure',
            'functional_mushrooms',
            'adult',
            'other',
          ],
          hint: 'Did you mean cbd?',
        },
        {
          field: 'commercial.card_type',
          reason: 'invalid_value',
          allowed: ['eea', 'non_eea', 'mixed'],
          hint: 'Did you mean eea?',
        },
      ],
    ],
    [
      'a fee handling of another name',
      { commercial: { fee_handling: 'platform_absorbs' } },
      [
        {
          field: 'commercial.fee_handling',
          reason: 'invalid_value',
          allowed: ['customer_pays', 'niftipay_absorbs'],
        },
      ],
    ],
    [
      'an unknown country',
      { registered_address: { country: 'ZZ' }, directors: [{ ...PERSON, nationality: 'gb' }] },
      [
        { field: 'registered_address.country', reason: 'invalid_value', expected: COUNTRIES_EXPECTED },
        {
          field: 'directors.0.nationality',
          reason: 'invalid_value',
          expected: COUNTRIES_EXPECTED,
          hint: 'Did you mean GB?',
        },
      ],
    ],
    [
      '21 people',
      { directors: Array.from({ length: 21 }, () => PERSON) },
      [{ field: 'directors', reason: 'too_many', expected: 'at most 20 items' }],
    ],
    [
      '11 payment methods',
      { commercial: { requested_payment_methods: Array.from({ length: 11 }, () => 'card') } },
      [{ field: 'commercial.requested_payment_methods', reason: 'too_many', expected: 'at most 10 items' }],
    ],
    [
      'a share under 25 and one over 100',
      { ubos: [{ ownership_percent: 24.99 }, { ownership_percent: 100.01 }] },
      [
        { field: 'ubos.0.ownership_percent', reason: 'too_small', expected: 'at least 25' },
        { field: 'ubos.1.ownership_percent', reason: 'too_big', expected: 'at most 100' },
      ],
    ],
    [
      'an owner under no_qualifying_ubo',
      { ubos: [PERSON], ubo_declaration: 'no_qualifying_ubo' },
      [
        {
          field: 'ubos',
          reason: 'invalid_value',
          expected: 'an empty list if ubo_declaration is no_qualifying_ubo',
        },
      ],
    ],
    [
      'additional data over its limits',
      {
        additional_data: {
          ['k'.repeat(101)]: 1,
          text: 'x'.repeat(2_001),
          list: Array.from({ length: 51 }, () => 1),
          listed: ['x'.repeat(2_001)],
          nested: { a: 1 },
          deep: [[1]],
        },
      },
      [
        // A name is cut to 100 characters (decisions §18).
        {
          field: `additional_data.${'k'.repeat(101)}`.slice(0, 100),
          reason: 'too_long',
          expected: 'at most 100 characters',
        },
        { field: 'additional_data.text', reason: 'too_long', expected: 'at most 2000 characters' },
        { field: 'additional_data.list', reason: 'too_many', expected: 'at most 50 items' },
        { field: 'additional_data.listed.0', reason: 'too_long', expected: 'at most 2000 characters' },
        { field: 'additional_data.nested', reason: 'invalid_type', expected: SCALAR_OR_LIST },
        { field: 'additional_data.deep', reason: 'invalid_type', expected: SCALAR },
      ],
    ],
    [
      '51 keys of additional data',
      { additional_data: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
      [{ field: 'additional_data', reason: 'too_many', expected: 'at most 50 fields' }],
    ],
  ])('are refused with %s, and nothing of them is stored', async (_what, body, details) => {
    const customer = await kyb.newCustomer()
    await kyb.write(customer, { business: { legal_name: 'Before' } })
    const before = await kyb.stored(customer)
    const bad = Array.isArray(body) ? body : { contact: { first_name: 'Half' }, ...(body as object) }
    expect(await kyb.submit(customer.partner, customer.id, bad)).toEqual({
      ok: false,
      code: 'validation_failed',
      details,
    })
    expect(await kyb.stored(customer)).toEqual(before)
  })
})
