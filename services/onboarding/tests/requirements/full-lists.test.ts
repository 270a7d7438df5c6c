import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryNone, queryOne } from '@causeway/chassis'
import { documents, requirements, type Document } from '@causeway/contracts'
import { z } from 'zod'
import { startWithDocuments } from '../documents/document-fixture.ts'
import { filling, walk } from '../full-lists.ts'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { asked } from './requirement-calls.ts'
import { newPartner, OPERATOR } from '../running-onboarding.ts'

const invalidCursor = { ok: false, code: 'invalid_cursor' }
const limitReached = (resource: string, limit: number) => ({
  ok: false,
  code: 'limit_reached',
  details: [{ resource, limit }],
})

let onboarding: Awaited<ReturnType<typeof startWithDocuments>>
let kyb: KybCalls
let fill: ReturnType<typeof filling>
beforeAll(async () => {
  onboarding = await startWithDocuments()
  kyb = kybCalls(onboarding)
  fill = filling(onboarding)
})
afterAll(() => onboarding.stop())

const documentIds = (pages: readonly { documents: readonly Document[] }[]) =>
  pages.flatMap((page) => page.documents.map((document) => document.document_id))
const requirementIds = (pages: readonly { requirements: readonly { requirement_id: string }[] }[]) =>
  pages.flatMap((page) => page.requirements.map((requirement) => requirement.requirement_id))

describe('500 documents of the maximum size', () => {
  it('are read page by page, by their partner and by staff, each once and oldest first', async () => {
    const customer = await onboarding.customer()
    const made = await fill.documents(customer.partner.partnerId, customer.id, 500)
    const pages = await walk((query) => onboarding.documentsOf(customer, query))
    expect(documentIds(pages)).toEqual(made)
    const byStaff = await walk((query) =>
      onboarding.ask(documents.listByStaff, OPERATOR, { params: { partnerCustomerId: customer.id }, query }),
    )
    expect(byStaff.map((page) => page.documents)).toEqual(pages.map((page) => page.documents))
    const [short] = await walk((query) => onboarding.documentsOf(customer, { ...query, limit: '7' }))
    expect(short?.documents).toHaveLength(7)
  })

  it('are the limit, also under concurrent uploads', async () => {
    const customer = await onboarding.customer()
    await fill.documents(customer.partner.partnerId, customer.id, 498)
    const blobs = await Promise.all(Array.from({ length: 4 }, () => onboarding.stored(customer)))
    const answers = await Promise.all(blobs.map((blob) => onboarding.create(customer, blob)))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(2)
    expect(answers.filter((answer) => !answer.ok)).toEqual(
      Array.from({ length: 2 }, () => limitReached('documents', 500)),
    )
    expect(await onboarding.begin(customer)).toEqual(limitReached('documents', 500))
  })

  it("are paged only by cursors of this customer's list and this reader", async () => {
    const [one, two] = [await onboarding.customer(), await onboarding.customer()]
    for (const { partner, id } of [one, two]) await fill.documents(partner.partnerId, id, 2)
    const { next_cursor } = valueOf(await onboarding.documentsOf(one, { limit: '1' }))
    const cursor = String(next_cursor)
    expect(documentIds([valueOf(await onboarding.documentsOf(one, { cursor }))])).toHaveLength(1)
    expect(await onboarding.documentsOf(two, { cursor })).toEqual(invalidCursor)
    expect(
      await onboarding.ask(documents.listByStaff, OPERATOR, {
        params: { partnerCustomerId: one.id },
        query: { cursor },
      }),
    ).toEqual(invalidCursor)
    expect(await onboarding.documentsOf({ ...one, id: newId('relationship') }, { cursor })).toEqual(
      invalidCursor,
    )
  })
})

describe('requirements', () => {
  const byStaff = (customerId: string) => (query: Record<string, string>) =>
    onboarding.ask(requirements.listByStaff, OPERATOR, { params: { customerId }, query })

  it('are read page by page, 1,000 of one partner and those of staff, each once and oldest first', async () => {
    const { partner, id, merchant } = await kyb.newCustomer()
    await kyb.write({ partner, id })
    const made = [
      ...(await fill.requirements(merchant, partner.partnerId, 1_000)),
      ...(await fill.requirements(merchant, null, 300, 'fulfilled')),
    ]
    const pages = await walk((query) => kyb.requirementsOf(partner, id, query))
    expect(requirementIds(pages).sort()).toEqual([...made].sort())
    const order = pages.flatMap((page) => page.requirements.map((r) => [r.created_at, r.requirement_id]))
    expect(order).toEqual([...order].sort())
    expect(requirementIds(await walk(byStaff(merchant)))).toEqual(requirementIds(pages))
    const open = await walk((query) => kyb.requirementsOf(partner, id, { ...query, status: 'open' }))
    expect(requirementIds(open).sort()).toEqual(made.slice(1_000).sort())
    const refusal = limitReached('requirements', 1_000)
    expect(await kyb.raise(partner, id, asked)).toEqual(refusal)
    expect(await kyb.raiseByStaff(merchant, asked)).toMatchObject({ ok: true })
  })

  it("do not use up another partner's limits of 50 and 1,000, which are exact under concurrency", async () => {
    const [one, two] = [await kyb.newCustomer('full@example.com'), await kyb.newCustomer('full@example.com')]
    await kyb.write(one)
    await kyb.write(two)
    await fill.requirements(one.merchant, one.partner.partnerId, 995)
    const raised = await Promise.all(Array.from({ length: 40 }, () => kyb.raise(one.partner, one.id, asked)))
    expect(raised.filter((answer) => answer.ok)).toHaveLength(5)
    expect(raised.filter((answer) => !answer.ok)).toEqual(
      Array.from({ length: 35 }, () => limitReached('requirements', 1_000)),
    )
    expect(await kyb.raise(two.partner, two.id, asked)).toMatchObject({ ok: true })
  })

  it('are paged only by cursors of the same status, customer and partner', async () => {
    const [one, two] = [
      await kyb.newCustomer('paged@example.com'),
      await kyb.newCustomer('paged@example.com'),
    ]
    await kyb.write(one)
    await kyb.write(two)
    await fill.requirements(one.merchant, null, 3, 'open')
    const { next_cursor } = valueOf(await kyb.requirementsOf(one.partner, one.id, { limit: '2' }))
    const cursor = String(next_cursor)
    expect(valueOf(await kyb.requirementsOf(one.partner, one.id, { cursor })).requirements).toHaveLength(1)
    expect(await kyb.requirementsOf(one.partner, one.id, { cursor, status: 'open' })).toEqual(invalidCursor)
    expect(await kyb.requirementsOf(two.partner, two.id, { cursor })).toEqual(invalidCursor)
    expect(await byStaff(one.merchant)({ cursor })).toEqual(invalidCursor)
    expect(await byStaff(newId('merchant'))({})).toEqual({ ok: false, code: 'resource_not_found' })
  })

  it('are all raised by 40 concurrent calls, and delay no other call', async () => {
    const [busy, other] = [await kyb.newCustomer(), await kyb.newCustomer()]
    await kyb.write(busy)
    const lockMerchant = queryOne({
      name: 'test.lock-merchant',
      parameters: { merchantId: 'text' },
      text: 'SELECT id FROM merchants WHERE id = :merchantId FOR UPDATE',
      row: z.object({ id: z.string() }),
    })
    const raised = await onboarding.db.transaction(async (tx) => {
      expect(await lockMerchant(tx, { merchantId: busy.merchant })).not.toBeNull()
      const calls = Array.from({ length: 40 }, () => kyb.raise(busy.partner, busy.id, asked))
      expect((await kyb.submit(other.partner, other.id, {})).ok).toBe(true)
      return { calls }
    })
    const answers = await Promise.all(raised.calls)
    expect(answers.filter((answer) => answer.ok)).toHaveLength(40)
  })
})

describe('a partner’s customers with names of the maximum length', () => {
  const rename = queryNone({
    name: 'test.rename',
    parameters: { partnerId: 'text' },
    text: `
      UPDATE relationships SET customer_name = repeat('😀', 500), external_customer_id = repeat('😀', 250) || id
      WHERE partner_id = :partnerId`,
  })

  it('are read page by page, each once', async () => {
    const partner = newPartner()
    const made: string[] = []
    for (let n = 0; n < 150; n += 1) {
      const created = await onboarding.newCustomer(partner, `shop-${n}`, `names-${n}@example.com`)
      made.push(created.partner_customer_id)
    }
    await rename(onboarding.db, partner)
    const pages = await walk((query) => onboarding.list(partner, { limit: '100', ...query }))
    expect(pages.flatMap((page) => page.customers.map((entry) => entry.partner_customer_id)).sort()).toEqual(
      made.sort(),
    )
  })
})
