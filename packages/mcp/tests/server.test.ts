import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { MERCHANT_TOOLS, PARTNER_TOOLS } from '../src/generated/tools.ts'
import { NEW, OLD, startAssistant, type Assistant } from './assistant.ts'
import { startRecordingApi } from './recording-api.ts'

const SECRET = 'very-secret-of-the-client'
const CUSTOMER = `pcu_${'0'.repeat(26)}`

let api: Awaited<ReturnType<typeof startRecordingApi>>
const started: Assistant[] = []
beforeEach(async () => {
  api = await startRecordingApi()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((assistant) => assistant.stop()))
  await api.stop()
})

const partner = () => ({
  CAUSEWAY_BASE_URL: api.baseUrl,
  CAUSEWAY_CLIENT_ID: 'cli_1',
  CAUSEWAY_CLIENT_SECRET: SECRET,
})
const merchant = () => ({ CAUSEWAY_BASE_URL: api.baseUrl, CAUSEWAY_API_KEY: SECRET })
const start = async (...parameters: Parameters<typeof startAssistant>) => {
  const assistant = await startAssistant(...parameters)
  started.push(assistant)
  return assistant
}
const names = async (assistant: Assistant) => (await assistant.tools()).map(({ name }) => name)

/** A value for a pattern such as `^pcu_[0-7][…]{25}$` or `^(whk_|integration:int_)[0-7]…`. */
const valueFor = ({ pattern = '' }: { pattern?: string }): string => {
  const [, prefix] = /^\^\(?(\w+_)/.exec(pattern) ?? []
  return prefix === undefined ? '7' : `${prefix}${'0'.repeat(26)}`
}

const argumentsFor = ({ inputSchema }: Awaited<ReturnType<Assistant['tools']>>[number]) =>
  Object.fromEntries(
    (inputSchema.required ?? []).map((name) => [name, valueFor(inputSchema.properties?.[name] as object)]),
  )

test.each([
  ['partner', partner, [...Object.keys(PARTNER_TOOLS), 'whyNotLive']],
  ['merchant', merchant, Object.keys(MERCHANT_TOOLS)],
])('offers every tool of a %s, and calls the API with GET only', async (_, env, expected) => {
  const assistant = await start(env())
  const tools = await assistant.tools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  api.setData({ agreements: [], documents: [], requirements: [], capabilities: [], verification: {} })
  for (const tool of tools) {
    const before = api.requests.length
    expect(await assistant.call(tool.name, argumentsFor(tool))).not.toHaveProperty('isError', true)
    expect(api.requests.length).toBeGreaterThan(before)
  }
  const others = api.requests.filter(({ method, url }) => method !== 'GET' && url !== '/api/oauth/token')
  expect(others).toEqual([])
})

test.each([OLD, NEW])('answers an assistant that speaks $mode', async (protocol) => {
  const assistant = await start(partner(), { protocol })
  api.setData({ capabilities: [{ capability: 'refunds' }] })
  const { content, structuredContent } = await assistant.call('listCapabilities', { customerId: CUSTOMER })
  expect(structuredContent).toEqual({ capabilities: [{ capability: 'refunds' }] })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  expect(api.requests.at(-1)?.url).toBe(`/api/v1/partner/customers/${CUSTOMER}/capabilities`)
})

test('offers and calls a tool only when the token has all of its scopes', async () => {
  api.setScopes('documents:read customers:write')
  const assistant = await start(partner())
  expect(await names(assistant)).toEqual(['listDocuments'])
  await expect(assistant.call('getDocumentDownload', { documentId: CUSTOMER })).rejects.toThrow(
    'There is no tool getDocumentDownload, or the credential does not allow it',
  )
  expect(api.requests.map(({ url }) => url)).toEqual(['/api/oauth/token'])
})

test('gives an assistant no link that opens a document without a credential', async () => {
  api.setScopes('documents:read kyb:read')
  const assistant = await start(partner())
  expect(await names(assistant)).not.toContain('getDocumentDownload')
  await expect(assistant.call('getDocumentDownload', { documentId: CUSTOMER })).rejects.toThrow(
    'There is no tool getDocumentDownload, or the credential does not allow it',
  )
})

test('refuses wrong arguments by name, without a request to the API', async () => {
  const assistant = await start(merchant())
  const refused = async (tool: string, input: Record<string, unknown>) => {
    const { isError, structuredContent } = await assistant.call(tool, input)
    expect(isError).toBe(true)
    return structuredContent
  }
  const because = (message: RegExp) => ({
    error: { code: 'invalid_arguments', message: expect.stringMatching(message) },
  })
  expect(await refused('listDeliveries', {})).toEqual(because(/at webhookId/))
  expect(await refused('getEvent', { eventId: 'evt_1' })).toEqual(because(/match pattern .*at eventId/s))
  expect(await refused('listWebhooks', { limit: 101, page: 2 })).toEqual(because(/"page".*at limit/s))
  expect(await refused('listEvents', { since: 'yesterday' })).toEqual(because(/at since/))
  expect(api.requests).toEqual([])
})

test('returns a refusal of the API as a result with its code, details and request id', async () => {
  const assistant = await start(merchant())
  const error = {
    code: 'invalid_request',
    message: 'No.',
    request_id: 'req_9',
    details: [{ field: 'cursor' }],
  }
  api.setAnswer({ status: 400, body: { error } })
  const { isError, content, structuredContent } = await assistant.call('listWebhooks', { cursor: 'x' })
  expect(isError).toBe(true)
  expect(structuredContent).toMatchObject({
    error: { code: 'invalid_request', request_id: 'req_9', details: [{ field: 'cursor' }] },
  })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
})

test('reports that the API is unreachable for calls and for the list, and reveals or logs no secret', async () => {
  const assistant = await start(partner())
  expect(await names(assistant)).toContain('listCustomers')
  await api.stop()
  const { isError, structuredContent } = await assistant.call('listCustomers')
  const told = { code: 'unreachable', message: expect.stringContaining('Is CAUSEWAY_BASE_URL right') }
  expect([isError, structuredContent]).toEqual([true, { error: told }])
  const another = await start(partner())
  await expect(another.tools()).rejects.toThrow('Is CAUSEWAY_BASE_URL right')
  const printed = assistant.log() + another.log() + JSON.stringify(structuredContent)
  expect(printed).toContain('"event":"failure"')
  expect(printed).not.toMatch(new RegExp(`${SECRET}|secret-token`))
  api = await startRecordingApi()
})

test('names the parts of whyNotLive that the token does not allow', async () => {
  api.setScopes('customers:read kyb:read')
  api.setData({ capabilities: [], verification: { status: 'draft' }, requirements: [] })
  const assistant = await start(partner())
  const { structuredContent } = await assistant.call('whyNotLive', { customerId: CUSTOMER })
  expect(structuredContent).toMatchObject({
    verification: { status: 'draft' },
    not_read: ['listDocuments needs documents:read', 'listAgreements needs agreements:read'],
  })
  expect(structuredContent).not.toHaveProperty('documents')
})

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')
const run = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const running = promisify(execFile)(process.execPath, ['--conditions=platform-source', MAIN, ...args], {
    env,
  })
  return running.catch((error: unknown) => error as { code: number; stdout: string; stderr: string })
}

test('names invalid settings at the start, without their values', async () => {
  const both = { CAUSEWAY_BASE_URL: 'ftp://x', CAUSEWAY_API_KEY: SECRET, CAUSEWAY_CLIENT_ID: 'cli_1' }
  expect(await run({})).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `CAUSEWAY_BASE_URL is missing: the address of the platform
CAUSEWAY_CLIENT_ID is missing, or CAUSEWAY_API_KEY in place of the client
CAUSEWAY_CLIENT_SECRET is missing, or CAUSEWAY_API_KEY in place of the client
`,
  })
  expect(await run(both)).toMatchObject({
    code: 1,
    stderr: `CAUSEWAY_BASE_URL is no address: it begins with https://
CAUSEWAY_API_KEY is set together with CAUSEWAY_CLIENT_ID or CAUSEWAY_CLIENT_SECRET: remove one of them
`,
  })
  expect(await run({}, '--version')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no'),
  })
  expect((await run({}, '--help')).stdout).toContain('CAUSEWAY_CLIENT_SECRET')
})
