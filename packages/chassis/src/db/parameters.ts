import { encodeBinaryArray } from './binary-array.ts'

/** TypeScript type of a value, by PostgreSQL type. */
type Values = {
  text: string
  integer: number
  smallint: number
  /** Also as text: an order's key is a string of digits in the API. */
  bigint: number | bigint | string
  float8: number
  /** Also as text, for more than 15 digits. */
  numeric: string | number
  boolean: boolean
  timestamptz: Date
  /** A day, such as `2026-11-22`. */
  date: string
  uuid: string
  bytea: Buffer
  /** JSON text. */
  jsonb: string
  /** JSON text that the statement reads once: `json` is not converted to a tree first, as `jsonb` is. */
  json: string
}
export type TypeName = keyof Values

/** Type of a parameter: `text`, `text?` (may be null), `text[]`, `text?[]` (elements may be null), `text[]?`. */
export type ParameterType = TypeName | `${TypeName}?` | `${TypeName}[]` | `${TypeName}?[]` | `${TypeName}[]?`
export type ParameterTypes = Readonly<Record<string, ParameterType>>

type ValueOf<T extends ParameterType> = T extends `${infer E extends TypeName}?[]`
  ? readonly (Values[E] | null)[]
  : T extends `${infer E extends TypeName}[]?`
    ? readonly Values[E][] | null
    : T extends `${infer E extends TypeName}[]`
      ? readonly Values[E][]
      : T extends `${infer E extends TypeName}?`
        ? Values[E] | null
        : T extends TypeName
          ? Values[T]
          : never

/** The named values that a call passes for declared parameters. */
export type Arguments<P extends ParameterTypes> = Readonly<{ [K in keyof P]: ValueOf<P[K]> }>

/** A text with numbered parameters, and how a call's named values become its values. */
type Compiled = Readonly<{ text: string; bind: (values: Readonly<Record<string, unknown>>) => unknown[] }>

// Strings, identifiers, comments and casts are matched first and kept; any other colon and name is a parameter.
const TOKENS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z]\w*)(\s*::)?|\$\d+/g

const castOf = (type: ParameterType): string => type.replace('?', '')

/**
 * Turns `:name` into `$1::type`, numbered in the order of the declaration. Arrays are sent in binary: as text each
 * element would be escaped here and parsed there.
 * @throws Error for a parameter that is used but not declared, declared but not used, or cast in the text
 */
export const compileParameters = (tag: string, text: string, types: ParameterTypes): Compiled => {
  const names = Object.keys(types)
  const used = new Set<string>()
  const compiled = text.replace(TOKENS, (token, name?: string, cast?: string) => {
    if (token.startsWith('$')) throw new Error(`Statement ${tag} has the parameter ${token} without a name`)
    if (name === undefined) return token
    const type = types[name]
    if (type === undefined) throw new Error(`Statement ${tag} uses :${name}, which it does not declare`)
    if (cast !== undefined)
      throw new Error(`Statement ${tag} casts :${name}; remove the cast, because the declared type adds it`)
    used.add(name)
    return `$${names.indexOf(name) + 1}::${castOf(type)}`
  })
  const unused = names.filter((name) => !used.has(name))
  if (unused.length > 0)
    throw new Error(`Statement ${tag} declares :${unused.join(', :')} but does not use it`)
  const elementTypes = names.map((name) => {
    const type = castOf(types[name] as ParameterType)
    return type.endsWith('[]') ? type.slice(0, -2) : null
  })
  return {
    text: compiled,
    bind: (values) =>
      names.map((name, index) => {
        const value = values[name]
        const elementType = elementTypes[index]
        return Array.isArray(value) && elementType != null
          ? (encodeBinaryArray(elementType, value) ?? value)
          : value
      }),
  }
}
