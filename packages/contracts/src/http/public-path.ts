import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { Tag } from './chapters.ts'

/** Shapes of a body by its media type. */
type Content = Readonly<Record<string, z.ZodType>>

/** A public path in the API reference. */
type Description = Readonly<{
  operationId: string
  tag: Tag
  summary: string
  /** When to use it. */
  description: string
  /** Clients authenticate here, with HTTP Basic or in the body. */
  clientBasic?: true
  /** Path parameters. */
  params?: z.ZodType
  body?: Content
  /** `data` of a success, if it has the envelope. */
  data?: z.ZodType
  /** Answers without the envelope, by status. */
  answers: Readonly<Record<number, Readonly<{ description: string; content: Content }>>>
  /** Codes of the errors. */
  refusals: readonly ErrorCode[]
}>

/** The declaration of a path that needs no credential of a partner, merchant or staff. */
export type PublicPath = Readonly<{
  method: 'GET' | 'POST'
  path: string
  /** The rate limit does not apply. */
  unlimited?: true
  description: Description
}>

export const json = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': schema },
})
export const bytes = (description: string, type = '*/*') => ({
  description,
  content: { [type]: z.string().meta({ format: 'binary' }) },
})

type OwnPath = Omit<Description, 'refusals'> & Partial<Pick<Description, 'refusals'> & { unlimited: true }>

/** Declares a path that the gateway itself answers. */
export const ownPath = (method: PublicPath['method'], path: string, own: OwnPath): PublicPath => {
  const { unlimited, refusals = unlimited ? [] : ['rate_limited'], ...description } = own
  return { method, path, ...(unlimited && { unlimited }), description: { ...description, refusals } }
}

type RelayedPath = Readonly<{
  tag: Description['tag']
  unlimited?: true
  /** Path parameters, where they are not those of the operation. */
  params?: z.ZodType
  body?: Content
  /** The answer, where it is not the operation's reply in the envelope. */
  answer?: Description['answers'][number]
}>

/** Declares a path that an operation of a service answers; its contract gives summary, parameters, reply and refusals. */
export const relayedPath = (
  method: PublicPath['method'],
  path: string,
  operation: Operation,
  { tag, unlimited, params = operation.params, body, answer }: RelayedPath,
): PublicPath => ({
  method,
  path,
  ...(unlimited && { unlimited }),
  description: {
    operationId: operation.operationId,
    tag,
    summary: operation.summary,
    description: operation.description,
    params,
    ...(body && { body }),
    ...(answer === undefined ? { data: operation.reply, answers: {} } : { answers: { 200: answer } }),
    refusals: [
      ...operation.refusals,
      'resource_not_found',
      ...(body === undefined ? [] : (['payload_too_large'] as const)),
      'rate_limited',
      'internal_error',
      'temporarily_unavailable',
    ],
  },
})
