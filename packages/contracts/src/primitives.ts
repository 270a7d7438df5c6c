import { z } from 'zod'

/** The version of the API (decisions §1). */
export const API_VERSION = '2026-11-01'

/** The greatest amount of a card order, a refund or a payout, in the currency's minor unit (decisions §10). */
export const MAX_AMOUNT_CENTS = 99_999_999_999

/** Prefixes of TypeIDs and what they identify (decisions §1, "Ids"). */
export const ID_PREFIXES = {
  partner: 'prt',
  merchant: 'cus',
  relationship: 'pcu',
  verification: 'ver',
  document: 'doc',
  requirement: 'rqm',
  onboardingLink: 'onl',
  agreement: 'agr',
  acceptance: 'acc',
  cryptoOrder: 'ord',
  integration: 'int',
  fiatOrder: 'fio',
  refund: 'rfd',
  chargeback: 'cbk',
  chargebackCase: 'ccs',
  payout: 'pay',
  payoutWallet: 'pwt',
  paymentFile: 'pfl',
  latePayment: 'lpm',
  unattributedMoney: 'umy',
  pricePlan: 'ppl',
  pricePlanVersion: 'ppv',
  onrampOrder: 'onr',
  webhook: 'whk',
  event: 'evt',
  delivery: 'dlv',
  redelivery: 'rdl',
  apiKey: 'key',
  request: 'req',
  client: 'cli',
  auditEntry: 'aud',
  staffKey: 'stk',
  person: 'psn',
  mail: 'eml',
  signInRequest: 'sgn',
  session: 'ses',
  pendingAction: 'pac',
  refundDifference: 'rdf',
  journal: 'jnl',
  entry: 'ent',
  adjustment: 'adj',
  difference: 'dif',
  report: 'rpt',
} as const

/** Kinds of ids. */
export type IdKind = keyof typeof ID_PREFIXES

const idSchema = (kind: IdKind) =>
  z.string().regex(new RegExp(`^${ID_PREFIXES[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))

/** The schema of every kind of id. */
export const ID_SCHEMAS = Object.fromEntries(
  (Object.keys(ID_PREFIXES) as IdKind[]).map((kind) => [kind, idSchema(kind)]),
) as Readonly<Record<IdKind, ReturnType<typeof idSchema>>>

const KIND_OF_PREFIX: ReadonlyMap<string, IdKind> = new Map(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix, kind as IdKind]),
)

/** The kind of ids with a prefix; null for an unknown one. */
export const kindOfPrefix = (prefix: string | undefined): IdKind | null =>
  KIND_OF_PREFIX.get(prefix ?? '') ?? null

/** The kind of an id; null for text that is no id. */
export const idKindOf = (text: string): IdKind | null => {
  const kind = kindOfPrefix(text.slice(0, text.indexOf('_')))
  return kind !== null && ID_SCHEMAS[kind].safeParse(text).success ? kind : null
}

/** Names of kinds in the API, where they differ from ours. */
const PUBLIC_NAMES: Readonly<Partial<Record<IdKind, string>>> = {
  merchant: 'customer',
  relationship: 'partner customer',
  cryptoOrder: 'order',
}

/** Names a kind of id for a reader: `an order id (ord_…)`. */
export const describeId = (kind: IdKind): string => {
  const name = PUBLIC_NAMES[kind] ?? kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} id (${ID_PREFIXES[kind]}_…)`
}

/** A TypeID of one kind: prefix, underscore, UUIDv7 in Crockford base32. */
export const idOf = (kind: IdKind) => ID_SCHEMAS[kind]

/** ISO 8601 UTC with milliseconds, as every reply writes it. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC, milliseconds' })

const isFourDigitYear = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Most characters of a time: enough for every precision of real clocks. */
const MAX_TIMESTAMP_LENGTH = 64

/**
 * ISO 8601 with an offset or `Z`, in requests (decisions §1). Its year has four digits, in UTC too. It is converted to
 * UTC with milliseconds, because PostgreSQL refuses texts over 128 characters and offsets of 16 hours or more.
 */
export const TimestampInput = z.iso
  .datetime({ offset: true })
  .max(MAX_TIMESTAMP_LENGTH)
  .refine(isFourDigitYear, {
    params: { reason: 'invalid_date', expected: 'a time in the years 0001 to 9999' },
  })
  .transform((text) => new Date(text).toISOString())

/** A decimal number as text, without exponent. */
export const DecimalString = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ description: 'Decimal number as text, without exponent' })

/** True if PostgreSQL and JSON can hold the text: no NUL, well-formed Unicode. The gateway has checked bodies. */
export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\u0000')

/** Text that may be empty: storable and bounded. */
export const optionalText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine(isStorable, {
      params: { reason: 'invalid_value', expected: 'well-formed Unicode without U+0000' },
    })

/** Text of a request: storable, bounded and not empty. */
export const text = (maxLength: number) => optionalText(maxLength).min(1)

const clamp = (raw: unknown, fallback: number, max: number) => {
  if (typeof raw !== 'string' || !/^[+-]?\d+$/.test(raw.trim())) return fallback
  return Math.min(Math.max(Number(raw), 1), max)
}

/** `limit` of a list: clamped to 1..max; the default for anything that is not an integer (decisions §1). */
export const limitParameter = (fallback: number, max: number) =>
  z
    .unknown()
    .optional()
    .transform((raw) => clamp(raw, fallback, max))
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: fallback,
      description: `Page size, 1 to ${max}, default ${fallback}; other values are clamped`,
    })

/** An opaque cursor; anything but a string is refused as `invalid_cursor` by the list itself. */
export const cursorParameter = z
  .unknown()
  .optional()
  .transform((raw) => (raw === undefined ? null : typeof raw === 'string' ? raw : ''))
  .meta({ type: 'string', description: '`next_cursor` of the previous page' })

/** `next_cursor` of a list. */
export const NextCursor = z.string().nullable().meta({ description: 'Cursor of the next page, or null' })

/** `limit` and `cursor` of a list whose pages hold at most 100 items and 512 KiB (decisions §18). */
export const pageParameters = { limit: limitParameter(100, 100), cursor: cursorParameter }

/** A body that takes no field; absent and `{}` are the same. */
export const NoBody = z.strictObject({}).optional()

/** The seven capabilities in the order every list shows them (spec: Capability; decisions §4). */
export const CAPABILITIES = [
  'payments.crypto',
  'payments.fiat_card',
  'payouts',
  'payout_wallets',
  'refunds',
  'wallets',
  'withdrawals',
] as const
export const CapabilityName = z.enum(CAPABILITIES)
export type CapabilityName = z.infer<typeof CapabilityName>

/** The scopes of a partner that is created without any (spec: Authentication). */
export const DEFAULT_SCOPES = [
  'agreements:accept',
  'agreements:read',
  'customers:read',
  'customers:write',
  'documents:read',
  'documents:write',
  'kyb:read',
  'kyb:write',
  'orders:create',
  'orders:read',
  'payments:create',
  'payments:read',
  'refunds:write',
  'partner:read',
] as const
/** Every OAuth scope. The further ones are given by name alone (decisions §48, §53, §55). */
export const SCOPES = [
  ...DEFAULT_SCOPES,
  'payouts:write',
  'brand:write',
  'webhooks:read',
  'webhooks:write',
] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.infer<typeof Scope>
