import { API_VERSION, type Operation } from '@causeway/contracts'
import type { z } from 'zod'
import type { Parameter, Reference } from './document.ts'
import { propertiesOf, type Schemas } from './json-schema.ts'

const parametersIn =
  (place: 'path' | 'query') =>
  (schemas: Schemas, schema: z.ZodType): Parameter[] =>
    propertiesOf(schemas.request(schema)).map(({ name, schema: { description, ...rest } }) => ({
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest,
    }))

export const pathParameters = parametersIn('path')
/** None is required: contracts clamp or refuse values, and have a default for a missing one. */
export const queryParameters = parametersIn('query')

export const VERSION_PARAMETER = { $ref: '#/components/parameters/ApiVersion' }

/** Headers of requests to which operations refer. */
export const SHARED_PARAMETERS = {
  ApiVersion: {
    name: 'api-version',
    in: 'header',
    required: false,
    description: 'API version that the caller expects; any other version is refused.',
    schema: { type: 'string', const: API_VERSION },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Idempotency key: a repeated call with the same key and body returns the first response. Kept for 7 days.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: '4f0c2a52-8a1e-4d0b-9c0e-6a9d1f6d2b7e',
  },
} as const satisfies Readonly<Record<string, Parameter>>

/** The header of an operation whose effect may be named. */
export const keyParameters = (idempotent: Operation['idempotent']): (Parameter | Reference)[] => {
  if (idempotent === false) return []
  return idempotent === 'optional'
    ? [{ ...SHARED_PARAMETERS.IdempotencyKey, required: false }]
    : [{ $ref: '#/components/parameters/IdempotencyKey' }]
}
