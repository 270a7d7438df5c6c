import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { request } from 'undici'
import { KNOWN_ORDER, QR_BYTES } from '../fixtures/script.ts'
import { openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(async () => {
  await fixture.close()
})

describe('public paths', () => {
  test('serve a QR image that may be cached and embedded anywhere', async () => {
    const answer = await gateway.call('GET', `/qr/${KNOWN_ORDER}.png`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(QR_BYTES.toString())
    expect(answer.headers['content-type']).toBe('image/png')
    expect(answer.headers['cache-control']).toBe('public, max-age=86400, immutable')
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
  })

  test.each(['/qr/x.png', '/qr/%E0%A4%A.png', `/qr/${KNOWN_ORDER}`, `/qr/${KNOWN_ORDER}.gif`])(
    'are 404 at %s',
    async (path) => {
      const answer = await gateway.call('GET', path)
      expect([answer.status, answer.code]).toEqual([404, 'resource_not_found'])
    },
  )

  test('serve health and readiness', async () => {
    expect((await gateway.call('GET', '/healthz')).json).toEqual({ status: 'ok' })
    const ready = await gateway.call('GET', '/readyz')
    expect([ready.status, ready.json]).toEqual([
      200,
      {
        status: 'ready',
        parts: {
          bus: true,
          access: true,
          onboarding: true,
          payments: true,
          refunds: true,
          webhooks: true,
          onramp: true,
        },
      },
    ])
  })

  test('serve a reference page that loads only its own files, and whose policy allows no others and no evaluation', async () => {
    const answer = await gateway.call('GET', '/docs')
    expect(answer.status).toBe(200)
    const loaded = [...answer.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
    expect(loaded.filter((address) => !/^(\/docs|data:,$)/.test(address ?? ''))).toEqual([])
    expect(answer.text).not.toMatch(/<script>|@import|url\(/)
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    for (const address of loaded.filter((each) => each?.startsWith('/docs/')))
      expect((await gateway.call('GET', address ?? '')).status).toBe(200)
  })

  test('are 404 for a file of the reference that does not exist', async () => {
    const answer = await gateway.call('GET', '/docs/page.ts')
    expect([answer.status, answer.code]).toEqual([404, 'resource_not_found'])
  })

  test.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=1.0, br;q=0', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
    [undefined, '*;q=0', (bytes: Buffer) => bytes],
  ])('serve documents in %s to a caller that accepts %s', async (encoding, accepted, decode) => {
    const { address, port } = { address: '127.0.0.1', port: gateway.port }
    const answer = await request(`http://${address}:${port}/openapi.json`, {
      headers: { 'accept-encoding': accepted },
    })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['vary']).toBe('Accept-Encoding')
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (encoding !== undefined) expect(bytes.length).toBeLessThan(65_000)
    expect(JSON.parse(decode(bytes).toString())).toMatchObject({ openapi: '3.1.0' })
  })
})
