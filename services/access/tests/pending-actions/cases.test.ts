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

  test('is carried out in the requester’s name once a second person confirms', async () => {
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

  test('needs only one person where the setting does not name it', async () => {
    const path = `/verifications/${fixture.fakeCase.id}/approve`
    expect((await fixture.plain.operate('POST', path)).status).toBe(200)
    const keysAlone = await fixture.startReplica({ fourEyes: new Set(['keys']) })
    fixture.fakeCase.status = 'pending'
    expect((await keysAlone.operate('POST', path)).status).toBe(200)
    await keysAlone.stop()
  })

  test('is not carried out if the case has changed since the request', async () => {
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

  test('is refused immediately if it names an old version', async () => {
    fixture.fakeCase.version = 2
    const refused = await approve(rosa, 1)
    expect([refused.status, refused.details]).toEqual([
      409,
      [{ from: 'pending', to: 'approved', reason: 'modified', version: 2, edited_at: null }],
    ])
  })

  test('is refused immediately without a version if the case was edited after its submission', async () => {
    Object.assign(fixture.fakeCase, { version: 2, editedAt: '2026-05-05T05:05:05.555Z' })
    expect((await approve(rosa)).details).toMatchObject([{ reason: 'modified' }])
    expect((await approve(rosa, 2)).status).toBe(202)
  })

  test('is outdated if the case was edited since the first person read it', async () => {
    const action = actionIn(await approve(rosa, 1))
    Object.assign(fixture.fakeCase, { version: 2, editedAt: '2026-05-05T05:05:05.555Z' })
    expect((await ruth.decide(action, 'confirm')).details).toEqual([
      { from: 'waiting', to: 'confirmed', reason: 'changed' },
    ])
    expect(fixture.fakeCase.approvedBy).toEqual([])
  })

  test('is outdated if the case is edited between comparison and approval', async () => {
    const action = actionIn(await approve(rosa, 1))
    fixture.fakeCase.beforeApproval = () => (fixture.fakeCase.version = 2)
    expect((await ruth.decide(action, 'confirm')).details).toEqual([
      { from: 'waiting', to: 'confirmed', reason: 'changed' },
    ])
    expect(fixture.fakeCase.approvedBy).toEqual([])
    const path = `/pending-actions/${action.pending_action_id}`
    expect(actionIn(await rosa.ask('GET', path)).status).toBe('outdated')
  })

  test('is refused immediately if the case is not pending', async () => {
    fixture.fakeCase.status = 'rejected'
    const refused = await approve(rosa)
    expect([refused.status, refused.details]).toEqual([409, [{ from: 'rejected', to: 'approved' }]])
  })

  test('is carried out once by several simultaneous confirmations', async () => {
    const action = actionIn(await approve(rosa))
    const answers = await Promise.all(
      [ruth, admin, ruth, admin].map((person, index) =>
        person.at(index % 2 === 0 ? fixture.gateway : fixture.other).decide(action, 'confirm'),
      ),
    )
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(fixture.fakeCase.approvedBy).toEqual([rosa.id])
  })

  test('can be confirmed again if its outcome is unknown, and is done once', async () => {
    const action = actionIn(await approve(rosa))
    fixture.fakeCase.losesAnswer = true
    expect(actionIn(await ruth.decide(action, 'confirm')).status).toBe('unknown')
    expect(actionIn(await admin.decide(action, 'confirm'))).toMatchObject({
      status: 'done',
      code: 'invalid_state',
    })
    expect(fixture.fakeCase.approvedBy).toEqual([rosa.id])
  })

  test('becomes unknown two minutes after a kill that left only the claim, and is then carried out', async () => {
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

  test('applies immediately, and needs two people to be lifted', async () => {
    expect((await suspend(rosa, 'payouts')).status).toBe(200)
    expect((await suspend(rosa, 'payouts', 'refunds')).status).toBe(200)
    const held = await suspend(rosa, 'refunds')
    expect([held.status, actionIn(held).before]).toEqual([202, { capabilities: ['payouts', 'refunds'] }])
    expect(fixture.script.suspended).toEqual(['payouts', 'refunds'])
    expect(actionIn(await ruth.decide(actionIn(held), 'confirm')).status).toBe('done')
    expect(fixture.script.suspended).toEqual(['refunds'])
  })

  test('is not lifted by a request from before it', async () => {
    fixture.script.suspended = ['payouts']
    const held = await suspend(rosa)
    expect((await suspend(admin, 'payouts', 'refunds')).status).toBe(200)
    expect((await ruth.decide(actionIn(held), 'confirm')).details).toMatchObject([{ reason: 'changed' }])
    expect(fixture.script.suspended).toEqual(['payouts', 'refunds'])
  })
})

test('refuses an invalid request immediately, without waiting for a second person', async () => {
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

test('holds every staff operation that creates a credential under the group keys', () => {
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
