import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import { MINUTE_MS, newBrowser, startPeople, type StartedPeople } from './people-fixture.ts'

let started: StartedPeople
beforeAll(async () => {
  started = await startPeople()
})
afterAll(() => started.close())

const browser = () => newBrowser(started.gateway)
let count = 0
const newEmail = () => `person-${(count += 1)}@shop.example`
const newMember = async (role = 'owner', owner?: string) => {
  const email = newEmail()
  const place = owner ?? `partners/${await started.newPartnerId()}`
  return { email, owner: place, personId: await started.joined(place, email, role) }
}
const signedIn = async (email: string, personId: string, mails = 1) => {
  const mine = browser()
  const link = await started.askForLink(mine, email, mails)
  expect((await mine.post(link, { person_id: personId })).location).toBe('/portal')
  return mine
}

describe('a sign-in link', () => {
  test('opens one session of 8 hours in the browser that asked for it, by a POST alone', async () => {
    const { email, personId } = await newMember()
    const mine = browser()
    const link = await started.askForLink(mine, email)
    for (let previews = 0; previews < 3; previews += 1) expect((await mine.get(link)).status).toBe(200)
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => mine.post(link, { person_id: personId })),
    )
    expect(opened.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410, 410, 410])
    const again = await mine.get('/portal/sessions')
    expect([again.status, again.text.includes('with the role owner')]).toEqual([200, true])
    expect((await mine.post(link, { person_id: personId })).status).toBe(410)
  })

  test('opens nothing in another browser, and is not used up by it', async () => {
    const { email, personId } = await newMember()
    const mine = browser()
    const link = await started.askForLink(mine, email)
    const thief = browser()
    await thief.post('/portal/sign-in', { email: 'thief@evil.example' })
    for (const other of [thief, browser()]) {
      expect((await other.get(link)).status).toBe(403)
      const refused = await other.post(link, { person_id: personId })
      expect([refused.status, other.jar.has('causeway_portal')]).toEqual([403, false])
    }
    expect((await mine.post(link, { person_id: personId })).location).toBe('/portal')
  })

  test('opens nothing after 15 minutes, if it is unknown, or from a page of another site', async () => {
    const { email, personId } = await newMember()
    const mine = browser()
    const link = await started.askForLink(mine, email)
    expect((await mine.get(`/portal/sign-in/${'a'.repeat(43)}`)).status).toBe(410)
    const forged = await started.gateway.call('POST', link, {
      headers: {
        cookie: [...mine.jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      raw: `person_id=${personId}`,
    })
    expect(forged.status).toBe(403)
    started.clock.advance(15 * MINUTE_MS)
    expect((await mine.post(link, { person_id: personId })).status).toBe(410)
  })

  test('opens no membership of another address', async () => {
    const { email } = await newMember()
    const other = await newMember()
    const mine = browser()
    const link = await started.askForLink(mine, email)
    expect((await mine.post(link, { person_id: other.personId })).status).toBe(410)
    expect(mine.jar.has('causeway_portal')).toBe(false)
  })

  test('offers each membership of the address, and opens the chosen one', async () => {
    const { email, owner } = await newMember('viewer')
    const second = await started.joined(`merchants/${KNOWN_MERCHANT}`, email, 'finance', 2)
    const mine = browser()
    const link = await started.askForLink(mine, email)
    const page = await mine.get(link)
    expect([page.text.includes(owner.slice(9)), page.text.includes(KNOWN_MERCHANT)]).toEqual([true, true])
    await mine.post(link, { person_id: second })
    expect((await mine.get('/portal/sessions')).text).toContain('with the role finance')
  })

  test('replaces the session that the browser had', async () => {
    const { email, personId } = await newMember()
    const mine = await signedIn(email, personId)
    const former = mine.jar.get('causeway_portal')
    const link = await started.askForLink(mine, email, 2)
    await mine.post(link, { person_id: personId })
    expect(mine.jar.get('causeway_portal')).not.toBe(former)
    const [ended] = await started.sql<{ ended: boolean }>(
      `SELECT ended_at IS NOT NULL AS ended FROM sessions WHERE origin = $1 ORDER BY created_at, session_id LIMIT 1`,
      [personId],
    )
    expect(ended).toEqual({ ended: true })
  })

  test('opens nothing for people of a disabled partner', async () => {
    const { email, personId, owner } = await newMember()
    const mine = browser()
    const link = await started.askForLink(mine, email)
    await started.gateway.operate('PATCH', `/${owner}`, { status: 'disabled' })
    expect((await mine.post(link, { person_id: personId })).status).toBe(410)
  })
})

describe('a request for a link', () => {
  test('is answered alike for known and unknown addresses, which are deleted once it is handled', async () => {
    const { email } = await newMember()
    const unknown = newEmail()
    const answers = await Promise.all(
      [email, unknown].map(async (each) => browser().post('/portal/sign-in', { email: each })),
    )
    expect(answers.map(({ status, location, text }) => [status, location, text])).toEqual(
      Array.from({ length: 2 }, () => [303, '/portal/sign-in/sent', '']),
    )
    await started.linkFor(email, 'Sign in to the portal')
    await eventually(
      async () =>
        (await started.sql('SELECT FROM sign_in_requests WHERE email_sealed IS NOT NULL')).length === 0,
    )
    expect(await started.mailsTo(unknown)).toEqual([])
  })

  test('sends at most five links to an address in 15 minutes, and answers the sixth alike', async () => {
    const { email } = await newMember()
    const mine = browser()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => (await mine.post('/portal/sign-in', { email })).location),
    )
    expect(new Set(answers)).toEqual(new Set(['/portal/sign-in/sent']))
    await started.linkFor(email, 'Sign in to the portal', 5)
    await eventually(async () => (await started.sql('SELECT FROM mails WHERE outcome IS NULL')).length === 0)
    const links = (await started.mailsTo(email)).filter(({ subject }) => subject.startsWith('Sign in'))
    expect(links).toHaveLength(5)
  })

  test('finds people whatever the case of their address, and refuses what could be a header', async () => {
    const { email } = await newMember()
    const shouted = email.replace('person', 'PERSON')
    await browser().post('/portal/sign-in', { email: shouted })
    await eventually(async () =>
      (await started.mailsTo(shouted)).some(({ subject }) => subject.startsWith('Sign in')),
    )
    const injected = await browser().post('/portal/sign-in', { email: `${email}\r\nBcc: eve@evil.example` })
    expect(injected.status).toBe(400)
  })
})

test('mails a person about a sign-in with a new browser, once for each browser, unless switched off', async () => {
  const { email, personId } = await newMember()
  const notices = async () =>
    (await started.mailsTo(email)).filter(({ subject }) => subject === 'New sign-in to the portal')
  const mine = await signedIn(email, personId)
  await eventually(async () => (await notices()).length === 1)
  const link = await started.askForLink(mine, email, 2)
  await mine.post(link, { person_id: personId })
  await mine.submit('/portal/sessions', '/portal/sessions/preferences')
  await signedIn(email, personId, 3)
  const queued = await started.sql(`SELECT FROM mails WHERE kind = 'new_sign_in' AND outcome IS NULL`)
  expect([(await notices()).length, queued.length]).toEqual([1, 0])
})
