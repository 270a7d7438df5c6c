import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ConnectionError, createPartnerClient, type FileSource } from '../src/index.ts'
import { cut, data, json, refusal, silence, startServer, type Server } from './misbehaving-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())
const client = () => createPartnerClient({ baseUrl: server.baseUrl, token: () => Promise.resolve('t') })

describe('a list', () => {
  const pages = [
    data({ orders: [{ id: 'a' }, { id: 'b' }], next_cursor: 'c1' }),
    data({ orders: [], next_cursor: 'c2' }),
    data({ orders: [{ id: 'c' }], next_cursor: null }),
  ]

  test('yields every item, and requests a page when it is needed', async () => {
    server.will(...pages)
    const seen: string[] = []
    for await (const { id } of client().listCryptoOrders.all({ customerId: 'x/y', limit: 2 })) {
      seen.push(`${id} ${server.hits.length}`)
    }
    expect(seen).toEqual(['a 1', 'b 1', 'c 3'])
    expect(server.hits.map(({ url }) => url.slice('/api/v1/partner/customers/'.length))).toEqual([
      'x%2Fy/orders?limit=2',
      'x%2Fy/orders?limit=2&before=c1',
      'x%2Fy/orders?limit=2&before=c2',
    ])
  })

  test('requests no further page when the loop is left early', async () => {
    server.will(...pages)
    for await (const page of client().listCryptoOrders.pages({ customerId: 'x' })) {
      expect(page.orders).toHaveLength(2)
      break
    }
    expect(server.hits.length).toBe(1)
  })
})

test('follows the feed from an event on, and continues behind the last page after a lost connection', async () => {
  const page = (ids: string[], next: string | null, resume: string | null) =>
    data({ events: ids.map((id) => ({ event_id: id })), next_cursor: next, resume_after: resume })
  server.will(page(['e2', 'e3'], 'e3', 'e3'), cut, page(['e4'], null, 'e5'), page(['e6'], null, 'e6'))
  const seen: string[] = []
  for await (const { event_id: id } of client().followEvents({ after: 'e1', types: 'payment.confirmed' })) {
    seen.push(id)
    if (id === 'e6') break
  }
  expect(seen).toEqual(['e2', 'e3', 'e4', 'e6'])
  const query = (after: string) => `/api/v1/partner/events?types=payment.confirmed&after=${after}&wait=30`
  expect(server.hits.map(({ url }) => url)).toEqual(['e1', 'e3', 'e3', 'e5'].map(query))
})

test('refuses an empty parameter before it becomes another path', async () => {
  server.will(data({}))
  await expect(client().getCustomer({ customerId: '' })).rejects.toThrow('customerId is missing')
  await client().getCustomer({ customerId: '../webhooks' })
  expect(server.hits.map(({ url }) => url)).toEqual(['/api/v1/partner/customers/..%2Fwebhooks'])
})

test('accepts an answer without content from the platform only', async () => {
  const end = { customerId: 'x', onboardingLinkId: 'y' }
  server.will((response) => response.writeHead(204, { 'x-request-id': 'req_7' }).end())
  expect(await client().endOnboardingLink.reply(end)).toMatchObject({ status: 204, requestId: 'req_7' })
  server.will((response) => response.writeHead(204).end())
  await expect(client().endOnboardingLink(end)).rejects.toMatchObject({ code: 'unexpected_answer' })
})

test('returns a reply with the status, the request id and whether it is a replay', async () => {
  server.will((response) =>
    response
      .writeHead(201, { 'content-type': 'application/json', 'idempotent-replayed': 'true' })
      .end('{"request_id":"req_7","api_version":"2026-11-01","data":{"order_key":"7"}}'),
  )
  expect(await client().createRefund.reply({ orderKey: '7', body: { amount_cents: 1 } })).toMatchObject({
    data: { order_key: '7' },
    status: 201,
    requestId: 'req_7',
    isReplayed: true,
  })
})

// oxlint-disable-next-line typescript/no-deprecated -- a form that this test has made itself
const parsed = (response: Response) => response.formData()

describe('an upload', () => {
  const BYTES = new TextEncoder().encode('%PDF-1.4\n%%EOF\n')
  const sources: [string, () => FileSource][] = [
    ['bytes', () => BYTES],
    ['a blob', () => new Blob([BYTES])],
    ['a stream', () => new Blob([BYTES]).stream()],
    ['a stream of Node', () => Readable.from([BYTES])],
  ]
  const upload = (file: FileSource | (() => FileSource)) =>
    client().uploadDocument({
      customerId: 'x',
      body: { document_type: 'director_id', file, file_name: 'a"\r\n.pdf' },
    })

  test.each(sources)('sends a form with the file from %s', async (_, source) => {
    server.will(data({}, 201))
    await upload(source())
    const { headers, body } = server.hits[0] ?? { headers: {}, body: '' }
    const form = await parsed(
      new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }),
    )
    expect(form.get('document_type')).toBe('director_id')
    const file = form.get('file') as File
    expect(body).toContain('filename="a%22%0D%0A.pdf"')
    expect([file.name, await file.text()]).toEqual(['a"\r\n.pdf', '%PDF-1.4\n%%EOF\n'])
  })

  const busy = refusal(503, 'temporarily_unavailable', { 'retry-after': '0' })
  test('is retried after a 503 when its source can be read again, and never after a lost answer', async () => {
    server.will(busy, data({ ok: 1 }, 201))
    expect(await upload(() => new Blob([BYTES]).stream())).toEqual({ ok: 1 })
    expect(server.hits[0]?.body.replaceAll(/causeway-[\w-]+/g, '')).toBe(
      server.hits[1]?.body.replaceAll(/causeway-[\w-]+/g, ''),
    )
    server.will(busy, data({ ok: 1 }, 201))
    await expect(upload(new Blob([BYTES]).stream())).rejects.toMatchObject({ status: 503 })
    expect(server.hits.length).toBe(1)
    server.will(cut)
    await expect(upload(BYTES)).rejects.toMatchObject({ name: 'ConnectionError', isSent: true })
    expect(server.hits.length).toBe(1)
  })

  test('fails with the error of a stream that breaks off', async () => {
    server.will(data({}, 201))
    const broken = async function* () {
      yield BYTES
      await Promise.resolve()
      throw new Error('disk gone')
    }
    await expect(upload(broken())).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(/^The file could not be read/),
      cause: { message: 'disk gone' },
    })
  })

  test('fails for a missing file without ending the process, whenever the file is opened', async () => {
    server.will(data({}, 201))
    const missing = () => createReadStream(join(import.meta.dirname, 'missing'))
    for (const file of [() => missing, missing])
      await expect(upload(file())).rejects.toMatchObject({ cause: { code: 'ENOENT' } })
    const away = createPartnerClient({
      baseUrl: 'http://127.0.0.1:1',
      maxRetries: 0,
      token: () => Promise.resolve('t'),
    })
    const body = { document_type: 'other' as const, file: missing() }
    await expect(away.uploadDocument({ customerId: 'x', body })).rejects.toBeInstanceOf(ConnectionError)
    const unopened = () => {
      throw new Error('no file chosen')
    }
    await expect(upload(unopened)).rejects.toThrow('no file chosen')
  })

  test('closes the stream that it reads from when it is aborted', async () => {
    let ended = 0
    const endless = async function* () {
      try {
        for (;;) yield await Promise.resolve(BYTES)
      } finally {
        ended += 1
      }
    }
    server.will(silence)
    const body = { document_type: 'other' as const, file: endless() }
    const signal = AbortSignal.timeout(200)
    await expect(client().uploadDocument({ customerId: 'x', body }, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    while (ended === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })
})

test.each([null, { ok: true }, 'text'])(
  'rejects a 200 answer that is not the platform’s: %j',
  async (body) => {
    server.will(json(200, body))
    const once = createPartnerClient({
      baseUrl: server.baseUrl,
      maxRetries: 0,
      token: () => Promise.resolve('t'),
    })
    await expect(once.listCustomers()).rejects.toMatchObject({
      name: 'ApiError',
      status: 200,
      code: 'unexpected_answer',
    })
  },
)

test.each(['payments.example', '', 'https://me:secret@payments.example'])(
  'refuses an invalid base URL immediately and does not repeat it: %j',
  (baseUrl) => {
    const create = () => createPartnerClient({ baseUrl, token: () => Promise.resolve('t') })
    expect(create).toThrow(new TypeError('baseUrl is no address such as https://payments.example'))
  },
)

test('treats undefined as absent in options, queries and bodies', async () => {
  server.will(data({}))
  const options = { baseUrl: server.baseUrl, clientId: 'cli_1', clientSecret: 's', scope: undefined }
  const partner = createPartnerClient({ ...options, log: undefined, maxRetries: undefined })
  await partner.listCustomers({ limit: 1, cursor: undefined }, { signal: undefined })
  expect(server.hits[0]?.url).toBe('/api/v1/partner/customers?limit=1')
  const body = { amount_cents: 5, description: undefined }
  await partner.createRefund({ orderKey: '7', body })
  expect(server.hits[1]?.body).toBe('{"amount_cents":5}')
})
