import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { brands, personalData } from '@causeway/contracts'
import {
  newPartner,
  OPERATOR,
  startForTests,
  type Partner,
  type RunningOnboarding,
} from '../running-onboarding.ts'
import { png } from './images.ts'

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(() => onboarding.stop())

let customers = 0
const newCustomer = async (partner: Partner, email?: string) => {
  customers += 1
  return onboarding.newCustomer(partner, `shop-${customers}`, email ?? `brand-${customers}@example.com`)
}
const valueOf = <T>(answer: Readonly<{ ok: true; value: T }> | Readonly<{ ok: false }>): T => {
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  return answer.value
}

const NOT_FOUND = { ok: false, code: 'resource_not_found' }
const UNSET = { name: null, accent_color: null, support_address: null, logo: null }
const ACME = { name: 'Acme', accent_color: '#0d5c46', support_address: 'help@acme.example' }

const get = (partner: Partner) => onboarding.ask(brands.get, partner, {})
const put = (partner: Partner, body: object) => onboarding.ask(brands.put, partner, { body })
const of = (customerId: string) => ({ params: { customerId } })
const getOf = (partner: Partner, id: string) => onboarding.ask(brands.getOfCustomer, partner, of(id))
const putOf = (partner: Partner, id: string, body: object) =>
  onboarding.ask(brands.putOfCustomer, partner, { ...of(id), body })
const logoBody = (bytes: Buffer) => ({ body: { content_base64: bytes.toString('base64') } })
const shown = async (page: object) =>
  valueOf(await onboarding.ask(brands.getShown, { kind: 'public' }, { body: page })).brand

describe('the brand of a partner', () => {
  it('is unset at first, is replaced as a whole, and shows in the next read', async () => {
    const partner = newPartner()
    expect(valueOf(await get(partner))).toEqual({ brand: UNSET })
    expect(valueOf(await put(partner, { ...ACME, accent_color: '#0D5C46' }))).toEqual({
      brand: { ...ACME, logo: null },
    })
    expect(valueOf(await put(partner, { name: 'Acme & Söhne' }))).toEqual({
      brand: { ...UNSET, name: 'Acme & Söhne' },
    })
    expect(valueOf(await get(partner))).toEqual({ brand: { ...UNSET, name: 'Acme & Söhne' } })
  })

  it.each([
    ['accent_color', 'red'],
    ['accent_color', '#fff'],
    ['accent_color', '#0d5c46;}body{display:none'],
    ['support_address', 'javascript:alert(1)'],
    ['support_address', 'http://acme.example'],
    ['support_address', 'https://user:password@acme.example'],
    ['support_address', 'call us'],
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['name', 'a\u0000b'],
    ['background', '#ffffff'],
  ])('refuses the %s %j', async (field, value) => {
    expect(await put(newPartner(), { [field]: value })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      details: [{ field }],
    })
  })

  it('is also set by staff, and by nobody for another partner', async () => {
    const partner = newPartner()
    const params = { partnerId: partner.partnerId }
    await onboarding.ask(brands.putByStaff, OPERATOR, { params, body: ACME })
    expect(valueOf(await get(partner)).brand).toEqual({ ...ACME, logo: null })
    expect(valueOf(await get(newPartner())).brand).toEqual(UNSET)
  })
})

describe('the brand of a customer', () => {
  it('takes each field that it does not set from the partner', async () => {
    const partner = newPartner()
    const { partner_customer_id: id } = await newCustomer(partner)
    await put(partner, ACME)
    expect(valueOf(await getOf(partner, id))).toEqual({
      brand: UNSET,
      effective_brand: { ...ACME, logo: null },
    })
    expect(valueOf(await putOf(partner, id, { name: 'Corner Shop' }))).toEqual({
      brand: { ...UNSET, name: 'Corner Shop' },
      effective_brand: { ...ACME, name: 'Corner Shop', logo: null },
    })
    expect(valueOf(await get(partner)).brand).toEqual({ ...ACME, logo: null })
  })

  it('is neither read nor written by another partner, or after the relationship has ended', async () => {
    const [owner, other] = [newPartner(), newPartner()]
    const { partner_customer_id: id } = await newCustomer(owner)
    await putOf(owner, id, ACME)
    const attempts = (partner: Partner, customerId: string) => [
      getOf(partner, customerId),
      putOf(partner, customerId, { name: 'Mine' }),
      onboarding.ask(brands.putLogoOfCustomer, partner, { ...of(customerId), ...logoBody(png(4, 4)) }),
      onboarding.ask(brands.deleteLogoOfCustomer, partner, of(customerId)),
    ]
    for (const attempt of [...attempts(other, id), ...attempts(owner, newId('relationship'))])
      expect(await attempt).toMatchObject(NOT_FOUND)
    expect(valueOf(await getOf(owner, id)).brand).toEqual({ ...ACME, logo: null })
    await onboarding.revoke(id)
    for (const attempt of attempts(owner, id)) expect(await attempt).toMatchObject(NOT_FOUND)
  })

  it('is deleted by the erasure of the customer', async () => {
    const partner = newPartner()
    const { partner_customer_id: id } = await newCustomer(partner)
    await put(partner, { name: 'Acme' })
    await putOf(partner, id, { name: 'Jane Doe', support_address: 'jane@example.com' })
    await onboarding.revoke(id)
    await onboarding.ask(personalData.erase, OPERATOR, { params: { partnerCustomerId: id } })
    expect(await shown({ partner_customer_id: id })).toEqual({ ...UNSET, name: 'Acme' })
  })
})

describe('the brand that a page shows', () => {
  it('is a relationship’s for buyers, a partner’s for its people, and the only partner’s for a merchant', async () => {
    const [first, second] = [newPartner(), newPartner()]
    const made = await newCustomer(first, 'two-partners@example.com')
    await put(first, ACME)
    await putOf(first, made.partner_customer_id, { name: 'Corner Shop' })
    expect(await shown({ partner_customer_id: made.partner_customer_id })).toEqual({
      ...ACME,
      name: 'Corner Shop',
      logo: null,
    })
    expect(await shown({ partner_id: first.partnerId })).toEqual({ ...ACME, logo: null })
    expect(await shown({ merchant_id: made.customer_id })).toEqual({ ...ACME, logo: null })
    await newCustomer(second, 'two-partners@example.com')
    expect(await shown({ merchant_id: made.customer_id })).toBeNull()
  })

  it('is null for an unknown relationship, and for a partner without a brand', async () => {
    expect(await shown({ partner_customer_id: newId('relationship') })).toBeNull()
    expect(await shown({ partner_id: newPartner().partnerId })).toBeNull()
    expect(await shown({})).toBeNull()
  })
})
