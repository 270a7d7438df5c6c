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

  test('tells what one unit is worth, as of now', async () => {
    const { baseUrl, asked } = await answering(answer)
    expect(await coinbase(baseUrl).rate('BTC', 'EUR')).toEqual({
      price: '61234.505',
      at: NOW,
      source: 'coinbase',
    })
    expect(asked).toEqual(['/v2/exchange-rates?currency=BTC'])
  })

  test('quotes no currency that is not in its list, whatever it is called', async () => {
    const source = coinbase((await answering(answer)).baseUrl)
    expect(await source.rate('BTC', 'CHF')).toBeNull()
    expect(await source.rate('BTC', 'toString')).toBeNull()
  })

  test('is malformed with an invalid price or a different asset', async () => {
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

  test('tells what one unit is worth, and when it was so', async () => {
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

  test('with a price that is no plain decimal, without a time, or without the asset is malformed', async () => {
    const source = coingecko((await answering(answer)).baseUrl)
    for (const [asset, currency] of [
      ['BTC', 'USD'],
      ['XRP', 'EUR'],
      ['SOL', 'EUR'],
    ] as const)
      await expect(source.rate(asset, currency)).rejects.toMatchObject({ failure: 'malformed' })
  })

  test('that has had enough of us is throttled', async () => {
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

  test('that agree give the price of the first, as old as the older, and name both', async () => {
    expect(await agreed(first('102'), second('100'))).toEqual({
      price: '102',
      at: older,
      source: 'one, other',
    })
    expect(await agreed(first('0.00000000000098'), second('0.00000000000099'))).toMatchObject({
      price: '0.00000000000098',
    })
  })

  test('that differ by more give none, whichever is the outlier', async () => {
    await expect(agreed(first('102.000001'), second('100'))).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringContaining('one and other differ by more than 2 %: 102.000001 and 100 EUR'),
    })
    await expect(agreed(first('100'), second('61000'))).rejects.toMatchObject({ failure: 'unavailable' })
  })

  test('of which one does not quote the pair do not; of which one fails, fail', async () => {
    expect(await agreed(first('100'), null)).toBeNull()
    expect(await agreed(null, second('100'))).toBeNull()
    await expect(agreed(first('100'), new Error('away'))).rejects.toThrow('away')
  })
})
