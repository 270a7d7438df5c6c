import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterEach, expect, test } from '@jest/globals'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { z } from 'zod'
import { createJsonRpcEndpoint, type EndpointOptions, type JsonRpcEndpoint } from './endpoint.ts'
import { createJsonRpcEndpoints } from './endpoints.ts'

type Handler = (body: string, response: ServerResponse, request: IncomingMessage) => void

const OPTIONS: EndpointOptions = { timeoutMs: 60_000, maxAnswerBytes: 1_000, maxBatch: 2 }
const stops: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const listen = async (handler: Handler): Promise<string> => {
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    void readText(request).then((body) => handler(body, response, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const open = (address: string, options: Partial<EndpointOptions> = {}): JsonRpcEndpoint => {
  const endpoint = createJsonRpcEndpoint(address, { ...OPTIONS, ...options })
  stops.push(endpoint.close)
  return endpoint
}

type Call = { id: number; method: string; params: unknown[] }
const result = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: `${method} ${id}` })
const answers: Handler = (body, response) => {
  const asked = JSON.parse(body) as Call | Call[]
  response.end(JSON.stringify(Array.isArray(asked) ? asked.map(result).toReversed() : result(asked)))
}
const always =
  (status: number, body: string, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

const call = (method: string) => ({ method, params: [], shape: z.string() })
const failureOf = async (asked: Promise<unknown>): Promise<Record<string, unknown>> => {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  return { ...(error as object), message: error.message }
}

test('gives each call of a batch its own result, in any order and split of the answers', async () => {
  const bodies: string[] = []
  const endpoint = open(
    `http://${await listen((body, response, request) => {
      bodies.push(body)
      answers(body, response, request)
    })}`,
  )
  expect(await endpoint.batch([call('a'), call('b'), call('c')])).toEqual(['a 0', 'b 1', 'c 0'])
  expect(await endpoint.call(call('d'))).toBe('d 0')
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toHaveLength(3)
  expect(await endpoint.batch([])).toEqual([])
})

test('sends user and password as Basic authentication, and the path unchanged', async () => {
  const seen: unknown[] = []
  const address = await listen((body, response, request) => {
    seen.push(request.headers.authorization, request.url)
    answers(body, response, request)
  })
  await open(`http://us%40er:pass@${address}/v3/key?token=x`).call(call('a'))
  expect(seen).toEqual([`Basic ${Buffer.from('us@er:pass').toString('base64')}`, '/v3/key?token=x'])
})

test.each([
  ['a page with 200', always(200, '<html>'), 'unavailable', true],
  ['half an answer', always(200, '{"jsonrpc":"2.0","id":0,"resu'), 'unavailable', true],
  ['another shape', always(200, '{"id":0,"result":5}'), 'malformed', false],
  [
    'too long an answer',
    always(200, JSON.stringify({ id: 0, result: 'x'.repeat(1_000) })),
    'malformed',
    false,
  ],
  ['a server error', always(503, 'busy'), 'unavailable', true],
  ['an unknown key', always(401, ''), 'refused', false],
  ['a throttle', always(429, ''), 'throttled', true],
  [
    'the limit of EIP-1474',
    always(200, '{"id":0,"error":{"code":-32005,"message":"limit"}}'),
    'throttled',
    true,
  ],
  ['an unknown method', always(404, '{"id":0,"error":{"code":-32601,"message":"no"}}'), 'refused', false],
  [
    'a node that starts',
    always(500, '{"id":0,"result":null,"error":{"code":-28,"message":"Loading"}}'),
    'unavailable',
    true,
  ],
] as const)('reports %s as the failure %s', async (_, handler, failure, retryable) => {
  const endpoint = open(`http://${await listen(handler)}`)
  expect(await failureOf(endpoint.call(call('a')))).toMatchObject({ failure, retryable })
})

test('distinguishes a cut answer, silence and a closed port', async () => {
  const cut = await listen((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"id":0')
    setImmediate(() => response.destroy())
  })
  const silent = await listen(() => undefined)
  expect(await failureOf(open(`http://${cut}`).call(call('a')))).toMatchObject({ failure: 'reset' })
  expect(await failureOf(open(`http://${silent}`, { timeoutMs: 50 }).call(call('a')))).toMatchObject({
    failure: 'timeout',
  })
  for (const stop of stops.splice(0)) await stop()
  expect(await failureOf(open(`http://${cut}`).call(call('a')))).toMatchObject({ failure: 'unreachable' })
})

test("states the node's code, method, host and text in errors, and no secret of the address", async () => {
  const address = await listen(
    (_, response, request) =>
      void response.writeHead(500).end(
        JSON.stringify({
          id: 0,
          error: { code: -8, message: `no ${request.url} for satoshi:hunter2hunter` },
        }),
      ),
  )
  const endpoint = open(`http://satoshi:hunter2hunter@${address}/v3/0123456789abcdef?key=fedcba98`)
  expect(await failureOf(endpoint.call(call('getblock')))).toMatchObject({
    code: -8,
    failure: 'refused',
    message: `${address} getblock: -8 no /v3/***?key=*** for ***:***`,
  })
  const silent = open(`http://satoshi:hunter2hunter@${await listen(() => undefined)}/v3/0123456789abcdef`, {
    timeoutMs: 50,
  })
  expect((await failureOf(silent.call(call('getblock'))))['message']).toMatch(
    /^127\.0\.0\.1:\d+ getblock: timeout$/,
  )
  expect(() => createJsonRpcEndpoints(['0123456789abcdef'], OPTIONS)).toThrow(
    /^address 1 is not an http or https address$/,
  )
})

test.each([
  ['seconds', { 'retry-after': '3' }],
  ['a date', { 'retry-after': 'Mon, 23 Nov 2026 08:00:03 GMT', date: 'Mon, 23 Nov 2026 08:00:00 GMT' }],
])('does not call an endpoint during the pause that it requested by %s', async (_, headers) => {
  let nowMs = 0
  let asked = 0
  const address = await listen((...request) => {
    asked += 1
    if (asked === 1) always(429, '', headers)(...request)
    else answers(...request)
  })
  const endpoint = open(`http://${address}`, { nowMs: () => nowMs })
  expect(await failureOf(endpoint.call(call('a')))).toMatchObject({ failure: 'throttled' })
  nowMs = 2_999
  expect(await failureOf(endpoint.call(call('a')))).toMatchObject({ failure: 'throttled' })
  expect(asked).toBe(1)
  nowMs = 3_000
  expect(await endpoint.call(call('a'))).toBe('a 0')
})

test("throws the caller's own reason after an abort", async () => {
  const endpoint = open(`http://${await listen(() => undefined)}`)
  const stopping = new AbortController()
  const reason = new Error('stopping')
  const asked = endpoint.call(call('a'), stopping.signal)
  stopping.abort(reason)
  await expect(asked).rejects.toBe(reason)
})

test('calls the next endpoint when one fails, and from then on the one that answered first', async () => {
  let asked = 0
  const failing = await listen((...request) => {
    asked += 1
    always(503, '')(...request)
  })
  const endpoints = createJsonRpcEndpoints([`http://${failing}`, `http://${await listen(answers)}`], OPTIONS)
  stops.push(endpoints.close)
  for (let turn = 0; turn < 3; turn += 1)
    expect(await endpoints.first((endpoint) => endpoint.call(call('a')))).toBe('a 0')
  expect(asked).toBe(1)
  const all = await endpoints.all((endpoint) => endpoint.call(call('a')))
  expect(all.map((answer) => ('value' in answer ? answer.value : answer.error.failure))).toEqual([
    'unavailable',
    'a 0',
  ])
})

test('says whether a retry can help when all endpoints fail', async () => {
  const endpoints = createJsonRpcEndpoints(
    [`http://${await listen(always(503, ''))}`, `http://${await listen(always(401, ''))}`],
    OPTIONS,
  )
  stops.push(endpoints.close)
  expect(await failureOf(endpoints.first((endpoint) => endpoint.call(call('a'))))).toMatchObject({
    failure: 'unavailable',
  })
})
