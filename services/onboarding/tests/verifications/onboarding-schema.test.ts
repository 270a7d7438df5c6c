import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { COUNTRIES, REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { mutationsOf, valuesOf, type JsonSchema } from './json-schema-values.ts'
import { kybCalls, valueOf, type KybCalls } from './kyb-calls.ts'
import { COMPLETE, PERSON } from './kyb-data.ts'
import { newPartner, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
let schema: JsonSchema
let accepts: ValidateFunction
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
  schema = valueOf(await kyb.schema(newPartner())).schema
  accepts = new Ajv.default({ strict: false }).compile(schema)
})
afterAll(async () => {
  await onboarding.stop()
})

const CLEAR_ALL = {
  business: null,
  registered_address: null,
  contact: null,
  commercial: null,
  directors: null,
  ubos: null,
  ubo_declaration: null,
  consent: null,
  additional_data: null,
}

/** Checks whether the endpoint accepts a body on an empty draft; otherwise it must return `validation_failed`. */
const endpointAccepts = async (customer: Awaited<ReturnType<KybCalls['newCustomer']>>, body: unknown) => {
  await kyb.write(customer, CLEAR_ALL)
  const before = await kyb.stored(customer)
  const outcome = await kyb.submit(customer.partner, customer.id, body)
  if (outcome.ok) return true
  expect(outcome.code).toBe('validation_failed')
  expect(outcome.details?.length).toBeGreaterThan(0)
  expect(await kyb.stored(customer)).toEqual(before)
  return false
}

describe('the served schema', () => {
  it('is JSON Schema 2020-12 with its enums inline, next to the fields that submission requires', async () => {
    const served = valueOf(await kyb.schema(newPartner()))
    expect(served.schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(JSON.stringify(served.schema)).not.toContain('"$ref"')
    expect(served.schema).toMatchObject({
      properties: {
        business: {
          anyOf: [
            { properties: { business_registration_country: { anyOf: [{ enum: COUNTRIES }, {}] } } },
            {},
          ],
        },
        commercial: {
          anyOf: [
            {
              properties: { fee_handling: { anyOf: [{ enum: ['customer_pays', 'niftipay_absorbs'] }, {}] } },
            },
            {},
          ],
        },
      },
    })
    expect(served.required_at_submission).toContain('consent.version')
    expect(served.document_types).toEqual(REQUIRED_DOCUMENT_TYPES)
  })

  it.each<[boolean, unknown]>([
    [true, {}],
    [true, COMPLETE],
    [true, { business: null, directors: [{ ...PERSON, email: null }] }],
    [true, { business: { legal_name: '😀'.repeat(500) } }],
    [false, { business: { legal_name: '😀'.repeat(501) } }],
    [false, { ubo_declaration: 'no_qualifying_ubo', ubos: [{}] }],
    [true, { ubo_declaration: 'no_qualifying_ubo', ubos: [] }],
    [false, { additional_data: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) }],
    [
      true,
      {
        additional_data: {
          gone: null,
          ...Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])),
        },
      },
    ],
    [false, { additional_data: { ['k'.repeat(101)]: 1 } }],
    [false, { additional_data: { nested: [{}] } }],
  ])('gives the same answer as the endpoint, %s, for a body at a limit', async (expected, body) => {
    const customer = await kyb.newCustomer()
    expect(accepts(body)).toBe(expected)
    expect(await endpointAccepts(customer, body)).toBe(expected)
  })

  it('describes bodies that the endpoint accepts and returns as they were sent', async () => {
    const customer = await kyb.newCustomer()
    await fc.assert(
      fc.asyncProperty(valuesOf(schema), async (body) => {
        const expected = accepts(body)
        expect(await endpointAccepts(customer, body)).toBe(expected)
        if (!expected) return
        const { directors, ubos } = body as { directors?: unknown; ubos?: unknown }
        expect(await kyb.stored(customer)).toMatchObject({ directors: directors ?? [], ubos: ubos ?? [] })
      }),
      { numRuns: 150 },
    )
  })

  it('accepts and refuses the same hostile bodies as the endpoint; never a 5xx, never a partial write', async () => {
    const customer = await kyb.newCustomer()
    await fc.assert(
      fc.asyncProperty(mutationsOf(valuesOf(schema)), async (body) => {
        expect(await endpointAccepts(customer, body)).toBe(accepts(body))
      }),
      { numRuns: 300 },
    )
  })
})
