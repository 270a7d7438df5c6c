import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { agreements, documents, type Operation } from '@causeway/contracts'
import fc from 'fast-check'
import { startWithAgreements, type TestCustomer } from '../agreements/agreement-fixture.ts'
import { mutationsOf } from './json-schema-values.ts'
import { newPartner, OPERATOR } from '../running-onboarding.ts'
import { startWithDocuments } from '../documents/document-fixture.ts'

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>
let customer: TestCustomer
let agreementId: string
let documentId: string
beforeAll(async () => {
  const fixture = await startWithDocuments()
  documentId = (await fixture.upload(await fixture.customer())).document_id
  onboarding = await startWithAgreements(fixture)
  customer = await onboarding.customer(newPartner())
  agreementId = (await onboarding.publish()).agreement_id
})
afterAll(async () => {
  await onboarding.stop()
})

const ACCEPTANCE = {
  agreement_version: '1.0',
  acceptance_channel: 'partner_web',
  accepted_at: '2026-01-01T00:00:00Z',
  evidence: { checkbox: true },
}
const PUBLICATION = {
  title: 'Terms',
  version: '2.0',
  effective_date: '2026-01-01',
  parties: [{ role: 'provider', name: 'Causeway' }],
  disclosure: 'You agree.',
  content_base64: 'VGVybXM=',
}

it.each<[string, Operation, () => Record<string, unknown>, unknown, readonly string[]]>([
  [
    'an acceptance',
    agreements.accept,
    () => ({ customerId: customer.id, agreementId }),
    ACCEPTANCE,
    ['invalid_request', 'invalid_state'],
  ],
  [
    'a publication',
    agreements.publish,
    () => ({}),
    PUBLICATION,
    ['invalid_request', 'invalid_state', 'resource_not_found'],
  ],
  [
    'a review',
    documents.review,
    () => ({ documentId }),
    { status: 'rejected', rejection_reason: 'blurred' },
    ['invalid_request'],
  ],
])(
  'answers %s of any hostile body by success or a refusal, and never by a fault',
  async (_what, operation, params, body, codes) => {
    const caller = operation.caller === 'operator' ? OPERATOR : customer.partner
    const refusals = new Set<string>()
    await fc.assert(
      fc.asyncProperty(mutationsOf(fc.constant(body)), async (hostile) => {
        const outcome = await onboarding.ask(operation, caller, { params: params(), body: hostile })
        if (!outcome.ok) refusals.add(outcome.code)
      }),
      { numRuns: 200 },
    )
    expect([...refusals].filter((code) => !codes.includes(code))).toEqual([])
    expect(refusals).toContain('invalid_request')
    expect((await onboarding.agreementsOf(customer)).length).toBeGreaterThan(0)
  },
)
