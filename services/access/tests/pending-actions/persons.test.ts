import { newBearerToken } from '@causeway/chassis'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isSamePerson } from '../../src/staff-keys/actors.ts'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import { newPartner, type Replica } from '../../../gateway/tests/fixtures/running-gateway.ts'
import { formTokenIn, postForm } from '../../../gateway/tests/screens/console-visitor.ts'
import {
  actionIn,
  actionsIn,
  ALL,
  openFourEyes,
  type FourEyesFixture,
  type Person,
} from '../../../gateway/tests/fixtures/four-eyes.ts'

const SAME_PERSON = [{ field: 'requested_by', reason: 'same_person' }]

let fixture: FourEyesFixture
let ada: Person
let ben: Person

beforeAll(async () => {
  fixture = await openFourEyes()
  ada = await fixture.newPerson('admin')
  ben = await fixture.newPerson('admin')
})
afterAll(() => fixture.close())

const API_KEYS = `/merchants/${KNOWN_MERCHANT}/api-keys`
const keysOfMerchant = async () => (await ada.ask('GET', API_KEYS)).data.api_keys.length
const askForKey = async (person: Person) => actionIn(await person.ask('POST', API_KEYS))

describe('one person with several keys', () => {
  test('cannot confirm with a key that she created, nor the reverse', async () => {
    const second = await fixture.newKeyBy(ada, 'admin')
    const before = await keysOfMerchant()
    const answers = [
      await second.decide(await askForKey(ada), 'confirm'),
      await ada.decide(await askForKey(second), 'confirm'),
    ]
    expect(answers.map(({ status, details }) => [status, details])).toEqual([
      [409, SAME_PERSON],
      [409, SAME_PERSON],
    ])
    expect(await keysOfMerchant()).toBe(before)
  })

  test('cannot confirm with a key that one of her keys created', async () => {
    const second = await fixture.newKeyBy(ada, 'admin')
    const third = await fixture.newKeyBy(second, 'admin')
    const sibling = await fixture.newKeyBy(ada, 'admin')
    const action = await askForKey(third)
    for (const person of [ada, second, sibling])
      expect((await person.decide(action, 'confirm')).details).toEqual(SAME_PERSON)
    expect(actionIn(await ben.decide(action, 'confirm')).status).toBe('done')
  })

  test('cannot confirm with the key that she created for a colleague after a second person confirmed it', async () => {
    const body = { name: 'A colleague', role: 'admin' }
    const asked = actionIn(await ada.ask('POST', '/staff-keys', body))
    expect(actionIn(await ben.decide(asked, 'confirm')).status).toBe('done')
    const taken = await ada.decide(asked, 'result')
    const { result } = taken.data as unknown as {
      result: { key: string; staff_key: { staff_key_id: string } }
    }
    const path = (id: string) => `/api/operator/pending-actions/${id}/confirm`
    const action = await askForKey(ada)
    const refused = await fixture.gateway.call('POST', path(action.pending_action_id), { token: result.key })
    expect([refused.status, refused.details]).toEqual([409, SAME_PERSON])
    // Ada's colleague may confirm a request of Ben.
    const { pending_action_id: ofBen } = await askForKey(ben)
    const confirmed = await fixture.gateway.call('POST', path(ofBen), { token: result.key })
    expect(actionIn(confirmed).status).toBe('done')
  })

  test('is still the same person after the key between two of her keys was revoked', async () => {
    const second = await fixture.newKeyBy(ada, 'admin')
    const third = await fixture.newKeyBy(second, 'admin')
    expect((await ben.ask('DELETE', `/staff-keys/${second.id}`)).status).toBe(204)
    expect((await third.decide(await askForKey(ada), 'confirm')).details).toEqual(SAME_PERSON)
  })

  test('withdraws with one key what she requested with another', async () => {
    const second = await fixture.newKeyBy(ada, 'admin')
    expect(actionIn(await second.decide(await askForKey(ada), 'decline')).status).toBe('withdrawn')
  })
})

test('refuses to let the key of the setting confirm requests of keys that it created, and the reverse', async () => {
  const action = await askForKey(ada)
  const byOperator = await fixture.gateway.operate(
    'POST',
    `/pending-actions/${action.pending_action_id}/confirm`,
  )
  expect(byOperator.details).toEqual(SAME_PERSON)
  const asked = actionIn(await fixture.gateway.operate('POST', API_KEYS))
  expect((await ada.decide(asked, 'confirm')).details).toEqual(SAME_PERSON)
})

/** Opens the session of a person whom the identity provider signed in, with the console's forms. */
const signedIn = async (replica: Replica, subject: string) => {
  const { token, tokenHash } = newBearerToken()
  const now = fixture.clock.now()
  await fixture.sql(
    `INSERT INTO sessions (token_hash, kind, subject, role, created_at, expires_at)
     VALUES ($1, 'staff', $2, 'admin', $3, $4)`,
    [tokenHash, `oidc:${subject}`, now, new Date(now.getTime() + 3_600_000)],
  )
  const cookie = `causeway_console=${token}`
  const page = await replica.call('GET', '/console', { headers: { cookie } })
  const fields = { form_token: formTokenIn(page) }
  return {
    confirm: (id: string) => postForm(replica, `/console/pending-actions/${id}/confirm`, fields, cookie),
  }
}

describe('sign-in at an identity provider', () => {
  let gateway: Replica
  const path = (id: string) => `/api/operator/pending-actions/${id}`
  const statusOf = async (id: string) => actionIn(await ada.ask('GET', `/pending-actions/${id}`)).status

  beforeAll(async () => {
    const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'console', clientSecret: 'secret' }
    gateway = await fixture.startReplica({ fourEyes: ALL, oidc })
  })
  afterAll(() => gateway.stop())

  test('lets a person confirm, and no key', async () => {
    const { pending_action_id: id } = await askForKey(ada)
    const byKey = await gateway.call('POST', `${path(id)}/confirm`, { token: ben.key })
    expect([byKey.status, byKey.details]).toEqual([409, [{ field: 'decided_by', reason: 'not_a_person' }]])
    const carla = await signedIn(gateway, 'carla')
    expect((await carla.confirm(id)).status).toBe(303)
    expect(await statusOf(id)).toBe('done')
  })

  test('refuses to let a person confirm the request of a key that she created', async () => {
    const made = await fixture.newKeyBy(ada, 'admin')
    await fixture.sql('UPDATE staff_keys SET made_by = $1 WHERE staff_key_id = $2', ['oidc:dora', made.id])
    const further = await fixture.newKeyBy(made, 'admin')
    const { pending_action_id: id } = await askForKey(further)
    const dora = await signedIn(gateway, 'dora')
    const refused = await dora.confirm(id)
    expect([refused.status, refused.text.includes('You requested this action yourself')]).toEqual([409, true])
    expect(await statusOf(id)).toBe('waiting')
    const emil = await signedIn(gateway, 'emil')
    expect((await emil.confirm(id)).status).toBe(303)
    expect(await statusOf(id)).toBe('done')
  })
})

test('treats the key of the setting and the keys that it created as one person, and other people as different', () => {
  expect([
    isSamePerson('stk_1', 'stk_1'),
    isSamePerson('operator:00000000', 'operator:11111111'),
    isSamePerson('stk_1', 'operator:00000000'),
    isSamePerson('operator:00000000', 'stk_1'),
    isSamePerson('stk_1', 'stk_2'),
    isSamePerson('oidc:ada', 'operator:00000000'),
    isSamePerson('oidc:ada', 'oidc:ben'),
  ]).toEqual([true, true, true, true, false, false, false])
})

test('finds an action by its target, first among the waiting actions and then among the decided ones', async () => {
  const { partner } = await newPartner(fixture.plain)
  await askForKey(ada)
  const action = actionIn(await ada.ask('POST', `/partners/${partner.partner_id}/portal-links`))
  const listed = async (status: string, target = partner.partner_id) =>
    actionsIn(await ben.ask('GET', `/pending-actions?status=${status}&target=${target}`))
  expect([await listed('waiting'), await listed('decided')]).toEqual([[action.pending_action_id], []])
  expect(await listed('waiting', 'prt_other')).toEqual([])
  await ben.decide(action, 'decline')
  expect([await listed('waiting'), await listed('decided')]).toEqual([[], [action.pending_action_id]])
})
