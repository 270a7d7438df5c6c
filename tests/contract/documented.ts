import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument, ApiOperation, Response } from '@causeway/reference'
import type { Received } from './http.ts'

/** 512 KiB of data (decisions §18) and the envelope. */
const MAX_ANSWER_BYTES = 512 * 1024 + 4_096

/** The document itself and its page: their size does not depend on stored data. */
const OWN_PATHS: readonly string[] = ['/openapi.json', '/openapi.operator.json', '/docs', '/docs/{file}']

/**
 * The document's objects are open, so that a new field breaks no client. Here they are closed: what is answered must be
 * documented.
 */
export const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = inner['type'] === 'object' && typeof inner['properties'] === 'object'
  return isObject ? { additionalProperties: false, ...inner } : inner
}

/**
 * Validates responses against the OpenAPI document, without references: status, error code and body must be documented
 * for the operation.
 */
export const createResponseValidator = (document: ApiDocument) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  const validators = new Map<object, ReturnType<typeof ajv.compile>>()
  const validatorOf = (schema: object) => {
    const known = validators.get(schema) ?? ajv.compile(closed(schema) as object)
    validators.set(schema, known)
    return known
  }

  /** Returns the fault of a response, or null. */
  return (path: string, method: string, answer: Received): string | null => {
    const operation = document.paths[path]?.[method.toLowerCase()] as ApiOperation
    const status = String(answer.status)
    if (answer.status >= 500) return `it answered ${status}`
    const response = (operation.responses[status] ?? operation.responses['default']) as Response | undefined
    if (response === undefined) return `the document has no ${status} here`
    if (!OWN_PATHS.includes(path) && Buffer.byteLength(answer.text) > MAX_ANSWER_BYTES)
      return `the answer has ${answer.text.length} letters`
    if (answer.text === '' && response.content === undefined) return null
    const type = answer.headers['content-type']?.split(';')[0] ?? ''
    if (type !== 'application/json')
      return type in (response.content ?? {}) || '*/*' in (response.content ?? {})
        ? null
        : `the document has no ${type} for ${status}`
    const media = response.content?.['application/json']
    if (media === undefined) return `the document has no JSON for ${status}`
    const body = JSON.parse(answer.text) as { error?: { code?: string } }
    const code = body.error?.code
    if (media.examples !== undefined && !(code !== undefined && code in media.examples))
      return `the document does not list ${String(code)} for ${status}`
    const validate = validatorOf(media.schema)
    return validate(body) ? null : ajv.errorsText(validate.errors)
  }
}
