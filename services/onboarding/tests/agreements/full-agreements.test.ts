import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { queryNone } from '@causeway/chassis'
import { agreements } from '@causeway/contracts'
import { startWithAgreements, type TestCustomer } from './agreement-fixture.ts'
import { bytesOf, costly, walk } from '../full-lists.ts'
import { valueOf } from '../verifications/kyb-calls.ts'

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>
beforeAll(async () => {
  onboarding = await startWithAgreements()
})
afterAll(() => onboarding.stop())

describe('agreements', () => {
  const evidenceOf = (bytes: number) => {
    const evidence: Record<string, string> = { rest: '' }
    for (let key = 0; bytesOf(evidence) + 12_100 < bytes; key += 1) evidence[`key${key}`] = costly(2_000)
    evidence['rest'] = 'x'.repeat(Math.min(bytes - bytesOf(evidence), 2_000))
    return evidence
  }
  const listed = (customer: TestCustomer) => (query: Record<string, string>) =>
    onboarding.ask(agreements.list, customer.partner, { params: { customerId: customer.id }, query })
  const acceptAll = async (customer: TestCustomer, evidence: Record<string, string>, version: string) => {
    const pages = await walk(listed(customer))
    for (const { agreement_id: id } of pages.flatMap((page) => page.agreements))
      valueOf(await onboarding.accept(customer, id, { evidence, agreement_version: version }))
  }

  it('accept evidence of at most 256 KiB as compact JSON', async () => {
    const customer = await onboarding.customer()
    const { agreement_id: id } = await onboarding.publish()
    const evidence: Record<string, string> = {}
    // The keys of evidence have no separate limit.
    evidence['k'.repeat(262_144 - 7)] = ''
    expect(bytesOf(evidence)).toBe(262_144)
    expect(await onboarding.accept(customer, id, { evidence: { ...evidence, x: '' } })).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'evidence', reason: 'too_large', expected: 'at most 262144 bytes of JSON' }],
    })
    expect(await onboarding.accept(customer, id, { evidence })).toMatchObject({ ok: true })
  })

  it('are read page by page with acceptances of maximum size, with older evidence omitted', async () => {
    const customer = await onboarding.customer()
    const texts = {
      title: '😀'.repeat(100),
      disclosure: costly(10_000),
      parties: Array.from({ length: 20 }, () => ({ role: costly(100), name: costly(200) })),
    }
    const published = await Promise.all([1, 2, 3].map(() => onboarding.publish(texts)))
    published.sort((a, b) => (a.agreement_id < b.agreement_id ? -1 : 1))
    await acceptAll(customer, evidenceOf(256 * 1024), '1.0')
    for (const { agreement_id } of published)
      await onboarding.publish({ ...texts, agreement_id, version: '2.0' })
    for (const { agreement_id } of published)
      valueOf(
        await onboarding.accept(customer, agreement_id, {
          evidence: evidenceOf(256 * 1024),
          agreement_version: '2.0',
        }),
      )
    const pages = await walk(listed(customer))
    const all = pages.flatMap((page) => page.agreements)
    const shown = all.filter((entry) => published.some(({ agreement_id: id }) => id === entry.agreement_id))
    expect(shown.map((entry) => entry.agreement_id)).toEqual(published.map((entry) => entry.agreement_id))
    for (const entry of shown) {
      expect(Object.keys(entry.current_acceptance?.evidence ?? {}).length).toBeGreaterThan(20)
      expect(entry.previous_acceptances).toMatchObject([
        { agreement_version: '1.0', evidence: {}, evidence_omitted: true },
      ])
    }
    const other = await onboarding.customer()
    const cursor = String(pages[0]?.next_cursor)
    expect(await listed(other)({ cursor })).toEqual({ ok: false, code: 'invalid_cursor' })
  })

  it('show the newest 100 acceptances of very many versions, and how many are omitted', async () => {
    const customer = await onboarding.customer()
    const { agreement_id: id } = await onboarding.publish()
    valueOf(await onboarding.accept(customer, id))
    const { partnerId } = customer.partner
    const values = { agreementId: id, count: 149, partnerId, customerId: customer.id }
    await acceptOldVersions(onboarding.db, values)
    const entry = (await walk(listed(customer)))
      .flatMap((page) => page.agreements)
      .find((agreement) => agreement.agreement_id === id)
    expect(entry?.current_acceptance).toMatchObject({ agreement_version: '1.0' })
    expect(entry?.previous_acceptances).toHaveLength(100)
    expect(entry?.previous_acceptances_omitted).toBe(49)
    const times = entry?.previous_acceptances.map((acceptance) => acceptance.recorded_at) ?? []
    expect(times).toEqual([...times].sort())
    expect(times.at(-1)).toBe('2026-01-01T00:00:00.149Z')
  })
})

/** Acceptances of versions before the first; their evidence is too long to be shown, so it is never decrypted. */
const acceptOldVersions = queryNone({
  name: 'test.accept-old-versions',
  parameters: { agreementId: 'text', count: 'integer', partnerId: 'text', customerId: 'text' },
  text: `
    WITH versions AS (
      INSERT INTO agreement_versions
      SELECT agreement_id, 'old-' || n, title, effective_date, parties, disclosure, content, content_type,
             content_hash, published_at
      FROM agreement_versions, generate_series(1, :count) AS n WHERE agreement_id = :agreementId AND version = '1.0'
      RETURNING version)
    INSERT INTO acceptances (id, partner_id, partner_customer_id, agreement_id, agreement_version, content_hash,
                             acceptance_channel, accepted_at, recorded_at, evidence_sealed)
    SELECT 'acc_0' || lpad(n::text, 25, '0'), :partnerId, :customerId, :agreementId, 'old-' || n, repeat('0', 64), 'partner_web', '2026-01-01Z',
           timestamptz '2026-01-01Z' + n * interval '1 ms', repeat('x', 800000)
    FROM generate_series(1, :count) AS n`,
})
