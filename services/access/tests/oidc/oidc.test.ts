import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import {
  newStaffKey,
  openFixture,
  OPERATOR_KEY,
  type Fixture,
  type Replica,
} from '../../../gateway/tests/fixtures/running-gateway.ts'
import { cookieOf, postForm, signIn } from '../../../gateway/tests/screens/console-visitor.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type TestIdentityProvider,
} from './identity-provider.ts'

/** The address under which browsers reach the gateway: the test replaces it by the replica's, as a proxy would. */
const PUBLIC_URL = 'http://console.example.com'
const CALLBACK = `${PUBLIC_URL}/console/sign-in/callback`

let fixture: Fixture
let gateway: Replica
let provider: TestIdentityProvider
beforeAll(async () => {
  // oidc-provider logs the needs of a provider in production.
  for (const level of ['warn', 'info'] as const)
    jest.spyOn(console, level).mockImplementation(() => undefined)
  fixture = await openFixture()
  provider = await startIdentityProvider(() => CALLBACK, { sub: 'ada', roles: ['admin'] })
  gateway = await start(provider.issuer)
})
afterAll(async () => {
  jest.restoreAllMocks()
  await fixture.close()
  await provider.stop()
})
beforeEach(() => {
  Object.assign(provider.account, { sub: 'ada', roles: ['admin'] })
})

const start = (issuer: string) =>
  fixture.startReplica({
    publicBaseUrl: PUBLIC_URL,
    oidc: { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
  })

/** A browser: it keeps each host's cookies and follows redirects, until one leads to `stopAt`. */
const newBrowser = () => {
  const jars = new Map<string, Map<string, string>>()
  const visit = async (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const reached = origin === PUBLIC_URL ? url.replace(PUBLIC_URL, gateway.origin) : url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { statusCode: status, headers, body } = await request(reached, { headers: { cookie } })
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0|1970/.test(line)) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return { status, headers, text: await body.text(), url }
  }
  const follow = async (url: string, stopAt = 'nowhere') => {
    let answer = await visit(url)
    for (let steps = 0; steps < 12 && answer.headers['location'] !== undefined; steps += 1) {
      const next = new URL(String(answer.headers['location']), answer.url).href
      if (next.startsWith(stopAt)) return { ...answer, next }
      answer = await visit(next)
    }
    return { ...answer, next: '' }
  }
  return { visit, follow, cookies: () => Object.fromEntries(jars.get(PUBLIC_URL) ?? []) }
}

const BEGIN = `${PUBLIC_URL}/console/sign-in/provider`
/** Goes to the provider and stops where it sends the browser back, with the code. */
const comeBack = async (browser: ReturnType<typeof newBrowser>) =>
  (await browser.follow(BEGIN, CALLBACK)).next

describe('a person who signs in at the identity provider', () => {
  test('acts with the highest role of the token, and the audit log names the person', async () => {
    provider.account.roles = ['viewer', 'reviewer', 'something-else']
    const browser = newBrowser()
    const console = await browser.follow(BEGIN)
    expect([console.status, console.url]).toEqual([200, `${PUBLIC_URL}/console`])
    expect(console.text).toContain('oidc:ada')
    expect(console.text).toContain('reviewer')
    await browser.visit(`${PUBLIC_URL}/console/partners`)
    const { data } = await gateway.operate('GET', '/audit?actor=oidc:ada')
    expect(data.entries.map(({ actor, action }) => [actor, action])).toContainEqual([
      'oidc:ada',
      'gateway.partners.list',
    ])
    expect(Object.keys(browser.cookies())).toEqual(['causeway_console'])
  })

  test('gets no session without a known role, and a page that says so', async () => {
    for (const roles of [undefined, [], ['Administrator']]) {
      provider.account.roles = roles
      const browser = newBrowser()
      const answer = await browser.follow(BEGIN)
      expect([answer.status, answer.text.includes('You do not have a role here.')]).toEqual([403, true])
      expect(browser.cookies()).toEqual({})
    }
  })

  test('ends the session on every replica by signing out', async () => {
    const browser = newBrowser()
    const { text } = await browser.follow(BEGIN)
    const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const cookie = `causeway_console=${browser.cookies()['causeway_console'] ?? ''}`
    const other = await start(provider.issuer)
    expect((await other.call('GET', '/console', { headers: { cookie } })).status).toBe(200)
    expect((await postForm(gateway, '/console/sign-out', { form_token: token }, cookie)).status).toBe(303)
    for (const replica of [gateway, other])
      expect((await replica.call('GET', '/console', { headers: { cookie } })).status).toBe(303)
    await other.stop()
  })

  test('gets a new session, even if its browser had one before', async () => {
    const { cookie: planted } = await signIn(gateway)
    const browser = newBrowser()
    await browser.follow(BEGIN)
    const own = browser.cookies()['causeway_console']
    expect(`causeway_console=${own ?? ''}`).not.toBe(planted)
    const made = 'a'.repeat(43)
    const answer = await gateway.call('GET', '/console', { headers: { cookie: `causeway_console=${made}` } })
    expect(answer.headers['location']).toBe('/console/sign-in')
  })
})

describe('a response of the provider that opens no session', () => {
  const refusedAt = async (browser: ReturnType<typeof newBrowser>, url: string) => {
    const answer = await browser.visit(url)
    expect([answer.status, answer.text.includes('You are not signed in.')]).toEqual([401, true])
    expect(browser.cookies()).toEqual({})
  }

  test('arrives in a browser that did not request a sign-in', async () => {
    const victim = newBrowser()
    await refusedAt(victim, await comeBack(newBrowser()))
  })

  test('belongs to another browser’s sign-in', async () => {
    const victim = newBrowser()
    await victim.visit(BEGIN)
    await refusedAt(victim, await comeBack(newBrowser()))
  })

  test('has another state, or none', async () => {
    for (const change of [
      (query: URLSearchParams) => query.set('state', 'b'.repeat(43)),
      (query: URLSearchParams) => query.delete('state'),
    ]) {
      const browser = newBrowser()
      const url = new URL(await comeBack(browser))
      change(url.searchParams)
      await refusedAt(browser, url.href)
    }
  })

  test('has been used before', async () => {
    const browser = newBrowser()
    const url = await comeBack(browser)
    const attempt = browser.cookies()['causeway_sign_in'] ?? ''
    expect((await browser.visit(url)).status).toBe(303)
    const replayed = await gateway.call('GET', url.slice(PUBLIC_URL.length), {
      headers: { cookie: `causeway_sign_in=${attempt}` },
    })
    expect(replayed.status).toBe(401)
    expect(String(replayed.headers['set-cookie'])).not.toContain('causeway_console=')
  })

  test('comes from another issuer', async () => {
    const browser = newBrowser()
    const url = new URL(await comeBack(browser))
    url.searchParams.set('iss', 'http://127.0.0.1:1')
    await refusedAt(browser, url.href)
  })

  test('says that access is denied', async () => {
    const browser = newBrowser()
    const url = new URL(await comeBack(browser))
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
    await refusedAt(browser, url.href)
  })

  test('names a person with a character that the audit log does not allow', async () => {
    provider.account.sub = 'ada lovelace'
    await refusedAt(newBrowser(), await comeBack(newBrowser()))
    const browser = newBrowser()
    await refusedAt(browser, await comeBack(browser))
  })
})

describe('a console with an identity provider', () => {
  test('opens no session for a staff key, which the API still accepts', async () => {
    const { key } = await newStaffKey(gateway, 'admin')
    const refused = await postForm(gateway, '/console/sign-in', { key })
    expect([refused.status, refused.headers['set-cookie']]).toEqual([401, undefined])
    expect(refused.text).toContain('Only the operator key is accepted here.')
    expect((await gateway.call('GET', '/api/operator/partners', { token: key })).status).toBe(200)
  })

  test('opens a session for the operator key, for emergencies', async () => {
    const opened = await postForm(gateway, '/console/sign-in', { key: OPERATOR_KEY })
    expect(opened.headers['location']).toBe('/console')
    const page = await gateway.call('GET', '/console', { headers: { cookie: cookieOf(opened) } })
    expect(page.text).toMatch(/operator:[0-9a-f]{8}/)
  })

  test('says that the provider is unavailable, before and after the person signed in there', async () => {
    const away = 'Your organisation’s sign-in is unavailable.'
    const browser = newBrowser()
    const url = await comeBack(browser)
    provider.fail(true)
    const after = await browser.visit(url)
    expect([after.status, after.text.includes(away)]).toEqual([503, true])
    provider.fail(false)
    const gone = await startIdentityProvider(() => CALLBACK, provider.account)
    const replica = await start(gone.issuer)
    await gone.stop()
    const before = await replica.call('GET', '/console/sign-in/provider')
    expect([before.status, before.text.includes(away)]).toEqual([503, true])
    await replica.stop()
  })

  test('refuses a provider whose issuer differs from the setting', async () => {
    const replica = await start(provider.issuer.replace('127.0.0.1', 'localhost'))
    expect((await replica.call('GET', '/console/sign-in/provider')).status).toBe(503)
    await replica.stop()
  })
})
