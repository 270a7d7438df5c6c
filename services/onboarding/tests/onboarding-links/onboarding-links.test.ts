import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryOne } from '@causeway/chassis'
import { MAX_ONBOARDING_LINKS, onboardingLinks } from '@causeway/contracts'
import { z } from 'zod'
import { newPartner, startForTests, type Partner, type RunningOnboarding } from '../running-onboarding.ts'

const HOUR_MS = 3_600_000
const BASE = 'https://api.example/onboarding/'
const notFound = { ok: false, code: 'resource_not_found' }

const findText = queryOne({
  name: 'test.find-token',
  parameters: { token: 'text' },
  text: 'SELECT count(*) AS total FROM onboarding_links l WHERE l::text LIKE :token',
  row: z.object({ total: z.number() }),
})

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(() => onboarding.stop())

let customers = 0
const newCustomer = async () => {
  const partner = newPartner()
  customers += 1
  const made = await onboarding.newCustomer(partner, 'shop', `link-${customers}@example.com`)
  return { partner, id: made.partner_customer_id }
}
type Customer = Readonly<{ partner: Partner; id: string }>

const tryCreate = ({ partner, id }: Customer, body?: unknown) =>
  onboarding.ask(onboardingLinks.create, partner, { params: { customerId: id }, body })
const create = async (customer: Customer, body?: unknown) => {
  const made = await tryCreate(customer, body)
  if (!made.ok) throw new Error(JSON.stringify(made))
  const { onboarding_link_id: linkId, url, expires_at: expiresAt } = made.value.onboarding_link
  return { linkId, url, expiresAt, token: url.slice(BASE.length) }
}
const open = (token: string) =>
  onboarding.ask(onboardingLinks.open, { kind: 'public' }, { params: { token } })
const end = ({ partner, id }: Customer, onboardingLinkId: string) =>
  onboarding.ask(onboardingLinks.end, partner, { params: { customerId: id, onboardingLinkId } })

describe('an onboarding link', () => {
  it('opens its customer any number of times, for a week by default', async () => {
    const customer = await newCustomer()
    const link = await create(customer, { return_url: 'https://shop.example/back' })
    expect(link.url).toMatch(/^https:\/\/api\.example\/onboarding\/[\w-]{43}$/)
    expect(Date.parse(link.expiresAt)).toBe(onboarding.clock.nowMs() + 168 * HOUR_MS)
    for (const _visit of [1, 2])
      expect(await open(link.token)).toMatchObject({
        ok: true,
        value: {
          onboarding_link_id: link.linkId,
          partner_id: customer.partner.partnerId,
          partner_customer_id: customer.id,
          return_url: 'https://shop.example/back',
          expires_at: link.expiresAt,
        },
      })
    const hour = await create(customer, { expires_in_hours: 1 })
    onboarding.clock.advance(HOUR_MS - 1)
    expect(await open(hour.token)).toMatchObject({ ok: true, value: { return_url: null } })
    onboarding.clock.advance(1)
    expect(await open(hour.token)).toEqual(notFound)
  })

  it('opens nothing when it has ended, expired, never existed or leads to a revoked customer', async () => {
    const customer = await newCustomer()
    const ended = await create(customer)
    expect(await end(customer, ended.linkId)).toMatchObject({ ok: true })
    const live = await create(customer)
    const unknown = await open('A'.repeat(43))
    expect(unknown).toEqual(notFound)
    for (const token of [ended.token, `${live.token}x`, '', "'--", live.token.slice(1)])
      expect(await open(token)).toEqual(unknown)
    expect(await end(customer, ended.linkId)).toEqual(notFound)
    await onboarding.revoke(customer.id)
    expect(await open(live.token)).toEqual(unknown)
    expect(await tryCreate(customer)).toEqual(notFound)
  })

  it('can be created and ended only by its partner', async () => {
    const customer = await newCustomer()
    const link = await create(customer)
    const stranger = { partner: newPartner(), id: customer.id }
    expect(await tryCreate(stranger)).toEqual(notFound)
    expect(await end(stranger, link.linkId)).toEqual(notFound)
    expect(await end(customer, newId('onboardingLink'))).toEqual(notFound)
    expect(await open(link.token)).toMatchObject({ ok: true })
  })

  it('is stored only by its hash', async () => {
    const { token } = await create(await newCustomer())
    expect(await findText(onboarding.db, { token: `%${token}%` })).toEqual({ total: 0 })
  })

  it('is one of at most 100 that are open, also under concurrent requests', async () => {
    const customer = await newCustomer()
    const made = await Promise.all(
      Array.from({ length: MAX_ONBOARDING_LINKS + 5 }, () => tryCreate(customer)),
    )
    expect(made.filter(({ ok }) => ok)).toHaveLength(MAX_ONBOARDING_LINKS)
    expect(made.find(({ ok }) => !ok)).toMatchObject({
      code: 'limit_reached',
      details: [{ resource: 'onboarding_links', limit: MAX_ONBOARDING_LINKS }],
    })
    const first = made.find(({ ok }) => ok)
    await end(customer, first?.ok ? first.value.onboarding_link.onboarding_link_id : '')
    expect(await tryCreate(customer)).toMatchObject({ ok: true })
  })

  it.each([
    [{ expires_in_hours: 0 }, 'expires_in_hours'],
    [{ expires_in_hours: 721 }, 'expires_in_hours'],
    [{ return_url: 'http://shop.example' }, 'return_url'],
    [{ redirect: 'https://shop.example' }, 'redirect'],
  ])('is refused with %j', async (body, field) => {
    const refused = await tryCreate(await newCustomer(), body)
    expect(refused).toMatchObject({ ok: false, code: 'invalid_request', details: [{ field }] })
  })
})
