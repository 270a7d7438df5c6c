import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createAgreedRateSource } from './agreed.ts'
import { createCoinbaseRateSource } from './coinbase.ts'
import { createCoingeckoRateSource } from './coingecko.ts'
import type { Rate, RateSource } from './source.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A server with one answer. @returns its address, and the paths that it was asked for */
const answering = async (body: unknown, status = 200) => {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
const kept = (source: RateSource): RateSource => {
  stops.push(source.close)
  return source
}
const coinbase = (baseUrl: string) =>
  kept(createCoinbaseRateSource({ baseUrl, timeoutMs: 30_000, now: () => NOW }))
const coingecko = (baseUrl: string) => kept(createCoingeckoRateSource({ baseUrl, timeoutMs: 30_000 }))

describe('Coinbase', () => {
  const answer = { data: { currency: 'BTC', rates: { EUR: '61234.505', USD: '1e5', GBP: '0.00' } } }

  test('returns the price of one unit as of now', async () => {
    const { baseUrl, asked } = await answering(answer)
    expect(await coinbase(baseUrl).rate('BTC', 'EUR')).toEqual({
      price: '61234.505',
      at: NOW,
      source: 'coinbase',
    })
    expect(asked).toEqual(['/v2/exchange-rates?currency=BTC'])
  })

  test('quotes no currency outside its list, including names of object properties', async () => {
    const source = coinbase((await answering(answer)).baseUrl)
    expect(await source.rate('BTC', 'CHF')).toBeNull()
    expect(await source.rate('BTC', 'toString')).toBeNull()
  })

  test('reports an invalid price or a different asset as malformed', async () => {
    const source = coinbase((await answering(answer)).baseUrl)
    for (const [asset, currency] of [
      ['BTC', 'USD'],
      ['BTC', 'GBP'],
      ['ETH', 'EUR'],
    ] as const)
      await expect(source.rate(asset, currency)).rejects.toMatchObject({ failure: 'malformed' })
  })
})

describe('CoinGecko', () => {
  const updatedAt = NOW.getTime() / 1_000 - 40
  const answer = { bitcoin: { eur: 61000.25, usd: 1e-9, last_updated_at: updatedAt }, ripple: { eur: 0.5 } }

  test('returns the price of one unit and its time', async () => {
    const { baseUrl, asked } = await answering(answer)
    expect(await coingecko(baseUrl).rate('BTC', 'EUR')).toEqual({
      price: '61000.25',
      at: new Date('2026-11-21T11:59:20.000Z'),
      source: 'coingecko',
    })
    expect(asked).toEqual([
      '/api/v3/simple/price?ids=bitcoin&vs_currencies=eur&include_last_updated_at=true&precision=full',
    ])
  })

  test('quotes no currency that is missing', async () => {
    expect(await coingecko((await answering(answer)).baseUrl).rate('BTC', 'CHF')).toBeNull()
  })

  test('reports an answer without the asset, a time or a plain decimal price as malformed', async () => {
    const source = coingecko((await answering(answer)).baseUrl)
    for (const [asset, currency] of [
      ['BTC', 'USD'],
      ['XRP', 'EUR'],
      ['SOL', 'EUR'],
    ] as const)
      await expect(source.rate(asset, currency)).rejects.toMatchObject({ failure: 'malformed' })
  })

  test('reports a 429 answer as throttled', async () => {
    const { baseUrl } = await answering({ status: { error_code: 429 } }, 429)
    await expect(coingecko(baseUrl).rate('BTC', 'EUR')).rejects.toMatchObject({ failure: 'throttled' })
  })
})

describe('two sources', () => {
  const saying = (rate: Rate | null | Error): RateSource => ({
    rate: () => (rate instanceof Error ? Promise.reject(rate) : Promise.resolve(rate)),
    close: () => Promise.resolve(),
  })
  const older = new Date(NOW.getTime() - 50_000)
  const first = (price: string): Rate => ({ price, at: NOW, source: 'one' })
  const second = (price: string): Rate => ({ price, at: older, source: 'other' })
  const agreed = (one: Rate | null | Error, other: Rate | null | Error) =>
    createAgreedRateSource([saying(one), saying(other)], { maxDifference: 0.02 }).rate('BTC', 'EUR')

  test('return the price of the first and the time of the older, and name both, when they agree', async () => {
    expect(await agreed(first('102'), second('100'))).toEqual({
      price: '102',
      at: older,
      source: 'one, other',
    })
    expect(await agreed(first('0.00000000000098'), second('0.00000000000099'))).toMatchObject({
      price: '0.00000000000098',
    })
  })

  test('return no price when they differ by more, whichever is the outlier', async () => {
    await expect(agreed(first('102.000001'), second('100'))).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringContaining('one and other differ by more than 2 %: 102.000001 and 100 EUR'),
    })
    await expect(agreed(first('100'), second('61000'))).rejects.toMatchObject({ failure: 'unavailable' })
  })

  test('return null when one does not quote the pair, and fail when one fails', async () => {
    expect(await agreed(first('100'), null)).toBeNull()
    expect(await agreed(null, second('100'))).toBeNull()
    await expect(agreed(first('100'), new Error('away'))).rejects.toThrow('away')
  })
})
