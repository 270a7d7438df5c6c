import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import { MINUTE_MS, newBrowser, startPeople, type StartedPeople } from './people-fixture.ts'

let started: StartedPeople
beforeAll(async () => {
  started = await startPeople()
})
afterAll(() => started.close())

const operate = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  started.gateway.operate(method, path, body)
let count = 0
const newEmail = () => `member-${(count += 1)}@shop.example`
const newOwnerPlace = async () => `partners/${await started.newPartnerId()}`
const join = async (owner: string, role: string) => {
  const email = newEmail()
  return { email, personId: await started.joined(owner, email, role) }
}
const signIn = async ({ email, personId }: Readonly<{ email: string; personId: string }>) => {
  const browser = newBrowser(started.gateway)
  const link = await started.askForLink(browser, email)
  await browser.post(link, { person_id: personId })
  return browser
}
const listed = async (owner: string) =>
  (
    (await operate('GET', `/${owner}/people`)).data as unknown as {
      people: { person_id: string; email: string; role: string; status: string }[]
    }
  ).people

describe('an invitation', () => {
  test('makes a person who can sign in, once, and no session', async () => {
    const owner = await newOwnerPlace()
    const email = newEmail()
    expect((await operate('POST', `/${owner}/people`, { email, role: 'owner' })).status).toBe(201)
    const link = await started.invitationFor(email)
    const browser = newBrowser(started.gateway)
    expect((await browser.get(link)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 4 }, () => browser.post(link)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410])
    expect(browser.jar.has('causeway_portal')).toBe(false)
    expect(await listed(owner)).toMatchObject([{ email, role: 'owner', status: 'active' }])
  })

  test('is valid for 7 days, and ends when a newer one replaces it', async () => {
    const owner = await newOwnerPlace()
    const email = newEmail()
    const invite = () => operate('POST', `/${owner}/people`, { email, role: 'viewer' })
    await invite()
    const first = await started.invitationFor(email)
    expect((await invite()).details).toEqual([{ resource: 'people', reason: 'invited_recently' }])
    started.clock.advance(MINUTE_MS)
    await invite()
    const second = await started.invitationFor(email, 2)
    const browser = newBrowser(started.gateway)
    expect((await browser.post(first)).status).toBe(410)
    started.clock.advance(7 * 24 * 60 * MINUTE_MS)
    expect((await browser.post(second)).status).toBe(410)
  })

  test('needs a free place, an address and a role', async () => {
    const owner = await newOwnerPlace()
    const { email } = await join(owner, 'viewer')
    const again = await operate('POST', `/${owner}/people`, { email, role: 'owner' })
    expect([again.code, again.details]).toEqual([
      'invalid_state',
      [{ resource: 'people', reason: 'already_active' }],
    ])
    for (const body of [
      { email: 'a@b.example\nBcc: c@d.example', role: 'owner' },
      { email, role: 'admin' },
    ])
      expect((await operate('POST', `/${owner}/people`, body)).code).toBe('invalid_request')
  })

  test('stores no address in clear and none in the audit log', async () => {
    const owner = await newOwnerPlace()
    const { email } = await join(owner, 'viewer')
    const rows = await started.sql<{ text: string }>(
      `SELECT p::text AS text FROM people p UNION ALL SELECT m::text FROM mails m
       UNION ALL SELECT a::text FROM audit.records a UNION ALL SELECT r::text FROM sign_in_requests r`,
    )
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.filter(({ text }) => text.includes(email))).toEqual([])
  })
})

describe('people in the portal', () => {
  test('are managed by owners; others find no page and change nothing', async () => {
    const owner = await newOwnerPlace()
    const boss = await signIn(await join(owner, 'owner'))
    const email = newEmail()
    expect((await boss.submit('/portal/people', '/portal/people', { email, role: 'developer' })).status).toBe(
      303,
    )
    await newBrowser(started.gateway).post(await started.invitationFor(email))
    for (const role of ['developer', 'finance', 'viewer']) {
      const other = await signIn(await join(owner, role))
      expect((await other.get('/portal/people')).status).toBe(404)
      const invited = await other.submit('/portal/sessions', '/portal/people', {
        email: newEmail(),
        role: 'owner',
      })
      expect([role, invited.status]).toEqual([role, 404])
    }
    expect((await listed(owner)).filter(({ role }) => role === 'owner')).toHaveLength(1)
  })

  test('keep to the role in every operation', async () => {
    const owner = await newOwnerPlace()
    for (const role of ['viewer', 'finance'] as const) {
      const person = await signIn(await join(owner, role))
      const page = await person.get('/portal')
      expect([page.status, page.text.includes('Add a webhook')]).toEqual([200, false])
      const forged = await person.submit('/portal/sessions', '/portal/webhooks/new', {
        url: 'https://evil.example/hooks',
      })
      expect([role, forged.status]).toEqual([role, 403])
    }
    const developer = await signIn(await join(owner, 'developer'))
    expect((await developer.get('/portal')).text).toContain('Add a webhook')
    const brand = await developer.submit('/portal/sessions', '/portal/brand', { name: 'Evil' })
    expect(brand.status).toBe(403)
  })

  test('cannot reach people of another partner', async () => {
    const [owner, other] = [await newOwnerPlace(), await newOwnerPlace()]
    const boss = await signIn(await join(owner, 'owner'))
    const stranger = await join(other, 'viewer')
    for (const act of ['role', 'remove']) {
      const path = `/portal/people/${stranger.personId}/${act}`
      expect((await boss.submit('/portal/people', path, { role: 'owner' })).status).toBe(404)
    }
    expect(await listed(other)).toMatchObject([{ person_id: stranger.personId, role: 'viewer' }])
  })

  test('cannot remove or demote the last owner, also in a race of two owners', async () => {
    const owner = await newOwnerPlace()
    const [ada, bo] = [await join(owner, 'owner'), await join(owner, 'owner')]
    const [first, second] = [await signIn(ada), await signIn(bo)]
    await Promise.all([
      first.submit('/portal/people', `/portal/people/${bo.personId}/remove`),
      second.submit('/portal/people', `/portal/people/${ada.personId}/remove`),
    ])
    const [left] = await listed(owner)
    const [boss, id] = left?.person_id === ada.personId ? [first, ada.personId] : [second, bo.personId]
    expect(await listed(owner)).toHaveLength(1)
    const removed = await boss.submit('/portal/people', `/portal/people/${id}/remove`)
    const demoted = await boss.submit('/portal/people', `/portal/people/${id}/role`, { role: 'viewer' })
    expect([removed.status, demoted.status]).toEqual([409, 409])
    expect(removed.text).toContain('This is the last owner.')
  })
})

describe('a change by staff', () => {
  test('ends the person’s sessions, with the role or the removal in the audit log', async () => {
    const owner = await newOwnerPlace()
    await join(owner, 'owner')
    const person = await join(owner, 'developer')
    const mine = await signIn(person)
    expect((await operate('PATCH', `/people/${person.personId}`, { role: 'viewer' })).status).toBe(200)
    expect((await mine.get('/portal')).location).toBe('/portal/sign-in')
    const again = newBrowser(started.gateway)
    await again.post(await started.askForLink(again, person.email, 2), { person_id: person.personId })
    expect((await again.get('/portal')).status).toBe(200)
    expect((await operate('DELETE', `/people/${person.personId}`)).status).toBe(204)
    expect((await again.get('/portal')).location).toBe('/portal/sign-in')
    const [row] = await started.sql(`SELECT email_mac, email_sealed FROM people WHERE person_id = $1`, [
      person.personId,
    ])
    expect(row).toEqual({ email_mac: null, email_sealed: null })
    const ends = await started.sql<{ reason: string; actor: string }>(
      `SELECT record::jsonb->'after'->>'reason' AS reason FROM audit.records
       WHERE record::jsonb->>'action' = 'session.ended' AND record::jsonb->'after'->>'origin' = $1 ORDER BY sequence`,
      [person.personId],
    )
    expect(ends.map(({ reason }) => reason)).toEqual(['role_changed', 'person_removed'])
  })

  test('removes the last owner only once nobody else is left', async () => {
    const owner = `merchants/${KNOWN_MERCHANT}`
    const boss = await join(owner, 'owner')
    const other = await join(owner, 'viewer')
    expect((await operate('DELETE', `/people/${boss.personId}`)).code).toBe('invalid_state')
    expect((await operate('PATCH', `/people/${boss.personId}`, { role: 'viewer' })).code).toBe(
      'invalid_state',
    )
    expect((await operate('DELETE', `/people/${other.personId}`)).status).toBe(204)
    expect((await operate('DELETE', `/people/${boss.personId}`)).status).toBe(204)
    expect(await listed(owner)).toEqual([])
  })
})
