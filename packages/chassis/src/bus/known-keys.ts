import { z } from 'zod'

type Schema = z.core.$ZodType

/** The schemas that a value is read by: alternatives of a union, and what optional, piped and lazy schemas hold. */
function alternativesOf(schema: Schema): readonly Schema[] {
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap(alternativesOf)
  const { def } = schema as z.ZodPipe | z.ZodIntersection | z.ZodLazy | z.ZodOptional
  const inside: readonly Schema[] = [
    ...('in' in def ? [def.in, def.out] : []),
    ...('left' in def ? [def.left, def.right] : []),
    ...('getter' in def ? [def.getter()] : []),
    ...('innerType' in def ? [def.innerType] : []),
  ]
  return inside.length === 0 ? [schema] : inside.flatMap(alternativesOf)
}

function schemasOfKey(schema: Schema, key: PropertyKey): readonly Schema[] {
  if (schema instanceof z.ZodArray) return [schema.def.element]
  if (schema instanceof z.ZodRecord) return [schema.def.valueType]
  const field =
    schema instanceof z.ZodObject ? (schema.def.shape as Record<PropertyKey, Schema>)[key] : undefined
  return field === undefined ? [] : [field]
}

/** Returns the keys that the objects at a path of a schema may have. */
export function knownKeysAt(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  const found = path.reduce<readonly Schema[]>(
    (schemas, key) => schemas.flatMap((each) => schemasOfKey(each, key)).flatMap(alternativesOf),
    alternativesOf(schema),
  )
  return found.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.def.shape) : []))
}
