import { z } from 'zod'
import {
  characters,
  Country,
  DATE,
  EMAIL,
  INDUSTRIES,
  LineOfText,
  optional,
  PAYMENT_METHODS,
  PROCESSING_VOLUMES,
  required,
  UBO_DECLARATIONS,
  URL,
} from './kyb-fields.ts'

/** The most people in each list, and the most of a partner's own keys (spec: Limits). */
export const MAX_PEOPLE = 20
export const MAX_ADDITIONAL_KEYS = 50
/** The most of `additional_data` as compact JSON, in bytes of UTF-8, counted after the merge (decisions §18). */
export const MAX_ADDITIONAL_BYTES = 256 * 1024
/** The same of `directors` and of `ubos`: room for 20 people whose every field has 500 characters of ASCII. */
export const MAX_PEOPLE_BYTES = 80 * 1024

const Business = z.strictObject({
  legal_name: required(LineOfText),
  trading_name: optional(LineOfText),
  registration_number: required(LineOfText),
  industry: required(z.enum(INDUSTRIES)),
  business_registration_country: required(Country),
  incorporation_country: required(Country),
  incorporation_date: required(LineOfText, { ...DATE, notInFuture: true }),
  website: optional(characters(2048), URL),
})

const RegisteredAddress = z.strictObject({
  line1: required(LineOfText),
  line2: optional(LineOfText),
  city: required(LineOfText),
  postal_code: required(LineOfText),
  country: required(Country),
})

const Contact = z.strictObject({
  first_name: required(LineOfText),
  last_name: required(LineOfText),
  email: required(LineOfText, EMAIL),
  phone: optional(LineOfText),
})

const Commercial = z.strictObject({
  expected_monthly_processing_volume: required(z.enum(PROCESSING_VOLUMES)),
  card_type: required(z.enum(['eea', 'non_eea', 'mixed'])),
  settlement_option: required(z.enum(['fiat_eur_iban', 'crypto_usdt'])),
  fee_handling: required(z.enum(['customer_pays', 'niftipay_absorbs'])),
  requested_payment_methods: required(z.array(z.enum(PAYMENT_METHODS)).max(10)),
})

const Person = z.strictObject({
  full_name: required(LineOfText),
  date_of_birth: required(LineOfText, DATE),
  nationality: required(Country),
  country: optional(Country),
  email: optional(LineOfText, EMAIL),
  phone: optional(LineOfText),
  address_line1: optional(LineOfText),
  city: optional(LineOfText),
  postal_code: optional(LineOfText),
})
const Ubo = Person.extend({ ownership_percent: required(z.number().min(25).max(100)) })

const Consent = z.strictObject({
  version: required(LineOfText),
  marketing_opt_in: optional(z.boolean()),
})

const scalars = [characters(2000), z.number(), z.boolean(), z.null()] as const
const MAX_ITEMS = 50
const Items = z
  .array(z.union(scalars))
  .refine((items) => items.length <= MAX_ITEMS, { params: { reason: 'too_many' } })
  .meta({ maxItems: MAX_ITEMS })
const AdditionalValue = z.union([...scalars, Items])

/** Number of keys that a write of `additional_data` sets; null clears a key. */
const keysSet = (additional: Readonly<Record<string, unknown>>): number =>
  Object.values(additional).filter((value) => value !== null).length

/** A write that sets more keys than the limit is refused here; the merged data is checked by the service. */
const AdditionalData = z
  .record(characters(100), AdditionalValue)
  .refine((additional) => keysSet(additional) <= MAX_ADDITIONAL_KEYS, { params: { reason: 'too_many' } })
  .meta({
    anyOf: [
      { maxProperties: MAX_ADDITIONAL_KEYS },
      { not: { additionalProperties: { not: { type: 'null' } } } },
    ],
  })

/** Sent field by field: a group's fields are merged, lists replace whole, null clears (decisions §7). */
export const KybWrite = z
  .strictObject({
    business: Business.nullable().optional(),
    registered_address: RegisteredAddress.nullable().optional(),
    contact: Contact.nullable().optional(),
    commercial: Commercial.nullable().optional(),
    directors: required(z.array(Person).max(MAX_PEOPLE)),
    ubos: required(z.array(Ubo).max(MAX_PEOPLE), {
      unless: { field: 'ubo_declaration', is: 'no_qualifying_ubo' },
    }),
    ubo_declaration: optional(z.enum(UBO_DECLARATIONS)),
    consent: Consent.nullable().optional(),
    additional_data: AdditionalData.nullable().optional(),
  })
  .refine((write) => write.ubo_declaration !== 'no_qualifying_ubo' || (write.ubos ?? []).length === 0, {
    path: ['ubos'],
    params: { reason: 'invalid_value' },
  })
  .meta({
    not: {
      required: ['ubo_declaration', 'ubos'],
      properties: {
        ubo_declaration: { const: 'no_qualifying_ubo' },
        ubos: { type: 'array', minItems: 1 },
      },
    },
  })
export type KybWrite = z.infer<typeof KybWrite>

/** The data of a relationship with every field of the groups: null where nothing was written. */
export const KybRecord = z.object({
  business: Business.required(),
  registered_address: RegisteredAddress.required(),
  contact: Contact.required(),
  commercial: Commercial.required(),
  directors: z.array(Person),
  ubos: z.array(Ubo),
  ubo_declaration: z.enum(UBO_DECLARATIONS),
  consent: Consent.required(),
  additional_data: z.record(z.string(), AdditionalValue),
})
export type KybRecord = z.infer<typeof KybRecord>

/** The groups whose fields are merged one by one. */
export const KYB_GROUPS = {
  business: Business,
  registered_address: RegisteredAddress,
  contact: Contact,
  commercial: Commercial,
  consent: Consent,
} as const
export type KybGroup = keyof typeof KYB_GROUPS
