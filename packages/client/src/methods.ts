import type { Call, Caller } from './call.ts'
import type { Credential } from './credentials.ts'
import type { OperationRow } from './operation-row.ts'
import { DEFAULTS, UPLOAD_TIMEOUT_MS, type ClientOptions } from './options.ts'
import type { CallOptions, Reply } from './types.ts'
import { uploadBody, type FileUpload } from './upload.ts'

type Input = Readonly<Record<string, unknown>>

/** The path with its parameters filled in, and the rest of the input as its query. @throws TypeError for an empty one */
const pathOf = (template: string, input: Input): string => {
  const used = new Set(['body'])
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    const value = input[name]
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '')
      throw new TypeError(`${name} is missing: ${template} needs it`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    // oxlint-disable-next-line typescript/no-base-to-string -- the types allow texts, numbers and booleans
    if (!used.has(name) && value !== undefined && value !== null) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

type Sent = Pick<Call, 'body' | 'isResendable'>

const bodyOf = (isUpload: boolean, body: unknown): Sent => {
  if (isUpload) return uploadBody(body as FileUpload<object>)
  if (body === undefined) return { body: null, isResendable: true }
  const made = { init: { body: JSON.stringify(body) }, contentType: 'application/json' }
  return { body: () => made, isResendable: true }
}

type Binding = Readonly<{ call: Caller; credential: Credential; options: ClientOptions; prefix: string }>

/** An operation as a function (see `Method`). */
const methodOf = (
  { call, credential, options, prefix }: Binding,
  operation: string,
  [
    method,
    short,
    { keyed = false, repeatable = false, upload = false, items, cursor = 'cursor' } = {},
  ]: OperationRow,
) => {
  const template = prefix + short
  const reply = async (input: Input = {}, given: CallOptions = {}): Promise<Reply<unknown>> => {
    const path = pathOf(template, input)
    const body = bodyOf(upload, input['body'])
    const key = keyed ? { 'idempotency-key': given.idempotencyKey ?? crypto.randomUUID() } : {}
    const { status, headers, json } = await call({
      operation,
      method,
      template,
      path,
      headers: { accept: 'application/json', ...key },
      ...body,
      timeoutMs: given.timeoutMs ?? options.timeoutMs ?? (upload ? UPLOAD_TIMEOUT_MS : DEFAULTS.timeoutMs),
      signal: given.signal,
      isRepeatable: method === 'GET' || keyed || repeatable,
      credential,
    })
    const { data, request_id: own } = (json ?? {}) as { data?: unknown; request_id?: string }
    const requestId = own ?? headers.get('x-request-id') ?? ''
    return { data, status, requestId, headers, isReplayed: headers.get('idempotent-replayed') === 'true' }
  }
  const one = async (input?: Input, given?: CallOptions): Promise<unknown> => (await reply(input, given)).data
  const pages = async function* (input: Input = {}, given?: CallOptions) {
    let next: unknown = input[cursor]
    do {
      const page = (await one({ ...input, [cursor]: next }, given)) as Record<string, unknown>
      yield page
      next = page['next_cursor'] ?? page['nextCursor']
    } while (typeof next === 'string')
  }
  const all = async function* (input?: Input, given?: CallOptions) {
    for await (const page of pages(input, given)) yield* page[items ?? ''] as unknown[]
  }
  return Object.assign(one, { reply }, items ? { pages, all } : {})
}

/** Every operation of a table as a function. */
export const methodsOf = (binding: Binding, table: Readonly<Record<string, OperationRow>>): object =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, methodOf(binding, name, row)]))
