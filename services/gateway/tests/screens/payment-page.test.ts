import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { request } from 'undici'
import { eventually } from '@causeway/chassis/testing'
import { KNOWN_ORDER } from '../fixtures/script.ts'
import { openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { readEvents } from './event-reader.ts'

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(async () => {
  await fixture.close()
})
beforeEach(() => {
  Object.assign(fixture.script.page, { status: 'pending', version: 'one' })
})

const PAGE = `/pay/${KNOWN_ORDER}`
const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';form-action 'self';" +
  "base-uri 'none';frame-ancestors 'none'"

const open = (lastEventId?: string) => readEvents(`${gateway.origin}${PAGE}/events`, lastEventId)
const idsOf = ({ messages }: Awaited<ReturnType<typeof open>>) =>
  messages.filter(({ event }) => event === 'order').map(({ id }) => id)

describe('a screen', () => {
  test('loads only files of the same origin, and forbids frames and caches', async () => {
    const { status, headers } = await gateway.call('GET', PAGE)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })

  test('is shown without a brand, and without a wait, while onboarding is unavailable', async () => {
    const { status, text } = await gateway.call('GET', PAGE)
    expect(status).toBe(200)
    expect(text).toContain('Pay with crypto')
    expect(text).not.toContain('/logos/')
  })

  test('serves the style sheet of a colour, and of nothing else', async () => {
    const style = await gateway.call('GET', '/screens/accent-ffd400.css')
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(style.headers['x-content-type-options']).toBe('nosniff')
    expect(style.text).toContain('--fill: #ffd400; --on-fill: #000000;')
    expect((await gateway.call('GET', '/screens/accent-ffd400%7D.css')).status).toBe(404)
  })

  test('serves every file that the page names', async () => {
    const { text } = await gateway.call('GET', PAGE)
    const files = [...text.matchAll(/(?:src|href)="(\/screens\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(files).toHaveLength(4)
    for (const file of [...files, '/screens/htmx.js', '/screens/live-part.js']) {
      const answer = await gateway.call('GET', file)
      expect([file, answer.status]).toEqual([file, 200])
    }
    expect((await gateway.call('GET', '/screens/../package.json')).status).toBe(404)
  })

  test('has errors that people can read', async () => {
    const missing = await gateway.call('GET', `/pay/${newId('cryptoOrder')}`)
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(missing.text).toContain('Payment not found')
    const unknown = await gateway.call('GET', '/console/no-such-page')
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(unknown.text).toContain('href="/console"')
    const wrongMethod = await gateway.call('DELETE', PAGE)
    expect([wrongMethod.status, wrongMethod.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(wrongMethod.text).toContain('This action is not supported here')
    const notOfPeople = await gateway.call('GET', '/consoles')
    expect([notOfPeople.status, notOfPeople.headers['content-type']]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
    const limited = await fixture.startReplica({ limits: { ratePerSecond: 0.001, burst: 1 } })
    await limited.call('GET', PAGE)
    const refused = await limited.call('GET', PAGE)
    expect([refused.status, refused.headers['content-security-policy']]).toEqual([429, POLICY])
    expect(refused.text).toContain('Too many requests')
    await limited.stop()
  })
})

describe('the language of a page', () => {
  const read = (path: string, accept?: string) =>
    gateway.call('GET', path, accept === undefined ? {} : { headers: { 'accept-language': accept } })
  const languageOf = async (path: string, accept?: string) => {
    const { headers, text } = await read(path, accept)
    expect([headers['vary'], headers['set-cookie']]).toEqual(['Accept-Language', undefined])
    expect(text).toContain(`<html lang="${String(headers['content-language'])}"`)
    return headers['content-language']
  }

  test('is that of the URL, else one that the browser accepts, else English, and sets no cookie', async () => {
    expect(await languageOf(`${PAGE}?lang=ja`, 'de')).toBe('ja')
    expect(await languageOf(`${PAGE}?lang=xx`, 'de')).toBe('de')
    expect(await languageOf(PAGE, 'sv, de-AT;q=0.8, fr;q=0.9')).toBe('fr')
    expect(await languageOf(PAGE, 'de-AT')).toBe('de')
    expect(await languageOf(PAGE, 'zh-Hant-TW, en;q=0.5')).toBe('zh')
    expect(await languageOf(PAGE, 'sv')).toBe('en')
    expect(await languageOf(PAGE, ';;q=,-')).toBe('en')
    expect(await languageOf(PAGE)).toBe('en')
  })

  test('is also that of error pages and of the stream, and pages for staff stay English', async () => {
    expect(await languageOf(`/pay/${newId('cryptoOrder')}`, 'nl')).toBe('nl')
    expect(await languageOf(`/onboarding/${'a'.repeat(43)}?lang=pl`)).toBe('pl')
    const wrongMethod = await gateway.call('DELETE', `${PAGE}?lang=de`)
    expect(wrongMethod.text).toContain('Diese Aktion ist hier nicht möglich')
    const noForm = await gateway.call('GET', `${PAGE}/purchase?lang=de`)
    expect([noForm.status, noForm.text]).toEqual([405, expect.stringContaining(`href="${PAGE}?lang=de"`)])
    const stream = await readEvents(`${gateway.origin}${PAGE}/events?lang=de`)
    await eventually(() => idsOf(stream).length === 1)
    expect(stream.headers['content-language']).toBe('de')
    expect(stream.messages[0]?.data).toContain('Wir warten auf Ihre Zahlung')
    await stream.close()
    const staff = await read('/console/sign-in', 'de')
    expect([staff.headers['content-language'], staff.text.includes('<html lang="en"')]).toEqual([
      undefined,
      true,
    ])
  })
})

describe('the stream of an order', () => {
  test('sends the order immediately and after each change, each under its version', async () => {
    const stream = await open()
    expect(stream.headers['content-type']).toBe('text/event-stream')
    await eventually(() => idsOf(stream).length === 1)
    fixture.script.page.version = 'two'
    await eventually(() => idsOf(stream).length === 2)
    expect(idsOf(stream)).toEqual(['one', 'two'])
    expect(stream.messages[0]?.data).toContain('Waiting for your payment')
    await stream.close()
  })

  test('sends a browser that comes back only what it has not seen', async () => {
    const [current, behind] = [await open('one'), await open('another')]
    await eventually(() => idsOf(behind).length === 1)
    fixture.script.page.version = 'two'
    await eventually(() => idsOf(current).length === 1)
    expect(idsOf(current)).toEqual(['two'])
    await Promise.all([current.close(), behind.close()])
  })

  test('ends after a final state and announces it', async () => {
    fixture.script.page.status = 'paid'
    const stream = await open()
    await stream.ended
    expect(stream.messages.map(({ event }) => event)).toEqual(['order', 'end'])
  })

  test('is limited to 200 for one caller behind a proxy, so that another caller gets one', async () => {
    const replica = await fixture.startReplica({ trustedProxies: 1 })
    const openFrom = (address: string) =>
      request(`${replica.origin}/pay/${KNOWN_ORDER}/events`, { headers: { 'x-forwarded-for': address } })
    const taken = await Promise.all(Array.from({ length: 200 }, () => openFrom('192.0.2.1')))
    expect(taken.filter(({ statusCode }) => statusCode === 200)).toHaveLength(200)
    const [refused, other] = [await openFrom('192.0.2.1'), await openFrom('192.0.2.2')]
    expect([refused.statusCode, other.statusCode]).toEqual([503, 200])
    for (const { body } of [...taken, refused, other]) body.on('error', () => undefined).destroy()
    await eventually(async () => {
      const { statusCode, body } = await openFrom('192.0.2.1')
      body.on('error', () => undefined).destroy()
      return statusCode === 200
    })
    await replica.stop()
  })

  test('reads the versions of all orders in one call, and none while nobody looks', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => open()))
    await eventually(() => streams.every((stream) => idsOf(stream).length === 1))
    const before = fixture.script.page.versionReads
    await eventually(() => fixture.script.page.versionReads >= before + 2)
    await Promise.all(streams.map((stream) => stream.close()))
    const after = await eventually(async () => {
      const reads = fixture.script.page.versionReads
      await sleep(1_200)
      return reads === fixture.script.page.versionReads && reads
    })
    expect(after - before).toBeLessThan(8)
  })

  test('is ended by the stop of the process, which does not wait for it', async () => {
    const replica = await fixture.startReplica()
    const stream = await readEvents(`${replica.origin}${PAGE}/events`)
    await eventually(() => idsOf(stream).length === 1)
    const startedMs = performance.now()
    await Promise.all([replica.stop(), stream.ended])
    expect(performance.now() - startedMs).toBeLessThan(4_000)
  })
})
