import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { capabilities, relationships, reviews } from '@causeway/contracts'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { PERSON } from '../verifications/kyb-data.ts'
import { OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

/*
 * For an action of staff that a second person confirms (decisions §14), access reads the state that the action would
 * change, and sends it with the confirmed action.
 */
let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(() => onboarding.stop())

const CHANGED = { ok: false, code: 'invalid_state', details: [{ reason: 'not_as_expected' }] }

test('approves a case only in the state that the first person saw', async () => {
  const customer = await kyb.newPending()
  const params = { verificationId: customer.verificationId }
  const prepare = async () => valueOf(await onboarding.ask(reviews.prepareApproval, OPERATOR, { params }))
  const approve = (expected: unknown) => onboarding.ask(reviews.approve, OPERATOR, { params, expected })
  const { before, groups } = await prepare()
  expect([before, groups]).toEqual([
    { status: 'pending', submitted_at: expect.any(String), version: expect.any(Number), edited_at: null },
    ['approval'],
  ])
  await kyb.reject(customer.verificationId)
  await kyb.write(customer, { directors: [PERSON] })
  expect(await approve(before)).toEqual(CHANGED)
  // The release before stored no version for a case of an older release.
  expect(await approve({ status: 'pending', submitted_at: before.submitted_at })).toEqual(CHANGED)
  expect(await kyb.stored(customer)).toMatchObject({ status: 'pending' })
  expect(await approve((await prepare()).before)).toMatchObject({ ok: true })
})

test('prepares no approval that would be refused', async () => {
  const customer = await kyb.newPending()
  const prepare = (verificationId: string, version?: number) =>
    onboarding.ask(reviews.prepareApproval, OPERATOR, { params: { verificationId }, body: { version } })
  const version = await kyb.versionOf(customer.verificationId)
  expect(await prepare(customer.verificationId, version + 1)).toMatchObject({
    code: 'invalid_state',
    details: [{ from: 'pending', to: 'approved', reason: 'modified', version, edited_at: null }],
  })
  await kyb.reject(customer.verificationId)
  expect(await prepare(customer.verificationId)).toEqual({
    ok: false,
    code: 'invalid_state',
    details: [{ from: 'rejected', to: 'approved' }],
  })
  expect(await prepare('ver_unknown')).toEqual({ ok: false, code: 'resource_not_found' })
})

test('reinstates a relationship only in the state that the first person saw', async () => {
  const { id: partnerCustomerId } = await kyb.newPending()
  const params = { partnerCustomerId }
  const reinstate = (expected: unknown) =>
    onboarding.ask(relationships.reinstate, OPERATOR, { params, expected })
  const prepare = () => onboarding.ask(relationships.prepareReinstatement, OPERATOR, { params })
  const active = { ok: false, code: 'invalid_state', details: [{ from: 'active', to: 'active' }] }
  expect(await prepare()).toEqual(active)
  await onboarding.revoke(partnerCustomerId)
  const { before, groups } = valueOf(await prepare())
  expect([before, groups]).toEqual([{ relationship_status: 'revoked' }, ['reinstatement']])
  expect(await reinstate({ relationship_status: 'active' })).toEqual(CHANGED)
  expect(await reinstate({})).toEqual(CHANGED)
  expect(await reinstate(before)).toMatchObject({
    ok: true,
    value: { customer: { relationship_status: 'active' } },
  })
  expect(await reinstate(before)).toEqual(active)
})

test('replaces suspended capabilities only if they are those that the first person saw', async () => {
  const customer = await kyb.newPending()
  const { customer_id: customerId } = valueOf(await kyb.getCase(customer.verificationId)).verification
  const ask = (operation: 'suspend' | 'prepareSuspension', names: readonly string[], expected?: unknown) =>
    onboarding.ask(capabilities[operation], OPERATOR, {
      params: { customerId },
      body: { capabilities: names },
      expected,
    })
  expect(await ask('prepareSuspension', ['payouts'])).toMatchObject({
    value: { before: { capabilities: [] }, groups: [] },
  })
  await ask('suspend', ['payouts'])
  expect(await ask('prepareSuspension', [])).toMatchObject({
    value: { before: { capabilities: ['payouts'] }, groups: ['reinstatement'] },
  })
  await ask('suspend', ['payouts', 'refunds'])
  expect(await ask('suspend', [], { capabilities: ['payouts'] })).toEqual(CHANGED)
  expect(await ask('suspend', ['payouts'], { capabilities: ['payouts', 'refunds'] })).toMatchObject({
    value: { capabilities: ['payouts'] },
  })
})
