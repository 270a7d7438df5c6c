import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openFixture, OPERATOR_KEY, type Fixture, type Replica } from '../fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica({
    publicBaseUrl: 'https://api.example.com',
    consoleBaseUrl: 'https://console.example.com',
  })
})
afterAll(() => fixture.close())

const statusAt = async (host: string, path: string) =>
  (await gateway.call('GET', path, { headers: { host } })).status

describe('a console with CONSOLE_BASE_URL', () => {
  test.each(['/console/sign-in', '/console'])("serves %s only at the console's host", async (path) => {
    expect(await statusAt('console.example.com', path)).toBe(path === '/console' ? 303 : 200)
    for (const host of ['api.example.com', 'console.example.com.evil.example', '127.0.0.1'])
      expect(await statusAt(host, path)).toBe(404)
  })

  test.each(['/docs', '/openapi.json', '/portal/sign-in', '/.well-known/jwks.json'])(
    'serves %s at every other host, and not at the console’s',
    async (path) => {
      expect(await statusAt('api.example.com', path)).toBe(200)
      expect(await statusAt('console.example.com', path)).toBe(404)
    },
  )

  test('names the console on the home page of neither host, and leads to it at its own', async () => {
    const visit = (host: string) => gateway.call('GET', '/', { headers: { host, accept: 'text/html' } })
    const own = await visit('console.example.com')
    expect([own.status, own.headers['location']]).toEqual([302, '/console'])
    const home = await visit('api.example.com')
    expect(home.status).toBe(200)
    expect(home.text).not.toContain('console')
  })

  test('serves no operation of the API at the console’s host', async () => {
    const headers = { host: 'console.example.com', authorization: `Bearer ${OPERATOR_KEY}` }
    expect((await gateway.call('GET', '/api/operator/partners', { headers })).status).toBe(404)
  })

  test('serves health and the files of screens at both', async () => {
    for (const host of ['console.example.com', 'api.example.com'])
      for (const path of ['/healthz', '/screens/htmx.js']) expect(await statusAt(host, path)).toBe(200)
  })

  test('gives the console a cookie that is bound to its host', async () => {
    const signedIn = await gateway.call('POST', '/console/sign-in', {
      raw: `key=${OPERATOR_KEY}`,
      headers: { host: 'console.example.com', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([signedIn.status, signedIn.headers['location']]).toEqual([303, '/console'])
    const cookie = String(signedIn.headers['set-cookie'])
    expect(cookie).toMatch(/^__Host-causeway_console=[\w-]{43}; Path=\/; .*Secure/)
    expect(cookie).not.toContain('Domain')
  })
})
