import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KNOWN_ORDER, QR_BYTES } from '../fixtures/fake-services.ts'
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
  test('a QR image is public, cacheable and may be embedded anywhere', async () => {
    const answer = await gateway.call('GET', `/qr/${KNOWN_ORDER}.png`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(QR_BYTES.toString())
    expect(answer.headers['content-type']).toBe('image/png')
    expect(answer.headers['cache-control']).toBe('public, max-age=86400, immutable')
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
  })

  test.each(['/qr/x.png', '/qr/%E0%A4%A.png', `/qr/${KNOWN_ORDER}`, `/qr/${KNOWN_ORDER}.gif`])(
    '%s is 404',
    async (path) => {
      const answer = await gateway.call('GET', path)
      expect([answer.status, answer.code]).toEqual([404, 'resource_not_found'])
    },
  )

  test('health and readiness', async () => {
    expect((await gateway.call('GET', '/healthz')).json).toEqual({ status: 'ok' })
    const ready = await gateway.call('GET', '/readyz')
    expect([ready.status, ready.json]).toEqual([
      200,
      {
        status: 'ready',
        parts: {
          bus: true,
          database: true,
          onboarding: true,
          payments: true,
          refunds: true,
          webhooks: true,
          onramp: true,
        },
      },
    ])
  })

  test('the reference page loads nothing, and its policy allows its style by hash', async () => {
    const answer = await gateway.call('GET', '/docs')
    expect(answer.status).toBe(200)
    expect(answer.text).not.toMatch(/<script|<link|<img|@import|url\(/)
    expect(answer.headers['content-security-policy']).toMatch(/style-src 'sha256-[\w+/=]+'/)
  })
})
