import { z } from 'zod'
import {
  characters,
  Country,
  DATE,
  EMAIL,
  Industry,
  LineOfText,
  optional,
  CardType,
  FeeHandling,
  PaymentMethod,
  ProcessingVolume,
  required,
  SettlementOption,
  UboDeclaration,
  URL,
} from './kyb-fields.ts'

/** The most people in each list, and the most of a partner's own keys (spec: Limits). */
export const MAX_PEOPLE = 20
export const MAX_ADDITIONAL_KEYS = 50
/** The most of `additional_data` as compact JSON, in bytes of UTF-8, counted after the merge (decisions §18). */
export const MAX_ADDITIONAL_BYTES = 256 * 1024
/** The same of `directors` and of `ubos`: room for 20 people whose every field has 500 characters of ASCII. */
export const MAX_PEOPLE_BYTES = 80 * 1024

export const BusinessWrite = z.strictObject({
  legal_name: required(LineOfText),
  trading_name: optional(LineOfText),
  registration_number: required(LineOfText),
  industry: required(Industry),
  business_registration_country: required(Country),
  incorporation_country: required(Country),
  incorporation_date: required(LineOfText, { ...DATE, notInFuture: true }),
  website: optional(characters(2048), URL),
})

export const RegisteredAddressWrite = z.strictObject({
  line1: required(LineOfText),
  line2: optional(LineOfText),
  city: required(LineOfText),
  postal_code: required(LineOfText),
  country: required(Country),
})

export const ContactWrite = z.strictObject({
  first_name: required(LineOfText),
  last_name: required(LineOfText),
  email: required(LineOfText, EMAIL),
  phone: optional(LineOfText),
})

export const CommercialWrite = z.strictObject({
  expected_monthly_processing_volume: required(ProcessingVolume),
  card_type: required(CardType),
  settlement_option: required(SettlementOption),
  fee_handling: required(FeeHandling),
  requested_payment_methods: required(z.array(PaymentMethod).max(10)),
})

export const Person = z.strictObject({
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
export const Ubo = Person.extend({ ownership_percent: required(z.number().min(25).max(100)) })

export const ConsentWrite = z.strictObject({
  version: required(LineOfText),
  marketing_opt_in: optional(z.boolean()),
})

const scalars = [characters(2000), z.number(), z.boolean(), z.null()] as const
const MAX_ITEMS = 50
const Items = z
  .array(z.union(scalars))
  .refine((items) => items.length <= MAX_ITEMS, {
    params: { reason: 'too_many', expected: `at most ${MAX_ITEMS} items` },
  })
  .meta({ maxItems: MAX_ITEMS })
export const AdditionalValue = z.union([...scalars, Items])

/** Number of keys that a write of `additional_data` sets; null clears a key. */
const keysSet = (additional: Readonly<Record<string, unknown>>): number =>
  Object.values(additional).filter((value) => value !== null).length

/** A write that sets more keys than the limit is refused here; the merged data is checked by the service. */
export const AdditionalData = z
  .record(characters(100), AdditionalValue)
  .refine((additional) => keysSet(additional) <= MAX_ADDITIONAL_KEYS, {
    params: { reason: 'too_many', expected: `at most ${MAX_ADDITIONAL_KEYS} fields` },
  })
  .meta({
    anyOf: [
      { maxProperties: MAX_ADDITIONAL_KEYS },
      { not: { additionalProperties: { not: { type: 'null' } } } },
    ],
  })

/** Sent field by field: a group's fields are merged, lists replace whole, null clears (decisions §7). */
export const KybWrite = z
  .strictObject({
    business: BusinessWrite.nullable().optional(),
    registered_address: RegisteredAddressWrite.nullable().optional(),
    contact: ContactWrite.nullable().optional(),
    commercial: CommercialWrite.nullable().optional(),
    directors: required(z.array(Person).max(MAX_PEOPLE)),
    ubos: required(z.array(Ubo).max(MAX_PEOPLE), {
      unless: { field: 'ubo_declaration', is: 'no_qualifying_ubo' },
    }),
    ubo_declaration: optional(UboDeclaration),
    consent: ConsentWrite.nullable().optional(),
    additional_data: AdditionalData.nullable().optional(),
  })
  .refine((write) => write.ubo_declaration !== 'no_qualifying_ubo' || (write.ubos ?? []).length === 0, {
    path: ['ubos'],
    params: { reason: 'invalid_value', expected: 'an empty list if ubo_declaration is no_qualifying_ubo' },
  })
  .meta({
    not: {
      required: ['ubo_declaration', 'ubos'],
      properties: {
        ubo_declaration: { const: 'no_qualifying_ubo' },
        ubos: { type: 'array', minItems: 1, items: {} },
      },
    },
  })
export type KybWrite = z.infer<typeof KybWrite>

/** The groups as they are read: every field is there, null where nothing was written. */
export const Business = BusinessWrite.required()
export const RegisteredAddress = RegisteredAddressWrite.required()
export const Contact = ContactWrite.required()
export const Commercial = CommercialWrite.required()
export const Consent = ConsentWrite.required()

/** The data of a relationship with every field of the groups: null where nothing was written. */
export const KybRecord = z.object({
  business: Business,
  registered_address: RegisteredAddress,
  contact: Contact,
  commercial: Commercial,
  directors: z.array(Person),
  ubos: z.array(Ubo),
  ubo_declaration: UboDeclaration,
  consent: Consent,
  additional_data: z.record(z.string(), AdditionalValue),
})
export type KybRecord = z.infer<typeof KybRecord>

/** The groups whose fields are merged one by one. */
export const KYB_GROUPS = {
  business: BusinessWrite,
  registered_address: RegisteredAddressWrite,
  contact: ContactWrite,
  commercial: CommercialWrite,
  consent: ConsentWrite,
} as const
export type KybGroup = keyof typeof KYB_GROUPS
