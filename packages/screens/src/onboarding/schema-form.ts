import { Ubo, submissionRuleOf, type verifications } from '@causeway/contracts'
import { z } from 'zod'
import type { Reply } from '../screen.ts'

/** How a field is entered: a line of text, a number, one or several values of a list, or yes and no. */
export type FieldKind = 'text' | 'number' | 'choice' | 'choices' | 'flag'

export type FormField = Readonly<{
  name: string
  kind: FieldKind
  isRequired: boolean
  /** Options of `choice` and `choices`. */
  options: readonly string[]
  maxLength: number
  minimum: number
  maximum: number
}>

/** One page of the form: a group of fields, or a list of people with the fields of each. */
export type FormSection = Readonly<{ name: string; kind: 'group' | 'people'; fields: readonly FormField[] }>

/** The parts of JSON Schema 2020-12 that the schema of a verification consists of. */
type JsonSchema = Readonly<{
  type?: string | undefined
  properties?: Readonly<Record<string, JsonSchema>> | undefined
  items?: JsonSchema | undefined
  anyOf?: readonly JsonSchema[] | undefined
  enum?: readonly unknown[] | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
}>
const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    // A field that null clears has both types in a list.
    type: z
      .union([z.string(), z.array(z.string()).transform((types) => types.find((type) => type !== 'null'))])
      .optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    items: JsonSchema.optional(),
    anyOf: z.array(JsonSchema).optional(),
    enum: z.array(z.unknown()).optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
)

/** Returns a field's schema without `null`, which only clears the field. */
const bare = (schema: JsonSchema): JsonSchema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema

const texts = (values: readonly unknown[] | undefined): string[] =>
  (values ?? []).filter((value): value is string => typeof value === 'string')

const kindOf = ({ type, enum: allowed }: JsonSchema): FieldKind => {
  if (type === 'array') return 'choices'
  if (type === 'boolean') return 'flag'
  if (type === 'number' || type === 'integer') return 'number'
  return allowed === undefined ? 'text' : 'choice'
}

const fieldOf = (name: string, declared: JsonSchema, isRequired: boolean): FormField => {
  const schema = bare(declared)
  return {
    name,
    kind: kindOf(schema),
    isRequired,
    options: texts(schema.type === 'array' ? schema.items?.enum : schema.enum),
    maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
    minimum: schema.minimum ?? Number.NEGATIVE_INFINITY,
    maximum: schema.maximum ?? Number.POSITIVE_INFINITY,
  }
}

/** The schema endpoint names the required lists, but not the required fields of a person. */
const isRequiredOfPerson = (name: string): boolean => {
  const shape: Readonly<Record<string, z.ZodType>> = Ubo.shape
  const field = shape[name]
  return field !== undefined && submissionRuleOf(field)?.required === true
}

/** `additional_data` belongs to the partner; the consent is given on the review page. */
const ELSEWHERE = new Set(['additional_data', 'consent'])

type Schema = Extract<Reply<(typeof verifications)['getSchema']>, { ok: true }>['value']

/** Returns the sections of the form in the order of the schema endpoint. */
export const formSections = ({ schema, required_at_submission: required }: Schema): FormSection[] =>
  Object.entries(JsonSchema.parse(schema).properties ?? {}).flatMap(([name, declared]): FormSection[] => {
    const { type, properties, items } = bare(declared)
    if (ELSEWHERE.has(name)) return []
    if (type === 'object' && properties !== undefined)
      return [
        {
          name,
          kind: 'group',
          fields: Object.entries(properties).map(([field, own]) =>
            fieldOf(field, own, required.includes(`${name}.${field}`)),
          ),
        },
      ]
    if (type === 'array' && items?.properties !== undefined)
      return [
        {
          name,
          kind: 'people',
          fields: Object.entries(items.properties).map(([field, own]) =>
            fieldOf(field, own, isRequiredOfPerson(field)),
          ),
        },
      ]
    return []
  })
