import { NotFoundError, type PartnerClient, type Schemas, type Input } from '@causeway/client'
import { CliError } from '../cli-error.ts'
import type { StaffClient } from '../session/staff-client.ts'

const PERSON = { full_name: 'Ada Example', date_of_birth: '1985-12-10', nationality: 'GB' } as const

/** A case with all that a submission asks for. */
const SAMPLE_CASE: NonNullable<Input<'submitVerification'>['body']> = {
  business: {
    legal_name: 'Example Engines Ltd',
    registration_number: '01234567',
    industry: 'ecommerce_retail',
    business_registration_country: 'GB',
    incorporation_country: 'GB',
    incorporation_date: '2019-04-30',
  },
  registered_address: { line1: '12 Example Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
  contact: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' },
  commercial: {
    expected_monthly_processing_volume: 'range_10k_50k',
    card_type: 'mixed',
    settlement_option: 'fiat_eur_iban',
    fee_handling: 'customer_pays',
    requested_payment_methods: ['card', 'crypto'],
  },
  directors: [PERSON],
  ubos: [{ ...PERSON, ownership_percent: 62.5 }],
  consent: { version: '2026-01' },
}

/** The least that is a PDF. */
const SAMPLE_FILE = new TextEncoder().encode('%PDF-1.4\n%%EOF\n')

/** The part of a verification that both its partner and staff read. */
export type CaseState = Pick<Schemas['Verification'], 'verification_id' | 'status'>

export const uploadSample = async (
  partner: PartnerClient,
  customerId: string,
  type: Schemas['UploadedDocumentType'],
): Promise<string> => {
  const body = { document_type: type, file: SAMPLE_FILE, file_name: `${type}.pdf` }
  return (await partner.uploadDocument({ customerId, body })).document.document_id
}

/** Accepts what is still to be accepted. @returns how many agreements that were */
export const acceptAgreements = async (partner: PartnerClient, customerId: string): Promise<number> => {
  let accepted = 0
  for await (const agreement of partner.listAgreements.all({ customerId })) {
    if (agreement.status === 'accepted') continue
    const body = {
      agreement_version: agreement.version,
      acceptance_channel: 'partner_web' as const,
      // eslint-disable-next-line no-restricted-syntax -- a person accepts now, independent of the sandbox's clock
      accepted_at: new Date().toISOString(),
      evidence: {},
    }
    await partner.acceptAgreement({ customerId, agreementId: agreement.agreement_id, body })
    accepted += 1
  }
  return accepted
}

/** Submits a case of sample data: what is missing is taken from the platform's answers. */
export const submitSampleCase = async (partner: PartnerClient, customerId: string): Promise<CaseState> => {
  const draft = await partner.submitVerification({ customerId, body: SAMPLE_CASE })
  if (draft.submitted) return draft.verification
  for (const type of draft.missing_documents) await uploadSample(partner, customerId, type)
  await acceptAgreements(partner, customerId)
  const complete = await partner.submitVerification({ customerId })
  if (complete.submitted) return complete.verification
  const missing = JSON.stringify([...complete.missing_documents, ...complete.incomplete_fields])
  throw new CliError(`The sample data is not enough for this platform: ${missing}`)
}

/** Reads the current case; null before the first write. */
const readCase = async (partner: PartnerClient, customerId: string): Promise<CaseState | null> => {
  try {
    return (await partner.getCustomerVerification({ customerId })).verification
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Has a customer verified with sample data, whatever the state of its case, and accepts its agreements. */
export const onboard = async (
  partner: PartnerClient,
  staff: StaffClient,
  customerId: string,
): Promise<CaseState> => {
  const found = await readCase(partner, customerId)
  if (found?.status === 'approved') {
    await acceptAgreements(partner, customerId)
    return found
  }
  const pending = found?.status === 'pending' ? found : await submitSampleCase(partner, customerId)
  return (await staff.approveCase({ verificationId: pending.verification_id })).verification
}
