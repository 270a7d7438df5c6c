import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import { newPartner, OPERATOR_KEY } from '../../../gateway/tests/fixtures/running-gateway.ts'
import { cookieOf, formTokenIn, postForm } from '../../../gateway/tests/screens/console-visitor.ts'
import {
  actionIn,
  openFourEyes,
  resultIn,
  type FourEyesFixture,
  type Person,
} from '../../../gateway/tests/fixtures/four-eyes.ts'

let fixture: FourEyesFixture
let ada: Person
let ben: Person
let cleo: Person

beforeAll(async () => {
  fixture = await openFourEyes()
  ada = await fixture.newPerson('admin')
  ben = await fixture.newPerson('admin')
  cleo = await fixture.newPerson('admin')
})
afterAll(() => fixture.close())

const NEW_WEBHOOK = '/portal/webhooks/new'
const API_KEYS = `/merchants/${KNOWN_MERCHANT}/api-keys`
const keysOfMerchant = async () => (await ada.ask('GET', API_KEYS)).data.api_keys.length
/** Makes each request different, by its name. */
let asked = 0
const askForStaffKey = (person: Person) =>
  person.ask('POST', '/staff-keys', { name: `Person ${(asked += 1)}`, role: 'reviewer' })

describe('a key', () => {
  test('is created when somebody else confirms it, and is shown once, to the requester', async () => {
    const before = await keysOfMerchant()
    const held = await ada.ask('POST', API_KEYS)
    const action = actionIn(held)
    expect([held.status, action]).toEqual([
      202,
      {
        pending_action_id: expect.stringMatching(/^pac_/),
        action: 'gateway.api-keys.create',
        target: KNOWN_MERCHANT,
        role: 'admin',
        asked: null,
        before: null,
        request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        status: 'waiting',
        requested_by: ada.id,
        requested_by_name: 'A admin',
        requested_at: expect.any(String),
        expires_at: expect.any(String),
        decided_by: null,
        decided_by_name: null,
        decided_at: null,
        code: null,
        has_result: false,
      },
    ])
    expect(Date.parse(action.expires_at) - Date.parse(action.requested_at)).toBe(72 * 3_600_000)
    expect([await keysOfMerchant(), (await ada.decide(action, 'result')).code]).toEqual([
      before,
      'invalid_state',
    ])

    const confirmed = await ben.decide(action, 'confirm')
    expect([confirmed.status, actionIn(confirmed)]).toMatchObject([
      200,
      { status: 'done', decided_by: ben.id, has_result: true },
    ])
    expect(await keysOfMerchant()).toBe(before + 1)
    expect((await ben.decide(action, 'result')).details).toEqual([
      { field: 'requested_by', reason: 'not_yours' },
    ])
    const taken = resultIn(await ada.decide(action, 'result')) as { api_key: string }
    const headers = { 'x-api-key': taken.api_key }
    expect((await fixture.gateway.call('GET', '/api/user/webhooks', { headers })).status).toBe(200)
    expect((await ada.decide(action, 'result')).details).toEqual([
      { field: 'has_result', reason: 'no_result' },
    ])

    const entries = await fixture.audit()
    const ofKey = entries.filter((entry) => entry.action === 'gateway.api-keys.create').slice(0, 2)
    expect(ofKey).toMatchObject([
      { actor: ada.id, confirmed_by: ben.id, target: KNOWN_MERCHANT, after: { key_id: expect.any(String) } },
      { actor: ada.id, after: { outcome: 'held' } },
    ])
    expect(ofKey[1]).not.toHaveProperty('confirmed_by')
    expect(entries.find((entry) => entry.action === 'gateway.pending-actions.confirm')).toMatchObject({
      actor: ben.id,
      target: action.pending_action_id,
      after: { pending_action: { status: 'done', requested_by: ada.id, decided_by: ben.id } },
    })
    const byBen = await ada.ask('GET', `/audit?order=newest&limit=100&actor=${ben.id}`)
    expect(byBen.data.entries.map((entry) => entry.action)).toContain('gateway.api-keys.create')
    const [stored] = await fixture.sql('SELECT * FROM pending_actions WHERE pending_action_id = $1', [
      action.pending_action_id,
    ])
    for (const kept of [entries, stored]) expect(JSON.stringify(kept)).not.toContain(taken.api_key)
  })

  test('cannot be confirmed by its requester, with a key or in a session', async () => {
    const held = await fixture.gateway.operate('POST', '/staff-keys', { name: 'Own', role: 'viewer' })
    const { pending_action_id: id } = actionIn(held)
    const refused = await fixture.other.operate('POST', `/pending-actions/${id}/confirm`)
    expect([refused.status, refused.details]).toEqual([
      409,
      [{ field: 'requested_by', reason: 'same_person' }],
    ])
    const cookie = cookieOf(await postForm(fixture.gateway, '/console/sign-in', { key: OPERATOR_KEY }))
    const page = await fixture.gateway.call('GET', `/console/pending-actions/${id}`, { headers: { cookie } })
    expect([page.status, page.text.includes('Confirm…')]).toEqual([200, false])
    const fields = { form_token: formTokenIn(page) }
    const posted = await postForm(fixture.gateway, `/console/pending-actions/${id}/confirm`, fields, cookie)
    expect([posted.status, posted.text.includes('You requested this action yourself')]).toEqual([409, true])
    // The key of the setting is the same person after a change of the setting.
    const changed = await fixture.startReplica({
      fourEyes: new Set(['keys']),
      operatorKey: 'another-operator-key',
    })
    const path = `/api/operator/pending-actions/${id}/confirm`
    const later = await changed.call('POST', path, { token: 'another-operator-key' })
    expect(later.details).toEqual([{ field: 'requested_by', reason: 'same_person' }])
    // A request of the former key can no longer be confirmed.
    const zoe = await fixture.newPerson('admin')
    await fixture.sql('UPDATE staff_keys SET made_by = $1 WHERE staff_key_id = $2', ['oidc:zoe', zoe.id])
    const outdated = await zoe.at(changed).decide(actionIn(held), 'confirm')
    expect(outdated.details).toMatchObject([{ reason: 'requester_may_not' }])
    await changed.stop()
  })

  test.each(['viewer', 'reviewer', 'finance'] as const)(
    'is not confirmed or declined by a %s',
    async (role) => {
      const person = await fixture.newPerson(role)
      const action = actionIn(await askForStaffKey(ada))
      for (const decision of ['confirm', 'decline'] as const)
        expect((await person.decide(action, decision)).code).toBe('insufficient_scope')
      expect((await fixture.audit())[0]).toMatchObject({
        actor: person.id,
        after: { outcome: 'refused', code: 'insufficient_scope' },
      })
      expect((await person.ask('POST', '/staff-keys', { name: 'Own', role: 'admin' })).status).toBe(403)
    },
  )

  test('is created once by simultaneous confirmations of several people on several replicas', async () => {
    const action = actionIn(await ada.ask('POST', API_KEYS))
    const before = await keysOfMerchant()
    const answers = await Promise.all(
      [ben, cleo, ben, cleo].map((person, index) =>
        person.at(index % 2 === 0 ? fixture.gateway : fixture.other).decide(action, 'confirm'),
      ),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await keysOfMerchant()).toBe(before + 1)
    expect((await ada.decide(action, 'result')).status).toBe(200)
    const [done, ...others] = (await fixture.audit()).filter(
      (entry) =>
        entry.confirmed_by !== undefined && (entry.after as { key_id?: string }).key_id !== undefined,
    )
    expect([done?.actor, others.length]).toEqual([ada.id, 1])
  })

  test('has one pending action per person for the same request', async () => {
    const body = { name: 'Same', role: 'viewer' }
    const [first, again] = await Promise.all([
      ada.ask('POST', '/staff-keys', body),
      ada.at(fixture.other).ask('POST', '/staff-keys', body),
    ])
    expect(actionIn(again).pending_action_id).toBe(actionIn(first).pending_action_id)
    const ofBen = actionIn(await ben.ask('POST', '/staff-keys', body))
    expect(ofBen.pending_action_id).not.toBe(actionIn(first).pending_action_id)
    expect((await ben.decide(ofBen, 'decline')).status).toBe(200)
  })

  test('is not created if the request was declined, was withdrawn or has expired', async () => {
    const declined = actionIn(await askForStaffKey(ada))
    expect(actionIn(await ben.decide(declined, 'decline'))).toMatchObject({
      status: 'declined',
      decided_by: ben.id,
    })
    const withdrawn = actionIn(await askForStaffKey(ada))
    expect(actionIn(await ada.decide(withdrawn, 'decline'))).toMatchObject({ status: 'withdrawn' })
    for (const action of [declined, withdrawn])
      for (const decision of ['confirm', 'decline', 'result'] as const)
        expect((await cleo.decide(action, decision)).code).toBe('invalid_state')
    const body = { name: 'Late', role: 'viewer' }
    const expired = actionIn(await ada.ask('POST', '/staff-keys', body))
    fixture.clock.advance(73 * 3_600_000)
    expect((await ben.decide(expired, 'confirm')).details).toEqual([{ from: 'expired', to: 'confirmed' }])
    const waiting = await ben.ask('GET', '/pending-actions?limit=100')
    expect(JSON.stringify(waiting.data)).not.toContain(expired.pending_action_id)
    const again = actionIn(await ada.ask('POST', '/staff-keys', body))
    expect(again.pending_action_id).not.toBe(expired.pending_action_id)
    expect((await ben.decide(again, 'confirm')).status).toBe(200)
  })

  test('is not created for a requester whose own key was revoked meanwhile', async () => {
    const gone = await fixture.newPerson('admin')
    const action = actionIn(await askForStaffKey(gone))
    expect((await ada.ask('DELETE', `/staff-keys/${gone.id}`)).status).toBe(204)
    expect((await ben.decide(action, 'confirm')).details).toMatchObject([{ reason: 'requester_may_not' }])
    expect(actionIn(await ben.ask('GET', `/pending-actions/${action.pending_action_id}`)).status).toBe(
      'outdated',
    )
  })

  test('is rolled back if the database fails at the end, and can be confirmed again', async () => {
    const action = actionIn(await ada.ask('POST', API_KEYS))
    const before = await keysOfMerchant()
    await fixture.sql(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER fail BEFORE UPDATE ON pending_actions FOR EACH ROW
      WHEN (NEW.status = 'done') EXECUTE FUNCTION fail()`)
    expect((await ben.decide(action, 'confirm')).status).toBeGreaterThanOrEqual(500)
    await fixture.sql('DROP TRIGGER fail ON pending_actions')
    expect(await keysOfMerchant()).toBe(before)
    expect(actionIn(await cleo.decide(action, 'confirm'))).toMatchObject({ status: 'done', has_result: true })
    expect(await keysOfMerchant()).toBe(before + 1)
  })
})

describe('a key whose creation was claimed', () => {
  const staffKeys = async () => {
    const [row] = await fixture.sql(
      'SELECT count(*)::integer AS live FROM staff_keys WHERE revoked_at IS NULL',
    )
    return (row as { live: number }).live
  }

  test('is created by another confirmation two minutes after a kill that left only the claim', async () => {
    const action = actionIn(await askForStaffKey(ada))
    const before = await staffKeys()
    await fixture.sql(
      `UPDATE pending_actions SET status = 'confirmed', decided_by = $1, decided_at = $2, execution_id = 'req_dead'
       WHERE pending_action_id = $3`,
      [ben.id, fixture.clock.now(), action.pending_action_id],
    )
    expect((await cleo.decide(action, 'confirm')).details).toEqual([{ from: 'confirmed', to: 'confirmed' }])
    fixture.clock.advance(121_000)
    expect(actionIn(await cleo.decide(action, 'confirm')).status).toBe('done')
    expect(await staffKeys()).toBe(before + 1)
  })

  test('is created once if the first run is so slow that a second one begins', async () => {
    const action = actionIn(await askForStaffKey(ada))
    const before = await staffKeys()
    const runs: ReturnType<Person['decide']>[] = []
    await fixture.whileChangesWait(async () => {
      runs.push(ben.decide(action, 'confirm'))
      await fixture.untilClaimed(action, ben)
      fixture.clock.advance(121_000)
      runs.push(cleo.at(fixture.other).decide(action, 'confirm'))
      await fixture.untilClaimed(action, cleo)
    })
    const statuses = (await Promise.all(runs)).map(({ status }) => status)
    expect([statuses[1], await staffKeys()]).toEqual([200, before + 1])
    expect((await ada.decide(action, 'result')).status).toBe(200)
  })
})

test('marks an action as failed, with the code, if the operation refuses it', async () => {
  const action = actionIn(await ada.ask('POST', `/clients/${newId('client')}/secret`))
  expect(actionIn(await ben.decide(action, 'confirm'))).toMatchObject({
    status: 'failed',
    code: 'resource_not_found',
    has_result: false,
  })
})

test('lets one person disable a client, and requires two to enable it', async () => {
  const { partner, client } = await newPartner(fixture.plain)
  const path = `/clients/${client.client_id}`
  const statusOf = async () =>
    (await ada.ask('GET', `/partners/${partner.partner_id}`)).data.clients[0]?.status
  expect([(await ada.ask('PATCH', path, { status: 'disabled' })).status, await statusOf()]).toEqual([
    200,
    'disabled',
  ])
  const held = await ada.ask('PATCH', path, { status: 'active' })
  expect([held.status, await statusOf()]).toEqual([202, 'disabled'])
  expect((await ada.ask('PATCH', path, { allowed_addresses: null })).status).toBe(202)
  expect((await ada.ask('PATCH', `/partners/${partner.partner_id}`, { name: 'New' })).status).toBe(200)
  expect((await ada.ask('PATCH', `/partners/${partner.partner_id}`, { scopes: [] })).status).toBe(202)
  expect((await ben.decide(actionIn(held), 'confirm')).status).toBe(200)
  expect(await statusOf()).toBe('active')
})

test('shows a webhook secret to the requester, and in no log', async () => {
  const { partner } = await newPartner(fixture.plain)
  const body = { url: 'https://receiver.example/hooks' }
  const action = actionIn(await ada.ask('POST', `/partners/${partner.partner_id}/webhooks`, body))
  expect(action.asked).toEqual(body)
  expect(actionIn(await ben.decide(action, 'confirm'))).toMatchObject({ status: 'done', has_result: true })
  const result = resultIn(await ada.decide(action, 'result')) as { webhook_secret: string }
  expect(result.webhook_secret).toMatch(/^f{64}$/)
  expect(JSON.stringify(await fixture.audit())).not.toContain(result.webhook_secret)
})

test('lets a partner’s people create their own webhooks without a second person', async () => {
  const { partner } = await newPartner(fixture.plain)
  const made = await fixture.plain.operate('POST', `/partners/${partner.partner_id}/portal-links`)
  const { url } = (made.data as unknown as { portal_link: { url: string } }).portal_link
  const opened = await postForm(fixture.gateway, `/portal/${url.split('/').at(-1) ?? ''}`, {})
  const cookie = cookieOf(opened)
  const page = await fixture.gateway.call('GET', '/portal', { headers: { cookie } })
  const fields = { form_token: formTokenIn(page), url: 'https://receiver.example/own' }
  const created = await postForm(fixture.gateway, NEW_WEBHOOK, fields, cookie)
  expect([created.status, created.text.includes('f'.repeat(64))]).toEqual([200, true])
})
