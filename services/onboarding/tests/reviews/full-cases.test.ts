import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { documents, requirements, type KybWrite } from '@causeway/contracts'
import { bytesOf, costly, filling, MAX_REPLY_BYTES, walk } from '../full-lists.ts'
import { kybCalls, valueOf, type KybCalls, type KybCustomer } from '../verifications/kyb-calls.ts'
import { COMPLETE } from '../verifications/kyb-data.ts'
import { keepBaselines } from '../../src/verifications/submission-store.ts'
import { OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

const KIB = 1024
const tooLarge = (field: string, limit: number) => ({
  ok: false,
  code: 'validation_failed',
  details: [{ field, reason: 'too_large', limit }],
})

let onboarding: RunningOnboarding
let kyb: KybCalls
let fill: ReturnType<typeof filling>
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
  fill = filling(onboarding)
})
afterAll(() => onboarding.stop())

/** `additional_data` of exactly this many bytes: `{"k00":"…",…}` with texts of at most 2,000 characters, in lists. */
const additionalOf = (bytes: number) => {
  const data: Record<string, string[]> = {}
  for (let key = 0; bytesOf(data) < bytes - 60_000; key += 1)
    data[`k${key}`] = Array.from({ length: 25 }, () => 'x'.repeat(2_000))
  const last: string[] = (data['last'] = [''])
  while (bytesOf(data) + 3_000 < bytes) last.push('x'.repeat(2_000))
  last[0] = 'x'.repeat(bytes - bytesOf(data))
  return data
}

const person = {
  full_name: 'n'.repeat(500),
  date_of_birth: '1985-12-10',
  nationality: 'GB',
  country: 'GB',
  email: `${'e'.repeat(60)}@${'example.'.repeat(20)}com`,
  phone: 'p'.repeat(500),
  address_line1: 'a'.repeat(500),
  city: 'c'.repeat(500),
  postal_code: 'z'.repeat(500),
} as const

/** Every field at its limit. */
const LARGEST: KybWrite = {
  ...COMPLETE,
  business: {
    ...COMPLETE.business,
    legal_name: costly(500),
    trading_name: costly(500),
    registration_number: costly(500),
  },
  registered_address: {
    line1: costly(500),
    line2: costly(500),
    city: costly(500),
    postal_code: costly(500),
    country: 'GB',
  },
  contact: { ...COMPLETE.contact, first_name: costly(500), last_name: costly(500), phone: costly(500) },
  directors: Array.from({ length: 20 }, () => person),
  ubos: Array.from({ length: 20 }, () => ({ ...person, ownership_percent: 33.333333333333336 })),
  consent: { version: costly(500) },
}

const fillRecord = async (customer: KybCustomer) => {
  await kyb.write(customer, LARGEST)
  return kyb.write(customer, { additional_data: additionalOf(256 * KIB) })
}

describe('additional_data', () => {
  it('can have 256 KiB as compact JSON after the merge; one byte more is refused, and nothing is stored', async () => {
    const customer = await kyb.newCustomer()
    const { last, ...data } = additionalOf(256 * KIB)
    const [first = '', ...rest] = last ?? []
    await kyb.write(customer, { additional_data: data })
    const before = await kyb.stored(customer)
    const refused = await kyb.submit(customer.partner, customer.id, {
      business: { legal_name: 'Not stored' },
      additional_data: { last: [`${first}x`, ...rest] },
    })
    expect(refused).toEqual(tooLarge('additional_data', 262_144))
    expect(await kyb.stored(customer)).toEqual(before)
    const { verification } = await kyb.write(customer, { additional_data: { last: [first, ...rest] } })
    expect(bytesOf(verification.additional_data)).toBe(256 * KIB)
  })

  it('counts bytes of UTF-8, and accepts a write that makes room', async () => {
    const customer = await kyb.newCustomer()
    const emoji = (count: number) => Array.from({ length: count }, () => '😀'.repeat(2_000))
    await kyb.write(customer, { additional_data: { a: emoji(32) } })
    expect(await kyb.submit(customer.partner, customer.id, { additional_data: { b: emoji(1) } })).toEqual(
      tooLarge('additional_data', 262_144),
    )
    await kyb.write(customer, { additional_data: { a: null, b: emoji(31) } })
  })
})

describe('people', () => {
  it('can have 500 characters in every field, and are bounded in bytes beyond that', async () => {
    const customer = await kyb.newCustomer()
    const long = { ...person, email: 'e'.repeat(500), date_of_birth: 'd'.repeat(500) }
    const many = (more: object) => Array.from({ length: 20 }, () => ({ ...long, ...more }))
    await kyb.write(customer, { directors: many({}), ubos: many({ ownership_percent: 33.333333333333336 }) })
    const directors = many({ full_name: costly(500) })
    expect(await kyb.submit(customer.partner, customer.id, { directors })).toEqual(
      tooLarge('directors', 80 * KIB),
    )
  })
})

describe('a case filled to every limit', () => {
  it('is read by its partner, and by staff to the last document before they approve', async () => {
    const email = 'largest@example.com'
    const customers = await Promise.all(Array.from({ length: 4 }, () => kyb.newCustomer(email)))
    const [first] = customers
    if (!first) throw new Error('No customer')
    const merchant = first.merchant
    const made = new Map<string, string[]>()
    // All that is written from here on is a change, as after a decision.
    for (const customer of customers) await kyb.write(customer)
    const { verification_id: verificationId } = await kyb.stored(first)
    await keepBaselines(onboarding.db, { verificationId, now: onboarding.clock.now() })
    for (const customer of customers) {
      const written = await fillRecord(customer)
      expect(bytesOf(written)).toBeLessThanOrEqual(MAX_REPLY_BYTES)
      made.set(customer.id, await fill.documents(customer.partner.partnerId, customer.id, 120))
      await fill.requirements(merchant, customer.partner.partnerId, 100)
    }
    const stored = await kyb.stored(first)
    expect(bytesOf(stored)).toBeGreaterThan(400 * KIB)
    expect(bytesOf(stored)).toBeLessThanOrEqual(MAX_REPLY_BYTES)

    const pages = await walk((query) => kyb.getCase(stored.verification_id, query))
    const files = pages.flatMap((page) => page.verification.relationships)
    expect(files.map((file) => file.partner_customer_id).sort()).toEqual([...made.keys()].sort())
    expect(files.map((file) => file.created_at)).toEqual(files.map((file) => file.created_at).sort())
    expect(files.map(({ changes }) => changes?.complete)).toEqual(customers.map(() => false))
    expect(files.find((file) => file.partner_customer_id === first.id)).toMatchObject({
      additional_data: stored.additional_data,
      directors: stored.directors,
    })
    for (const file of files) {
      const { partner_customer_id: id, documents: shown, documents_next_cursor: cursor } = file
      const read = (query: Record<string, string>) =>
        onboarding.ask(documents.listByStaff, OPERATOR, { params: { partnerCustomerId: id }, query })
      const rest = cursor === null ? [] : await walk(read, cursor)
      const all = [...shown, ...rest.flatMap((page) => page.documents)]
      expect(all.map((document) => document.document_id)).toEqual(made.get(id))
    }
    const { requirements: shown, requirements_next_cursor: cursor } = pages[0]?.verification ?? {}
    const rest = await walk(
      (query) =>
        onboarding.ask(requirements.listByStaff, OPERATOR, { params: { customerId: merchant }, query }),
      cursor ?? null,
    )
    const listed = [...(shown ?? []), ...rest.flatMap((page) => page.requirements)]
    expect(new Set(listed.map((requirement) => requirement.requirement_id)).size).toBe(400)
    expect(listed).toHaveLength(400)
  })

  it('is on one page with little data, and refuses cursors of another case', async () => {
    const [one, two] = [await kyb.newPending(), await kyb.newPending()]
    const other = await kyb.newCustomer('second@example.com')
    await kyb.write(other)
    const page = valueOf(await kyb.getCase(one.verificationId))
    expect(page.next_cursor).toBeNull()
    expect(page.verification.requirements_next_cursor).toBeNull()
    expect(page.verification.relationships[0]).toMatchObject({ documents_next_cursor: null })
    const shared = await kyb.newCustomer('shared-case@example.com')
    const again = await kyb.newCustomer('shared-case@example.com')
    const { verification } = await kyb.write(shared)
    await kyb.write(again)
    const half = valueOf(await kyb.getCase(verification.verification_id, { limit: '1' }))
    const cursor = String(half.next_cursor)
    expect(
      valueOf(await kyb.getCase(verification.verification_id, { cursor })).verification.relationships,
    ).toHaveLength(1)
    expect(await kyb.getCase(two.verificationId, { cursor })).toEqual({ ok: false, code: 'invalid_cursor' })
  })

  it('is approved by its one complete submission, the last on the list', async () => {
    const email = 'last-of-many@example.com'
    const customers = []
    for (let n = 0; n < 24; n += 1) {
      const customer = await kyb.newCustomer(email)
      await kyb.write(customer)
      customers.push(customer)
      onboarding.clock.advance(1)
    }
    const last = customers.at(-1)
    if (!last) throw new Error('No customer')
    await kyb.addDocuments(last.partner, last.id)
    const { verification } = await kyb.write(last, COMPLETE)
    expect(await kyb.approve(verification.verification_id)).toMatchObject({ ok: true })
  })
})
