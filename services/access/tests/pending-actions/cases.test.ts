import { newId, SECRET_EVENTS } from '@causeway/chassis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { operationRoutes } from '@causeway/contracts/http'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import {
  actionIn,
  HELD_SUBJECTS,
  openFourEyes,
  type FourEyesFixture,
  type Person,
} from '../../../gateway/tests/fixtures/four-eyes.ts'

let fixture: FourEyesFixture
let rosa: Person
let ruth: Person
let admin: Person

beforeAll(async () => {
  fixture = await openFourEyes()
  rosa = await fixture.newPerson('reviewer')
  ruth = await fixture.newPerson('reviewer')
  admin = await fixture.newPerson('admin')
})
afterAll(() => fixture.close())

describe('an approval', () => {
  beforeEach(() => {
    Object.assign(fixture.fakeCase, {
      status: 'pending',
      approvedBy: [],
      losesAnswer: false,
      version: 1,
      editedAt: null,
      beforeApproval: () => undefined,
    })
    fixture.fakeCase.submittedAt = new Date(Date.parse(fixture.fakeCase.submittedAt) + 1_000).toISOString()
  })
  const approve = (person: Person, version?: number) =>
    person.ask(
      'POST',
      `/verifications/${fixture.fakeCase.id}/approve`,
      version === undefined ? undefined : { version },
    )

  test('is carried out as who asked for it, once a second person confirms', async () => {
    const held = await approve(rosa)
    expect([held.status, actionIn(held)]).toMatchObject([
      202,
      { role: 'reviewer', before: { status: 'pending', submitted_at: fixture.fakeCase.submittedAt } },
    ])
    expect(fixture.fakeCase.approvedBy).toEqual([])
    expect(actionIn(await ruth.decide(actionIn(held), 'confirm'))).toMatchObject({
      status: 'done',
      has_result: true,
    })
    expect(fixture.fakeCase.approvedBy).toEqual([rosa.id])
    const entry = (await fixture.audit()).find(
      ({ action, confirmed_by: second }) => action === 'onboarding.reviews.approve' && second !== undefined,
    )
    expect(entry).toMatchObject({
      actor: rosa.id,
      confirmed_by: ruth.id,
      target: fixture.fakeCase.id,
      after: { verification: { status: 'approved' } },
    })
  })

  test('needs one person alone where the setting does not name it', async () => {
    const path = `/verifications/${fixture.fakeCase.id}/approve`
    expect((await fixture.plain.operate('POST', path)).status).toBe(200)
    const keysAlone = await fixture.startReplica({ fourEyes: new Set(['keys']) })
    fixture.fakeCase.status = 'pending'
    expect((await keysAlone.operate('POST', path)).status).toBe(200)
    await keysAlone.stop()
  })

  test('of a case that has changed since is not carried out', async () => {
    const action = actionIn(await approve(rosa))
    fixture.fakeCase.submittedAt = '2026-05-05T05:05:05.555Z'
    const refused = await ruth.decide(action, 'confirm')
    expect([refused.status, refused.details]).toEqual([
      409,
      [{ from: 'waiting', to: 'confirmed', reason: 'changed' }],
    ])
    expect(fixture.fakeCase.approvedBy).toEqual([])
    expect((await admin.decide(action, 'confirm')).details).toEqual([{ from: 'outdated', to: 'confirmed' }])
  })

  test('of a version that is not the present one is refused at once', async () => {
    fixture.fakeCase.version = 2
    const refused = await approve(rosa, 1)
    expect([refused.status, refused.details]).toEqual([
      409,
      [{ from: 'pending', to: 'approved', reason: 'modified', version: 2, edited_at: null }],
    ])
  })

  test('without a version, of a case that was edited after its submission, is refused at once', async () => {
    Object.assign(fixture.fakeCase, { version: 2, editedAt: '2026-05-05T05:05:05.555Z' })
    expect((await approve(rosa)).details).toMatchObject([{ reason: 'modified' }])
    expect((await approve(rosa, 2)).status).toBe(202)
  })

  test('of a case that was edited since the first person read it is outdated for both', async () => {
    const action = actionIn(await approve(rosa, 1))
    Object.assign(fixture.fakeCase, { version: 2, editedAt: '2026-05-05T05:05:05.555Z' })
    expect((await ruth.decide(action, 'confirm')).details).toEqual([
      { from: 'waiting', to: 'confirmed', reason: 'changed' },
    ])
    expect(fixture.fakeCase.approvedBy).toEqual([])
  })

  test('that an edit overtakes between comparison and approval is outdated too', async () => {
    const action = actionIn(await approve(rosa, 1))
    fixture.fakeCase.beforeApproval = () => (fixture.fakeCase.version = 2)
    expect((await ruth.decide(action, 'confirm')).details).toEqual([
      { from: 'waiting', to: 'confirmed', reason: 'changed' },
    ])
    expect(fixture.fakeCase.approvedBy).toEqual([])
    const path = `/pending-actions/${action.pending_action_id}`
    expect(actionIn(await rosa.ask('GET', path)).status).toBe('outdated')
  })

  test('of a case that is not pending is refused at once', async () => {
    fixture.fakeCase.status = 'rejected'
    const refused = await approve(rosa)
    expect([refused.status, refused.details]).toEqual([409, [{ from: 'rejected', to: 'approved' }]])
  })

  test('is carried out once by several confirmations at once', async () => {
    const action = actionIn(await approve(rosa))
    const answers = await Promise.all(
      [ruth, admin, ruth, admin].map((person, index) =>
        person.at(index % 2 === 0 ? fixture.gateway : fixture.other).decide(action, 'confirm'),
      ),
    )
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(fixture.fakeCase.approvedBy).toEqual([rosa.id])
  })

  test('whose outcome is unknown may be confirmed again, and is done once', async () => {
    const action = actionIn(await approve(rosa))
    fixture.fakeCase.losesAnswer = true
    expect(actionIn(await ruth.decide(action, 'confirm')).status).toBe('unknown')
    expect(actionIn(await admin.decide(action, 'confirm'))).toMatchObject({
      status: 'done',
      code: 'invalid_state',
    })
    expect(fixture.fakeCase.approvedBy).toEqual([rosa.id])
  })

  test('of which a kill left nothing but the claim is unknown two minutes later, and is then carried out', async () => {
    const action = actionIn(await approve(rosa))
    const path = `/pending-actions/${action.pending_action_id}`
    await fixture.sql(
      `UPDATE pending_actions SET status = 'confirmed', decided_by = $1, decided_at = $2, execution_id = 'req_dead'
       WHERE pending_action_id = $3`,
      [ruth.id, fixture.clock.now(), action.pending_action_id],
    )
    expect((await admin.decide(action, 'confirm')).details).toEqual([{ from: 'confirmed', to: 'confirmed' }])
    fixture.clock.advance(121_000)
    expect(actionIn(await rosa.ask('GET', path)).status).toBe('unknown')
    expect((await rosa.decide(action, 'confirm')).details).toMatchObject([{ reason: 'same_person' }])
    expect(actionIn(await admin.decide(action, 'confirm')).status).toBe('done')
    expect(fixture.fakeCase.approvedBy).toEqual([rosa.id])
  })
})

describe('a suspension', () => {
  const suspend = (person: Person, ...capabilities: string[]) =>
    person.ask('PUT', `/merchants/${KNOWN_MERCHANT}/suspension`, { capabilities })

  test('counts at once, and is lifted by two persons', async () => {
    expect((await suspend(rosa, 'payouts')).status).toBe(200)
    expect((await suspend(rosa, 'payouts', 'refunds')).status).toBe(200)
    const held = await suspend(rosa, 'refunds')
    expect([held.status, actionIn(held).before]).toEqual([202, { capabilities: ['payouts', 'refunds'] }])
    expect(fixture.script.suspended).toEqual(['payouts', 'refunds'])
    expect(actionIn(await ruth.decide(actionIn(held), 'confirm')).status).toBe('done')
    expect(fixture.script.suspended).toEqual(['refunds'])
  })

  test('that came after the request is not lifted with it', async () => {
    fixture.script.suspended = ['payouts']
    const held = await suspend(rosa)
    expect((await suspend(admin, 'payouts', 'refunds')).status).toBe(200)
    expect((await ruth.decide(actionIn(held), 'confirm')).details).toMatchObject([{ reason: 'changed' }])
    expect(fixture.script.suspended).toEqual(['payouts', 'refunds'])
  })
})

test('a request that is wrong is refused at once, and waits for nobody', async () => {
  const answers = [
    await admin.ask('POST', '/staff-keys', { name: '', role: 'viewer' }),
    await admin.ask('POST', '/staff-keys', { name: 'Ada', role: 'viewer', extra: 1 }),
    await admin.ask('POST', '/merchants/cus_unknown/api-keys'),
    await admin.ask('POST', `/merchants/${newId('merchant')}/api-keys`),
  ]
  expect(answers.map(({ code }) => code)).toEqual([
    'invalid_request',
    'invalid_request',
    'resource_not_found',
    'resource_not_found',
  ])
})

test('every operation of staff that makes a credential is among those that keys holds up', () => {
  const made = operationRoutes
    .filter(({ role, operation }) => {
      const event = SECRET_EVENTS.get(operation.subject)?.[0]
      return role !== null && (event === 'secret.created' || event === 'secret.rotated')
    })
    .map(({ operation }) => operation.subject)
  expect(made.filter((subject) => !HELD_SUBJECTS.includes(subject))).toEqual([])
  const ofStaff = new Set(
    operationRoutes.filter(({ role }) => role !== null).map((route) => route.operation.subject),
  )
  expect(HELD_SUBJECTS.filter((subject) => !ofStaff.has(subject))).toEqual([])
})
