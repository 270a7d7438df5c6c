import type { Data, Input } from '@causeway/client'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { acceptAgreements, SAMPLE_CASE, uploadSample } from '@causeway/scenario'
import type { TourContext } from './tour-context.ts'

/**
 * A typical case: the first write is incomplete, the second submits it, staff reject a document, the next submission is
 * approved. @throws when a response is not the expected one
 */
export const walkVerification = async (context: TourContext): Promise<void> => {
  const { partner, staff, customerId, reporter, expect } = context
  const expectEvent = (type: string, verificationId: string) =>
    expect.partnerEvent(type, { verification_id: verificationId })
  const submit = (body?: Input<'submitVerification'>['body']) =>
    partner.submitVerification({ customerId, body })
  const expectStatus = (submission: Data<'submitVerification'>, status: string) => {
    if (submission.verification.status !== status)
      throw new Error(`The case should be ${status}, but is ${JSON.stringify(submission)}`)
  }

  reporter.step('Nothing can be sold yet: the merchant must be verified. A first write says what is missing')
  const { business } = SAMPLE_CASE
  const draft = await submit({ business })
  expectStatus(draft, 'draft')
  const caseId = draft.verification.verification_id

  reporter.step('The partner uploads the five documents, accepts the agreements and completes the data')
  for (const type of REQUIRED_DOCUMENT_TYPES) await uploadSample(partner, customerId, type)
  await acceptAgreements(partner, customerId)
  expectStatus(await submit(SAMPLE_CASE), 'pending')
  await expectEvent('verification.pending', caseId)

  reporter.step('Staff find one document illegible')
  const casePath = `/api/operator/verifications/${caseId}`
  dataOf(await staff.post(`${casePath}/reject`, { rejection_reason: 'document_illegible' }))
  await expectEvent('verification.rejected', caseId)

  reporter.step('The partner uploads it again and submits again, with nothing to change in the data')
  await uploadSample(partner, customerId, 'director_id')
  expectStatus(await submit(), 'pending')

  reporter.step('Staff approve')
  dataOf(await staff.post(`${casePath}/approve`))
  await expectEvent('verification.approved', caseId)
}
