import { z } from 'zod'
import { COUNTRIES } from '../countries.ts'
import { DOMAIN_NAME, EmailAddress } from '../internet-names.ts'

export const Industry = z.enum([
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
])
/** EUR a month. */
export const ProcessingVolume = z.enum([
  'range_0_1k',
  'range_1k_10k',
  'range_10k_50k',
  'range_50k_250k',
  'range_250k_plus',
])
export const PaymentMethod = z.enum(['card', 'bank_transfer', 'crypto', 'other'])
export const UboDeclaration = z.enum(['has_ubos', 'no_qualifying_ubo'])
export const CardType = z.enum(['eea', 'non_eea', 'mixed'])
export const SettlementOption = z.enum(['fiat_eur_iban', 'crypto_usdt'])
/** Who bears the fees of card payments. */
export const FeeHandling = z.enum(['customer_pays', 'niftipay_absorbs']).meta({
  description:
    'Who bears the fees of card payments. `customer_pays`: the buyer. `niftipay_absorbs`: the buyer is charged nothing; the name comes from the specification and has no other meaning',
})

/** The rule of a field at submission, in addition to the rules of every write (spec: Required at submission). */
export type SubmissionRule = Readonly<{
  /** A missing, blank or empty value blocks the submission. */
  required: boolean
  /** Nothing is required while this field has this value. */
  unless?: Readonly<{ field: string; is: string }>
  /** A value that does not parse is stored, and blocks the submission. */
  parses?: z.ZodType
  /** The expected value, for the message: `a valid date`. */
  expects?: string
  notInFuture?: true
}>

const rules = new WeakMap<object, SubmissionRule>()

/** The submission rule of a field of the KYB schema, found by the schema that validates it. */
export const submissionRuleOf = (field: object): SubmissionRule | undefined => rules.get(field)

/** Text of at most so many characters (code points, as JSON Schema counts them). */
export const characters = (max: number) =>
  z
    .string()
    .refine((value) => value.length <= max || Array.from(value).length <= max, {
      params: { reason: 'too_long', expected: `at most ${max} characters` },
    })
    .meta({ maxLength: max })

/** A field of a write: absent, it is unchanged; null clears it. */
const declare = <S extends z.ZodType>(schema: S, rule: SubmissionRule) => {
  const field = schema.nullable().optional()
  rules.set(field, rule)
  return field
}
export const required = <S extends z.ZodType>(schema: S, rule: Omit<SubmissionRule, 'required'> = {}) =>
  declare(schema, { ...rule, required: true })
export const optional = <S extends z.ZodType>(schema: S, rule: Omit<SubmissionRule, 'required'> = {}) =>
  declare(schema, { ...rule, required: false })

export const LineOfText = characters(500)
export const Country = z.enum(COUNTRIES)
type Form = Required<Pick<SubmissionRule, 'parses' | 'expects'>>
export const EMAIL: Form = { parses: EmailAddress, expects: 'an e-mail address' }
export const URL: Form = {
  parses: z.url({ protocol: /^https?$/, hostname: DOMAIN_NAME }),
  expects: 'a web address that begins with https:// or http://',
}
export const DATE: Form = {
  parses: z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
  expects: 'a date such as 2019-04-30',
}
