import { z } from 'zod'

type Part = readonly [schema: z.core.$ZodType, path: string]

/** The schemas directly inside `schema`, each with its path. */
function partsOf(schema: z.core.$ZodType, path: string): readonly Part[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.def.shape).map(([name, part]) => [part, `${path}.${name}`])
  if (schema instanceof z.ZodArray) return [[schema.def.element, `${path}[]`]]
  if (schema instanceof z.ZodRecord) return [[schema.def.valueType, `${path}{}`]]
  if (schema instanceof z.ZodUnion) return schema.def.options.map((option) => [option, path])
  const { def } = schema as z.ZodPipe | z.ZodIntersection | z.ZodLazy | z.ZodOptional
  return [
    ...('in' in def ? [def.in] : []),
    ...('left' in def ? [def.left, def.right] : []),
    ...('getter' in def ? [def.getter()] : []),
    ...('innerType' in def ? [def.innerType] : []),
  ].map((part) => [part, path])
}

const isTolerant = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject && !(schema.def.catchall instanceof z.ZodNever)

/** Returns the path of each object in `body` that accepts unknown fields (decisions §1), for example `body.payer`. */
export function tolerantObjectsOf(body: z.core.$ZodType, path = 'body'): string[] {
  const inside = partsOf(body, path).flatMap(([part, at]) => tolerantObjectsOf(part, at))
  return isTolerant(body) ? [path, ...inside] : inside
}
