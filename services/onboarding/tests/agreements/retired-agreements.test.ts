import { agreements } from '@causeway/contracts'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { OPERATOR } from '../running-onboarding.ts'
import { startWithAgreements } from './agreement-fixture.ts'

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>
beforeEach(async () => {
  onboarding = await startWithAgreements()
})
afterEach(async () => {
  await onboarding.stop()
})

const list = async (query = {}) => {
  const listed = await onboarding.ask(agreements.listByStaff, OPERATOR, { query })
  if (!listed.ok) throw new Error(listed.code)
  return listed.value
}
const retire = (agreementId: string) =>
  onboarding.ask(agreements.retire, OPERATOR, { params: { agreementId } })
const statuses = async () =>
  (await list()).versions.map(({ version, status, effective_at: at }) => [version, status, at])

describe('versions for staff', () => {
  it('are in force, scheduled or retired, newest first, page by page', async () => {
    const { agreement_id: id } = await onboarding.publish()
    onboarding.clock.advance(1_000)
    await onboarding.publish({ agreement_id: id, version: '2.0' })
    onboarding.clock.advance(1_000)
    const effectiveAt = new Date(onboarding.clock.nowMs() + 86_400_000).toISOString()
    await onboarding.publish({ agreement_id: id, version: '3.0', effective_at: effectiveAt })
    const expected = [
      ['3.0', 'upcoming', effectiveAt],
      ['2.0', 'in_force', null],
      ['1.0', 'retired', null],
    ]
    expect(await statuses()).toEqual(expected)
    const first = await list({ limit: '2' })
    const second = await list({ limit: '2', cursor: first.next_cursor ?? '' })
    expect([...first.versions, ...second.versions].map(({ version }) => version)).toEqual([
      '3.0',
      '2.0',
      '1.0',
    ])
    expect(second.next_cursor).toBeNull()
  })
})

describe('a retired agreement', () => {
  it('is not required any more, and a new version restores it', async () => {
    const customer = await onboarding.customer()
    await onboarding.approveAll()
    const { agreement_id: id } = await onboarding.publish()
    expect(await onboarding.reasonsOf(customer)).toEqual(['agreement_required'])
    expect(await retire(id)).toMatchObject({ ok: true, value: { agreement_id: id, retired: true } })
    expect(await onboarding.reasonsOf(customer)).toEqual([null])
    expect(await onboarding.agreementsOf(customer)).toEqual([])
    expect(await statuses()).toEqual([['1.0', 'retired', null]])
    expect(await onboarding.accept(customer, id)).toMatchObject({ ok: false, code: 'invalid_state' })
    await onboarding.publish({ agreement_id: id, version: '2.0' })
    await eventually(async () => {
      expect(await onboarding.reasonsOf(customer)).toEqual(['agreement_required'])
      return true
    })
  })

  it('cannot be retired twice, nor if it is unknown', async () => {
    const { agreement_id: id } = await onboarding.publish()
    await retire(id)
    expect(await retire(id)).toMatchObject({
      ok: false,
      code: 'invalid_state',
      details: [{ field: 'agreement_id', reason: 'not_in_force' }],
    })
    expect(await retire(id.slice(0, -1) + (id.endsWith('0') ? '1' : '0'))).toMatchObject({
      ok: false,
      code: 'resource_not_found',
    })
  })
})
