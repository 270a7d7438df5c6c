import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryMany, queryOne } from '@causeway/chassis'
import type { Customer } from '@causeway/contracts'
import { z } from 'zod'
import { newPartner, startForTests, type Partner, type RunningOnboarding } from '../running-onboarding.ts'

const dumpRows = queryMany({
  name: 'test.dump-rows',
  text: `
    SELECT row::text AS line FROM (
      SELECT to_jsonb(m) AS row FROM merchants m
      UNION ALL SELECT to_jsonb(r) FROM relationships r
      UNION ALL SELECT to_jsonb(o) FROM outbox_events o) AS rows`,
  row: z.object({ line: z.string() }),
})
const countMerchants = queryOne({
  name: 'test.count-merchants',
  text: 'SELECT count(*) AS merchants FROM merchants',
  row: z.object({ merchants: z.number() }),
})
const refusal = (code: string) => ({ ok: false, code })

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(async () => {
  await onboarding.stop()
})

const thirtyTwo = <T>(run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 32 }, (_, index) => run(index)))
const merchantsKept = async () => (await countMerchants(onboarding.db))?.merchants

describe('creating a customer', () => {
  it("links a merchant, grants the partner's defaults, and reads back unchanged", async () => {
    const partner = newPartner(['refunds', 'payments.crypto'])
    const outcome = await onboarding.signUp(partner, 'shop-1', 'Ada@Example.com')
    expect(outcome).toMatchObject({
      ok: true,
      variant: 'created',
      value: {
        external_customer_id: 'shop-1',
        relationship_status: 'active',
        customer: { email: 'Ada@Example.com', name: null, country: null },
      },
    })
    if (!outcome.ok) return
    expect(outcome.value.customer.created_at).toBe(outcome.value.created_at)
    expect(await onboarding.read(partner, outcome.value.partner_customer_id)).toEqual({
      ok: true,
      value: outcome.value,
    })
    const listed = await onboarding.listCapabilities(partner, outcome.value.partner_customer_id)
    if (!listed.ok) throw new Error(listed.code)
    const enabled = listed.value.capabilities.filter((capability) => capability.enabled)
    expect(enabled.map((capability) => capability.capability)).toEqual(['payments.crypto', 'refunds'])
  })

  it('returns the existing customer for the same external id and address, in any case', async () => {
    const partner = newPartner()
    const created = await onboarding.newCustomer(partner, 'shop-1', 'replay@example.com')
    expect(await onboarding.signUp(partner, 'shop-1', 'REPLAY@example.com')).toEqual({
      ok: true,
      variant: 'existing',
      value: created,
    })
  })

  it('refuses a used external id with another address, and leaves no merchant behind', async () => {
    const partner = newPartner()
    await onboarding.newCustomer(partner, 'shop-1', 'one@example.com')
    const before = await merchantsKept()
    expect(await onboarding.signUp(partner, 'shop-1', 'two@example.com')).toEqual(
      refusal('external_id_conflict'),
    )
    expect(await merchantsKept()).toBe(before)
  })

  it('refuses an address that the partner has linked under another external id', async () => {
    const partner = newPartner()
    await onboarding.newCustomer(partner, 'shop-1', 'linked@example.com')
    expect(await onboarding.signUp(partner, 'shop-2', 'Linked@example.com')).toEqual(
      refusal('relationship_conflict'),
    )
  })

  it('gives two partners the same merchant, each its own relationship and its own spelling', async () => {
    const [first, second] = [newPartner(), newPartner()]
    const one = await onboarding.newCustomer(first, 'shared', 'Shared@Example.com')
    onboarding.clock.advance(60_000)
    const two = await onboarding.newCustomer(second, 'shared', 'shared@example.com')
    expect(two.customer_id).toBe(one.customer_id)
    expect(two.partner_customer_id).not.toBe(one.partner_customer_id)
    expect(two.customer).toEqual({
      ...one.customer,
      email: 'shared@example.com',
      created_at: two.created_at,
    })
    expect(two.created_at > one.created_at).toBe(true)
  })

  it('refuses anything but an e-mail address', async () => {
    const partner = newPartner()
    expect(await onboarding.signUp(partner, 'shop-1', 'not-an-address')).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'email', reason: 'invalid_value', expected: 'an e-mail address' }],
    })
  })
})

describe('32 concurrent sign-ups', () => {
  const variants = (outcomes: readonly Awaited<ReturnType<RunningOnboarding['signUp']>>[]) => {
    const counts: Record<string, number> = {}
    for (const outcome of outcomes) {
      const key = outcome.ok ? String(outcome.variant) : outcome.code
      counts[key] = (counts[key] ?? 0) + 1
    }
    return counts
  }

  it('make one customer and 31 replays with the same external id and address', async () => {
    const partner = newPartner()
    const outcomes = await thirtyTwo(() => onboarding.signUp(partner, 'race', 'race-same@example.com'))
    expect(variants(outcomes)).toEqual({ created: 1, existing: 31 })
    const ids = new Set(outcomes.map((outcome) => outcome.ok && outcome.value.partner_customer_id))
    expect(ids.size).toBe(1)
  })

  it('make one customer and one merchant with one external id and 32 addresses', async () => {
    const partner = newPartner()
    const before = (await merchantsKept()) ?? 0
    const outcomes = await thirtyTwo((n) => onboarding.signUp(partner, 'race', `race-ext-${n}@example.com`))
    expect(variants(outcomes)).toEqual({ created: 1, external_id_conflict: 31 })
    expect(await merchantsKept()).toBe(before + 1)
  })

  it('make one customer with 32 external ids and one address', async () => {
    const partner = newPartner()
    const outcomes = await thirtyTwo((n) => onboarding.signUp(partner, `race-${n}`, 'race-mail@example.com'))
    expect(variants(outcomes)).toEqual({ created: 1, relationship_conflict: 31 })
  })

  it('make one merchant and 32 relationships for 32 partners with one address', async () => {
    const outcomes = await thirtyTwo(() => onboarding.signUp(newPartner(), 'race', 'race-all@example.com'))
    expect(variants(outcomes)).toEqual({ created: 32 })
    expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.value.customer_id)).size).toBe(1)
  })
})

describe('a customer of another partner', () => {
  it('returns the same bytes as one that does not exist, on every path', async () => {
    const [owner, other] = [newPartner(), newPartner()]
    const { partner_customer_id: foreign } = await onboarding.newCustomer(owner, 'x', 'foreign@example.com')
    const mine = await onboarding.newCustomer(other, 'gone', 'gone@example.com')
    await onboarding.revoke(mine.partner_customer_id)
    const unknown = JSON.stringify(await onboarding.read(other, newId('relationship')))
    expect(unknown).toBe('{"ok":false,"code":"resource_not_found"}')
    const notTheirs = [foreign, mine.partner_customer_id, 'pcu_x', '', "' OR 1=1 --"]
    for (const id of notTheirs) {
      expect(JSON.stringify(await onboarding.read(other, id))).toBe(unknown)
      expect(JSON.stringify(await onboarding.listCapabilities(other, id))).toBe(unknown)
    }
    // An id of another kind is answered by its form, whether it exists or not.
    expect(await onboarding.read(other, mine.customer_id)).toEqual(
      await onboarding.read(other, newId('merchant')),
    )
  })

  it('stays hidden when 64 reads of two partners share one statement', async () => {
    const [first, second] = [newPartner(), newPartner()]
    const one = await onboarding.newCustomer(first, 'a', 'batch-a@example.com')
    const two = await onboarding.newCustomer(second, 'b', 'batch-b@example.com')
    const asked = [
      [first, one],
      [first, two],
      [second, two],
      [second, one],
    ] as const
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => {
        const [partner, customer] = asked[n % 4] as (typeof asked)[number]
        return onboarding.read(partner, customer.partner_customer_id)
      }),
    )
    answers.forEach((answer, n) => {
      const [partner, customer] = asked[n % 4] as (typeof asked)[number]
      const owns = (partner === first) === (customer === one)
      expect(answer).toEqual(owns ? { ok: true, value: customer } : refusal('resource_not_found'))
    })
  })
})

describe('listing customers', () => {
  type ListQuery = Parameters<typeof onboarding.list>[1]
  const seed = async (partner: Partner, count: number) => {
    const seeded: Customer[] = []
    for (let n = 0; n < count; n += 1) {
      const customer = await onboarding.newCustomer(
        partner,
        `c-${n}`,
        `${partner.partnerId}-${n}@example.com`,
      )
      seeded.push(customer)
      if (n % 2 === 1) onboarding.clock.advance(5)
    }
    return seeded
  }
  const walk = async (partner: Partner, limit: string) => {
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const page = await onboarding.list(partner, { limit, ...(cursor === null ? {} : { cursor }) })
      if (!page.ok) throw new Error(page.code)
      pages.push(page.value.customers.map((customer) => customer.partner_customer_id))
      cursor = page.value.next_cursor
    } while (cursor !== null)
    return pages
  }

  it('returns the active ones oldest first, each once, also if a page ends between two with the same time', async () => {
    const partner = newPartner()
    const seeded = await seed(partner, 7)
    expect(seeded[4]?.created_at).toBe(seeded[5]?.created_at)
    await onboarding.revoke(String(seeded[3]?.partner_customer_id))
    const pages = await walk(partner, '4')
    expect(pages.map((page) => page.length)).toEqual([4, 2])
    const inOrder = seeded
      .filter((_, index) => index !== 3)
      .map((customer) => [customer.created_at, customer.partner_customer_id])
      .sort()
    expect(pages.flat()).toEqual(inOrder.map(([, id]) => id))
  })

  it('returns a cursor only on a full page', async () => {
    const partner = newPartner()
    expect(await onboarding.list(partner)).toEqual({ ok: true, value: { customers: [], next_cursor: null } })
    await seed(partner, 2)
    expect(await onboarding.list(partner, { limit: '3' })).toMatchObject({ value: { next_cursor: null } })
    expect(await onboarding.list(partner, { limit: '2' })).toMatchObject({
      value: { next_cursor: expect.any(String) as unknown },
    })
  })

  it('finds a customer by its external id, and those created between two times', async () => {
    const [partner, other] = [newPartner(), newPartner()]
    const seeded = await seed(partner, 4)
    await seed(other, 1)
    const ids = async (query: ListQuery) => {
      const page = await onboarding.list(partner, query)
      return page.ok ? page.value.customers.map((customer) => customer.external_customer_id) : page.code
    }
    expect(await ids({ external_customer_id: 'c-2' })).toEqual(['c-2'])
    expect(await ids({ external_customer_id: 'c-9' })).toEqual([])
    const [, , third] = seeded
    const since = { created_since: third?.created_at ?? '' }
    const until = { created_until: third?.created_at ?? '' }
    expect(await ids(since)).toEqual(['c-2', 'c-3'])
    expect(await ids(until)).toEqual(['c-0', 'c-1'])
    expect(await ids({ ...since, ...until })).toEqual([])
    expect(await ids({ external_customer_id: 'c-2', ...until })).toEqual([])

    const page = await onboarding.list(partner, { ...since, limit: '1' })
    const cursor = page.ok ? String(page.value.next_cursor) : ''
    expect(await ids({ ...since, cursor })).toEqual(['c-3'])
    expect(await ids({ cursor })).toBe('invalid_cursor')
    expect(await ids({ ...until, cursor })).toBe('invalid_cursor')
    const one = await onboarding.list(partner, { external_customer_id: 'c-2', limit: '1' })
    const last = one.ok ? one.value.next_cursor : null
    expect(await ids({ external_customer_id: 'c-2', ...(last !== null && { cursor: last }) })).toEqual([])
    await onboarding.revoke(String(third?.partner_customer_id))
    expect(await ids({ external_customer_id: 'c-2' })).toEqual([])
  })

  it('refuses a cursor that was altered, invented, or of another partner', async () => {
    const [partner, other] = [newPartner(), newPartner()]
    await seed(partner, 2)
    const page = await onboarding.list(partner, { limit: '1' })
    const cursor = page.ok ? String(page.value.next_cursor) : ''
    expect((await onboarding.list(partner, { cursor })).ok).toBe(true)
    expect(await onboarding.list(other, { cursor })).toEqual(refusal('invalid_cursor'))
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1)
    for (const forged of [flipped, `${cursor}A`, '', 'x', cursor.slice(0, -4), newId('relationship')])
      expect(await onboarding.list(partner, { cursor: forged })).toEqual(refusal('invalid_cursor'))
  })
})

describe('personal data', () => {
  it('is in plain text neither in the rows nor in the events of the service', async () => {
    await onboarding.newCustomer(newPartner(), 'canary', 'Canary.Bird@Example.com')
    const dump = (await dumpRows(onboarding.db)).map((row) => row.line).join('\n')
    expect(dump).toContain('"canary"')
    expect(dump.toLowerCase()).not.toContain('canary.bird')
    expect(dump).not.toContain(Buffer.from('Canary.Bird@Example.com').toString('base64url').slice(0, 16))
  })
})
