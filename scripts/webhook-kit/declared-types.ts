/**
 * Generates the receiver kit's event types from the contracts as plain TypeScript, so that the kit has no dependencies.
 */
import {
  CardProcessorFields,
  CryptoPaymentData,
  FiatPaymentData,
  MERCHANT_EVENT_BODIES,
  MERCHANT_EVENTS,
  MerchantCryptoOrder,
  MerchantFiatOrder,
  OPT_IN_EVENT_TYPES,
  PARTNER_EVENT_TYPES,
  PARTNER_EVENTS,
} from '@causeway/contracts'
import { z } from 'zod'

type JsonSchema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | false
}

/** Named types that the others use, each with its description. */
const SHARED = {
  CryptoPaymentData: [CryptoPaymentData, '`data` of a crypto order; what the event cannot know is null.'],
  FiatPaymentData: [FiatPaymentData, '`data` of a card order; amounts in the minor unit of the currency.'],
  MerchantCryptoOrder: [MerchantCryptoOrder, '`order` of a crypto order on the merchant channel.'],
  MerchantFiatOrder: [
    MerchantFiatOrder,
    '`order` of a card order on the merchant channel; amounts in the minor unit.',
  ],
  CardProcessorFields: [
    CardProcessorFields,
    'Data of the card processor: next to `order`, under a key with the name of the processor.',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literals = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')

const objectType = ({ properties = {}, required = [], additionalProperties }: JsonSchema): string => {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(field)}`,
  )
  // A key named after the provider has its own type, which an index signature next to other fields does not allow.
  const more = typeof additionalProperties === 'object' ? ['[key: string]: unknown'] : []
  return `{ ${[...fields, ...more].join('; ')} }`
}

/** A schema as a TypeScript type. @throws for a construct that is not supported here */
const typeText = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return schema.$ref.slice(1)
  if (schema.const !== undefined) return literals([schema.const])
  if (schema.enum !== undefined) return literals(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(typeText).join(' | ')
  if (schema.type === 'object') return objectType(schema)
  if (schema.type === 'array') return `(${typeText(schema.items ?? {})})[]`
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' | ')
  const primitive = PRIMITIVES[schema.type ?? '']
  if (primitive === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}`)
  return primitive
}

const HEAD = `/* Made from packages/contracts by scripts/generate-webhook-kit.ts: change the contracts, then run it. */
/* oxlint-disable -- generated */
`

/** The text of the kit's `events.ts`, before it is formatted. */
export const declareEvents = (): string => {
  const partner = Object.keys(PARTNER_EVENTS)
  const merchant = Object.keys(MERCHANT_EVENT_BODIES)
  const described = new Map<string, string>(Object.entries(SHARED).map(([name, [, line]]) => [name, line]))
  const registry = z.registry<{ id: string }>()
  for (const [name, [schema]] of Object.entries(SHARED)) registry.add(schema, { id: name })
  for (const [name, schema] of Object.entries({ ...PARTNER_EVENTS, ...MERCHANT_EVENT_BODIES }))
    registry.add(schema, { id: name })
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: (id) => `#${id}` })
  const types = Object.entries(schemas).map(([name, schema]) => {
    const line = described.get(name)
    return `${line === undefined ? '' : `/** ${line} */\n`}export type ${name} = ${typeText(schema as JsonSchema)}\n`
  })
  return [
    HEAD,
    ...types,
    `/** Event that a destination of the partner channel receives; discriminated by \`event_type\`. */
export type PartnerEvent = ${partner.join(' | ')}\n`,
    `/** Event that a webhook of the merchant channel receives; discriminated by \`event\`, card and crypto orders by \`integrationId\`. */
export type MerchantEvent = ${merchant.join(' | ')}\n`,
    `export type PartnerEventType = ${literals(PARTNER_EVENT_TYPES)}\n`,
    `/** Types that only a destination that names them receives. */
export type OptInEventType = ${literals(OPT_IN_EVENT_TYPES)}\n`,
    `export type MerchantEventName = ${literals(MERCHANT_EVENTS)}\n`,
  ].join('\n')
}
