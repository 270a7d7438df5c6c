import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, queryNone } from '@causeway/chassis'
import { customers, relationships } from '@causeway/contracts'
import { newPartner, OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(() => onboarding.stop())

const [alpha, beta] = [newPartner(), newPartner()]
const DAY_MS = 24 * 3_600_000
const FIRST_DAY = Date.parse('2026-01-01T00:00:00.000Z')
const dayOf = (day: number): string => new Date(FIRST_DAY + day * DAY_MS).toISOString()

const moveTo = queryNone({
  name: 'test.move-to',
  parameters: { id: 'text', at: 'timestamptz' },
  text: 'UPDATE relationships SET created_at = :at WHERE id = :id',
})

/** Signs up a customer of a day, and revokes it if need be. @returns its external id */
const add = async (partner: typeof alpha, day: number, isRevoked = false): Promise<string> => {
  const name = `shop-${day}-${partner === alpha ? 'alpha' : 'beta'}`
  const { partner_customer_id: id } = await onboarding.newCustomer(partner, name, `${name}@example.com`)
  await moveTo(onboarding.db, { id, at: new Date(dayOf(day)) })
  if (isRevoked) await onboarding.ask(relationships.revoke, OPERATOR, { params: { partnerCustomerId: id } })
  return name
}

const ask = (query: Readonly<Record<string, unknown>>) =>
  onboarding.ask(relationships.listByStaff, OPERATOR, { query })
const page = async (query: Readonly<Record<string, unknown>>) => {
  const answer = await ask(query)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}

/** The external ids of a list, read to its end. */
const read = async (query: Readonly<Record<string, unknown>>): Promise<string[]> => {
  const names: string[] = []
  let cursor: string | null = null
  do {
    const found: Awaited<ReturnType<typeof page>> = await page({
      ...query,
      limit: '2',
      ...(cursor !== null && { cursor }),
    })
    names.push(...found.customers.map((row) => row.external_customer_id))
    cursor = found.next_cursor
  } while (cursor !== null)
  return names
}

it('lists the customers of all partners for staff, newest first, by partner, status and time', async () => {
  const [one, two, three, four, five] = [
    await add(alpha, 1),
    await add(beta, 2),
    await add(alpha, 3, true),
    await add(beta, 3),
    await add(alpha, 5),
  ]
  const everyone = await read({})
  expect([everyone[0], everyone.slice(1, 3).toSorted(), everyone.slice(3)]).toEqual([
    five,
    [three, four].toSorted(),
    [two, one],
  ])
  expect(await read({ partner_id: alpha.partnerId })).toEqual([five, three, one])
  expect(await read({ partner_id: alpha.partnerId, relationship_status: 'active' })).toEqual([five, one])
  expect(await read({ partner_id: beta.partnerId, relationship_status: 'revoked' })).toEqual([])
  expect(await read({ relationship_status: 'revoked' })).toEqual([three])
  expect(await read({ relationship_status: 'active' })).toEqual([five, four, two, one])
  expect(await read({ since: dayOf(2), until: dayOf(5) })).toEqual([...everyone.slice(1, 3), two])
  expect(await read({ since: dayOf(3), partner_id: alpha.partnerId, until: dayOf(5) })).toEqual([three])
  expect(await read({ since: dayOf(6) })).toEqual([])
  expect(await read({ partner_id: newId('partner') })).toEqual([])
})

it('shows the partner, the e-mail address, the link and the case of each listed customer', async () => {
  const name = await add(beta, 9)
  const { customers: rows } = await page({ limit: '1' })
  expect(rows).toMatchObject([
    {
      external_customer_id: name,
      partner_id: beta.partnerId,
      relationship_status: 'active',
      created_at: dayOf(9),
      link_confirmed: true,
      verification_status: null,
      customer: { email: `${name}@example.com`, name: null, country: null },
    },
  ])
})

it('refuses the cursor of another filter, of the partner’s list and of nobody, and values that are no filter', async () => {
  const { next_cursor: cursor } = await page({ limit: '1', relationship_status: 'active' })
  expect(await ask({ limit: '1', cursor, relationship_status: 'active' })).toMatchObject({ ok: true })
  const ofPartner = await onboarding.ask(customers.list, alpha, { query: { limit: '1' } })
  const foreign = ofPartner.ok ? ofPartner.value.next_cursor : null
  expect(foreign).not.toBeNull()
  for (const query of [
    { cursor },
    { cursor, relationship_status: 'revoked' },
    { cursor, relationship_status: 'active', partner_id: alpha.partnerId },
    { cursor, relationship_status: 'active', until: dayOf(5) },
    { cursor: foreign },
    { cursor: foreign, partner_id: alpha.partnerId },
    { cursor: 'x’ OR 1=1' },
    { cursor: ['a', 'b'] },
  ])
    expect(await ask(query)).toMatchObject({ code: 'invalid_cursor' })
  for (const query of [
    { partner_id: 'prt_' },
    { partner_id: `${alpha.partnerId}|active` },
    { relationship_status: 'deleted' },
    { relationship_status: ['active', 'revoked'] },
    { since: 'yesterday' },
    { until: '2026-13-01T00:00:00Z' },
  ])
    expect(await ask(query)).toMatchObject({ code: 'invalid_request' })
})

it('is for staff alone', async () => {
  expect(await onboarding.ask(relationships.listByStaff, alpha, { query: {} })).toMatchObject({ ok: false })
})
