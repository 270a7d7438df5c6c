import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  newStaffKey,
  openFixture,
  OPERATOR_KEY,
  type Answer,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(async () => {
  await fixture.close()
})

const FORM = 'application/x-www-form-urlencoded'
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.call('POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': FORM, ...headers },
  })
const signIn = (key: string, headers?: Record<string, string>) => post('/console/sign-in', { key }, headers)
const setCookieOf = ({ headers }: Answer) => String(headers['set-cookie'])
const cookieOf = (answer: Answer) => setCookieOf(answer).split(';')[0] ?? ''
const openConsole = (cookie: string) => gateway.call('GET', '/console', { headers: { cookie } })
const formTokenIn = ({ text }: Answer) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

describe('a session of the console', () => {
  test('is opened by a staff key, and shows its owner', async () => {
    const { id, key } = await newStaffKey(gateway, 'reviewer')
    const signedIn = await signIn(key)
    expect([signedIn.status, signedIn.headers['location']]).toEqual([303, '/console'])
    expect(setCookieOf(signedIn)).toMatch(
      /^causeway_console=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/,
    )
    const { status, text } = await openConsole(cookieOf(signedIn))
    expect(status).toBe(200)
    expect(text).toContain(id)
    expect(text).toContain('reviewer')
    expect(text).not.toContain(key)
  })

  test('has a cookie that only https carries if callers reach the platform by https', async () => {
    const secured = await fixture.startReplica({ publicBaseUrl: 'https://pay.example.com' })
    const signedIn = await secured.call('POST', '/console/sign-in', {
      raw: `key=${OPERATOR_KEY}`,
      headers: { 'content-type': FORM },
    })
    expect(setCookieOf(signedIn)).toMatch(/^__Host-causeway_console=.*; Secure/)
    await secured.stop()
  })

  test('is opened by no other key, and the page shows that at its field', async () => {
    const wrong = await signIn(`staff_${'a'.repeat(43)}`)
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined])
    expect(wrong.text).toContain('This key is not valid')
    const limited = await fixture.startReplica({ credentialFailures: { ratePerSecond: 0.001, burst: 1 } })
    const guess = () =>
      limited.call('POST', '/console/sign-in', { raw: 'key=nonsense', headers: { 'content-type': FORM } })
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 429])
    await limited.stop()
  })

  test("is requested without a session, with a portal's session, and after the session has ended", async () => {
    const nothing = await openConsole('')
    expect([nothing.status, nothing.headers['location']]).toEqual([303, '/console/sign-in'])
    const cookie = cookieOf(await signIn(OPERATOR_KEY))
    const ofPortal = await openConsole(cookie.replace('console', 'portal'))
    expect(ofPortal.status).toBe(303)
    const page = await openConsole(cookie)
    const signedOut = await post('/console/sign-out', { form_token: formTokenIn(page) }, { cookie })
    expect([signedOut.status, signedOut.headers['location']]).toEqual([303, '/console/sign-in'])
    expect(signedOut.headers['clear-site-data']).toBe('"cache", "storage"')
    expect(setCookieOf(signedOut)).toMatch(/^causeway_console=; .*Expires=Thu, 01 Jan 1970/)
    expect((await openConsole(cookie)).status).toBe(303)
  })

  test('posts its searches, so that an e-mail address is in no URL', async () => {
    const { text } = await openConsole(cookieOf(await signIn(OPERATOR_KEY)))
    expect(text).toMatch(/<form\s+method="post"\s+action="\/console\/search"/)
    expect(text).not.toContain('method="get"')
  })

  test("is listed to its person, and to admins with everybody's, who can end all of a person", async () => {
    const { id, key } = await newStaffKey(gateway, 'viewer')
    const viewer = cookieOf(await signIn(key))
    const admin = cookieOf(await signIn(OPERATOR_KEY))
    const open = (cookie: string) => gateway.call('GET', '/console/sessions', { headers: { cookie } })
    const own = await open(viewer)
    expect([own.status, own.text.includes('All sessions')]).toEqual([200, false])
    const all = await open(admin)
    expect([all.status, all.text.includes(`<code>${id}</code>`)]).toEqual([200, true])
    const form_token = formTokenIn(all)
    const wrong = await post(
      '/console/sessions/end',
      { form_token, whose: 'partner_id', id },
      { cookie: admin },
    )
    expect([wrong.status, wrong.text.includes('Error')]).toEqual([400, true])
    const ended = await post('/console/sessions/end', { form_token, whose: 'actor', id }, { cookie: admin })
    expect([ended.status, ended.headers['location']]).toEqual([303, '/console/sessions'])
    expect((await open(viewer)).status).toBe(303)
  })

  test('ends when somebody signs in again in its browser', async () => {
    const former = cookieOf(await signIn(OPERATOR_KEY))
    const next = cookieOf(await signIn(OPERATOR_KEY, { cookie: former }))
    expect((await openConsole(former)).status).toBe(303)
    expect((await openConsole(next)).status).toBe(200)
  })

  test('ends with its staff key', async () => {
    const { id, key } = await newStaffKey(gateway, 'finance')
    const cookie = cookieOf(await signIn(key))
    expect((await openConsole(cookie)).status).toBe(200)
    await gateway.operate('DELETE', `/staff-keys/${id}`)
    expect((await openConsole(cookie)).status).toBe(303)
  })
})

describe('a form', () => {
  test('is accepted only from a page of its session', async () => {
    const cookie = cookieOf(await signIn(OPERATOR_KEY))
    const other = await openConsole(cookieOf(await signIn(OPERATOR_KEY)))
    for (const fields of [{}, { form_token: '' }, { form_token: formTokenIn(other) }]) {
      const forged = await post('/console/sign-out', fields, { cookie })
      expect([forged.status, forged.text.includes('no longer valid')]).toEqual([403, true])
    }
    expect((await openConsole(cookie)).status).toBe(200)
  })

  test.each([
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['origin', 'https://elsewhere.example'],
    ['origin', 'null'],
  ])('is refused from another site (%s: %s)', async (name, value) => {
    const answer = await signIn(OPERATOR_KEY, { [name]: value })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
  })

  test('is refused by a page when it is too large', async () => {
    const { status, headers, text } = await post('/console/sign-in', { key: 'k'.repeat(300_000) })
    expect([status, headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
    expect(text).toContain('The request is too large')
  })

  test('is refused when it is of another type', async () => {
    const answer = await gateway.call('POST', '/console/sign-in', { body: { key: OPERATOR_KEY } })
    expect(answer.status).toBe(415)
  })
})
