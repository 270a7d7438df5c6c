/** The parts of JSON Schema that the contracts use. */
export type Schema = Readonly<{
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  pattern?: string
  format?: string
}> &
  Readonly<Partial<Record<Bound, number>>>

type Bound = keyof typeof IS_NARROWER

/** Compares two bounds: true if the second accepts less than the first. */
const IS_NARROWER = {
  minimum: (bound: number, other: number) => bound > other,
  minLength: (bound: number, other: number) => bound > other,
  minItems: (bound: number, other: number) => bound > other,
  maximum: (bound: number, other: number) => bound < other,
  maxLength: (bound: number, other: number) => bound < other,
  maxItems: (bound: number, other: number) => bound < other,
} as const

const valuesOf = ({ enum: values, const: value }: Schema): readonly unknown[] | undefined =>
  values ?? (value === undefined ? undefined : [value])

/** The alternatives of a schema; one of several types is split by type, and what bounds the others says nothing of null. */
const variantsOf = (schema: Schema): readonly Schema[] => {
  const { anyOf, oneOf, type, ...rest } = schema
  const variants = anyOf ?? oneOf
  if (variants !== undefined) return variants.flatMap(variantsOf)
  if (typeof type === 'object') return type.map((each) => (each === 'null' ? { type: each } : { ...rest, type: each }))
  return [schema]
}

const typeFault = (given: Schema, taken: Schema): string[] => {
  if (taken.type === undefined || given.type === taken.type) return []
  if (given.type === 'integer' && taken.type === 'number') return []
  const values = valuesOf(given)
  if (given.type === undefined && values?.every((value) => typeof value === taken.type) === true) return []
  return [`is ${String(given.type ?? 'anything')}, not ${String(taken.type)}`]
}

const valueFaults = (given: Schema, taken: Schema): string[] => {
  const allowed = valuesOf(taken)
  if (allowed === undefined) return []
  const values = valuesOf(given)
  if (values === undefined) return [`is more than ${JSON.stringify(allowed)}`]
  return values.filter((value) => !allowed.includes(value)).map((value) => `may be ${JSON.stringify(value)}`)
}

const boundFaults = (given: Schema, taken: Schema): string[] =>
  (Object.keys(IS_NARROWER) as Bound[]).flatMap((bound) => {
    const limit = taken[bound]
    if (limit === undefined || valuesOf(given) !== undefined) return []
    const own = given[bound]
    return own === undefined || IS_NARROWER[bound](limit, own) ? [`is bounded by ${bound} ${limit}`] : []
  })

const formFaults = (given: Schema, taken: Schema): string[] =>
  (['pattern', 'format'] as const).flatMap((form) =>
    taken[form] === undefined || given[form] === taken[form] || valuesOf(given) !== undefined
      ? []
      : [`has the ${form} ${taken[form]}`],
  )

const at = (field: string, faults: readonly string[]): string[] =>
  faults.map((fault) => (/^[.[]/.test(fault) ? `.${field}${fault}` : `.${field} ${fault}`))

const memberFaults = (given: Schema, taken: Schema): string[] => {
  const { properties: own = {}, additionalProperties: more } = given
  const { properties: others = {}, additionalProperties: othersMore, required = [] } = taken
  const missing = required.filter((field) => given.required?.includes(field) !== true)
  const opened = othersMore === false && more !== false && given.type === 'object'
  return [
    ...missing.map((field) => `.${field} may be missing`),
    ...(opened ? ['takes fields that are not described'] : []),
    ...Object.entries(own).flatMap(([field, schema]) => {
      const other = others[field] ?? (typeof othersMore === 'object' ? othersMore : undefined)
      if (other !== undefined) return at(field, schemaFaults(schema, other))
      return othersMore === false ? [`.${field} is not known`] : []
    }),
    ...(typeof more === 'object' && typeof othersMore === 'object' ? at('*', schemaFaults(more, othersMore)) : []),
  ]
}

const singleFaults = (given: Schema, taken: Schema): string[] => [
  ...typeFault(given, taken),
  ...valueFaults(given, taken),
  ...boundFaults(given, taken),
  ...formFaults(given, taken),
  ...memberFaults(given, taken),
  ...(taken.items === undefined ? [] : at('[]', schemaFaults(given.items ?? {}, taken.items))),
]

/**
 * Why a value that one schema allows may not be allowed by another; empty where each is. Both without references.
 * @param given what is sent
 * @param taken what the receiver expects
 */
export const schemaFaults = (given: Schema, taken: Schema): string[] => {
  const accepting = variantsOf(taken)
  return variantsOf(given).flatMap((variant) => {
    const tried = accepting.map((other) => singleFaults(variant, other))
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? []
  })
}
