import type { PartnerClient, Schemas } from '@causeway/client'

const PERSON = { full_name: 'Ada Example', date_of_birth: '1985-12-10', nationality: 'GB' } as const

/** All merchant data that a submission requires. */
export const SAMPLE_CASE = {
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
} satisfies Schemas['KybWrite']

/** A small file that is a PDF. */
export const SAMPLE_FILE = new TextEncoder().encode(
  '%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
)

/** The part of a verification that both its partner and staff read. */
export type CaseState = Pick<Schemas['Verification'], 'verification_id' | 'status'>

/** Uploads one document of a type for a customer. @returns its id */
export const uploadSample = async (
  partner: PartnerClient,
  customerId: string,
  type: Schemas['UploadedDocumentType'],
  file: Uint8Array<ArrayBuffer> = SAMPLE_FILE,
): Promise<string> => {
  const body = { document_type: type, file, file_name: `${type}.pdf` }
  return (await partner.uploadDocument({ customerId, body })).document.document_id
}

/** Accepts every agreement that is still required, on behalf of the customer. @returns how many it accepted */
export const acceptAgreements = async (partner: PartnerClient, customerId: string): Promise<number> => {
  let accepted = 0
  for await (const { agreement_id: agreementId, version, status } of partner.listAgreements.all({
    customerId,
  })) {
    if (status === 'accepted') continue
    const body = {
      agreement_version: version,
      acceptance_channel: 'partner_web' as const,
      // oxlint-disable-next-line causeway/one-clock -- a person accepts now, independent of the sandbox's clock
      accepted_at: new Date().toISOString(),
      evidence: {},
    }
    await partner.acceptAgreement({ customerId, agreementId, body })
    accepted += 1
  }
  return accepted
}

/**
 * Submits a case of sample data, with the documents and agreements that the platform's answers ask for.
 * @param file the bytes of every document
 * @throws Error if the sample data is incomplete for this platform
 */
export const submitCase = async (
  partner: PartnerClient,
  customerId: string,
  file: Uint8Array<ArrayBuffer> = SAMPLE_FILE,
): Promise<CaseState> => {
  const draft = await partner.submitVerification({ customerId, body: SAMPLE_CASE })
  if (draft.submitted) return draft.verification
  for (const type of draft.missing_documents) await uploadSample(partner, customerId, type, file)
  await acceptAgreements(partner, customerId)
  const complete = await partner.submitVerification({ customerId })
  if (complete.submitted) return complete.verification
  const missing = JSON.stringify([...complete.missing_documents, ...complete.incomplete_fields])
  throw new Error(`The sample data is not enough for this platform: ${missing}`)
}

/** The part of a client of the operator API that approves. */
type Staff = Readonly<{ post: (path: string) => Promise<Readonly<{ status: number; body: unknown }>> }>

/** Takes the case of a new customer from its creation to its approval, so that the customer may take orders. */
export const verifyCustomer = async (
  { partner, staff }: Readonly<{ partner: PartnerClient; staff: Staff }>,
  customerId: string,
): Promise<void> => {
  const { verification_id: caseId } = await submitCase(partner, customerId)
  const { status, body } = await staff.post(`/api/operator/verifications/${caseId}/approve`)
  if (status !== 200) throw new Error(`The approval of ${caseId} answered ${status}: ${JSON.stringify(body)}`)
}
