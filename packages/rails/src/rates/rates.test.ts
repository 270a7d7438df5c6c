import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { RailError } from '../rail-error.ts'
import { createFixedRateSource } from './fixed.ts'
import { createHttpRateSource } from './http.ts'
import type { RateSource } from './source.ts'

const START = new Date('2026-11-21T12:00:00.000Z')
const CACHE_MS = 10_000
const MAX_AGE_MS = 60_000
let now = START
const stops: (() => Promise<unknown>)[] = []

afterEach(async () => {
  now = START
  for (const stop of stops.splice(0)) await stop()
})

const listen = async (handler: RequestListener): Promise<string> => {
  const server: Server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rates`
}

const httpSource = (url: string, timeoutMs = 30_000): RateSource => {
  const source = createHttpRateSource({
    url,
    now: () => now,
    timeoutMs,
    cacheMs: CACHE_MS,
    maxAgeMs: MAX_AGE_MS,
  })
  stops.push(source.close)
  return source
}

/** A rate service with the contract of the HTTP source, over the fixed table. */
const rateService = () => {
  const table = createFixedRateSource({ now: () => now })
  const seen: string[] = []
  const mode = { status: 200 }
  const handler: RequestListener = (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const asset = searchParams.get('asset') as 'BTC'
    const currency = searchParams.get('currency') ?? ''
    seen.push(`${asset}/${currency}`)
    void table.rate(asset, currency).then((rate) => {
      const status = rate === null ? 404 : mode.status
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(rate && { asset, currency, price: rate.price, at: rate.at.toISOString() }))
    })
  }
  return { handler, seen, mode }
}

describe.each([
  ['fixed table', async () => createFixedRateSource({ now: () => now })],
  ['HTTP', async () => httpSource(await listen(rateService().handler))],
])('every rate source: %s', (_, start: () => Promise<RateSource>) => {
  test('returns the price of one unit and its time', async () => {
    const source = await start()
    expect(await source.rate('BTC', 'EUR')).toEqual({ price: '60000', at: START, source: expect.any(String) })
    expect(await source.rate('XRP', 'USD')).toEqual({ price: '0.54', at: START, source: expect.any(String) })
    expect(await source.rate('SOL', 'JPY')).toEqual({ price: '23100', at: START, source: expect.any(String) })
  })

  test('answers null for a currency that it does not quote', async () => {
    expect(await (await start()).rate('BTC', 'XXX')).toBeNull()
  })
})

describe('HTTP rate source', () => {
  const failure = async (handler: RequestListener, timeoutMs?: number): Promise<string> => {
    const asked = httpSource(await listen(handler), timeoutMs).rate('BTC', 'EUR')
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(error instanceof RailError)) throw new Error('no RailError')
    return error.failure
  }
  const answer = (body: unknown, status = 200) =>
    failure((_, response) => void response.writeHead(status).end(JSON.stringify(body)))
  const good = { asset: 'BTC', currency: 'EUR', price: '60000', at: START.toISOString() }

  test('requests a pair once within the cache time, for any number of concurrent callers', async () => {
    const service = rateService()
    const source = httpSource(await listen(service.handler))
    await Promise.all(Array.from({ length: 20 }, () => source.rate('BTC', 'EUR')))
    await source.rate('BTC', 'EUR')
    expect(service.seen).toEqual(['BTC/EUR'])
    now = new Date(START.getTime() + CACHE_MS)
    await source.rate('BTC', 'EUR')
    expect(service.seen).toEqual(['BTC/EUR', 'BTC/EUR'])
  })

  test('returns the last price while the service fails, but never past its maximum age', async () => {
    const service = rateService()
    const source = httpSource(await listen(service.handler))
    await source.rate('BTC', 'EUR')
    service.mode.status = 500
    now = new Date(START.getTime() + MAX_AGE_MS)
    expect(await source.rate('BTC', 'EUR')).toEqual({ price: '60000', at: START, source: expect.any(String) })
    now = new Date(START.getTime() + MAX_AGE_MS + 1)
    await expect(source.rate('BTC', 'EUR')).rejects.toMatchObject({ failure: 'unavailable', retryable: true })
  })

  test('does not use a price that is already too old', async () => {
    expect(await answer({ ...good, at: '2026-11-21T11:58:59.999Z' })).toBe('unavailable')
  })

  test.each([
    ['a price that is zero', { ...good, price: '0.00' }],
    ['a price that is a number', { ...good, price: 60000 }],
    ['a price with an exponent', { ...good, price: '6e4' }],
    ['another pair', { ...good, currency: 'USD' }],
    ['no time', { ...good, at: undefined }],
    ['more than the bound', { ...good, note: 'x'.repeat(5_000) }],
  ])('reports an answer with %s as malformed', async (_, body) => {
    expect(await answer(body)).toBe('malformed')
  })

  test('reports an answer that is not JSON as malformed', async () => {
    expect(await failure((_, response) => void response.end('<html>'))).toBe('malformed')
  })

  test('distinguishes statuses, silence and a closed connection', async () => {
    expect(await answer({}, 503)).toBe('unavailable')
    expect(await answer({}, 429)).toBe('throttled')
    expect(await answer({}, 403)).toBe('refused')
    expect(await failure(() => undefined, 50)).toBe('timeout')
    expect(await failure((request) => void request.socket.destroy())).toBe('reset')
  })

  test('reports a service that does not listen as unreachable', async () => {
    const url = await listen(() => undefined)
    for (const stop of stops.splice(0)) await stop()
    await expect(httpSource(url).rate('BTC', 'EUR')).rejects.toMatchObject({ failure: 'unreachable' })
  })
})
