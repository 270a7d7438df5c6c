import type { PartnerClient, Schemas } from '@causeway/client'
import { REQUIRED_DOCUMENT_TYPES, type DocumentType } from '@causeway/contracts'
import { dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'

const PERSON = { full_name: 'Ada Example', date_of_birth: '1985-12-10', nationality: 'GB' } as const

/** All merchant data that a submission requires. */
export const KYB_DATA = {
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

const PDF = new TextEncoder().encode('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')

/** Uploads one document of a type for a customer. */
export const uploadDocument = async (
  partner: PartnerClient,
  customerId: string,
  type: DocumentType,
): Promise<void> => {
  const body = { document_type: type, file: PDF, file_name: `${type}.pdf` }
  await partner.uploadDocument({ customerId, body })
}

/** Accepts every agreement that is still required, on behalf of the customer. */
export const acceptAgreements = async (partner: PartnerClient, customerId: string): Promise<void> => {
  const { agreements } = await partner.listAgreements({ customerId })
  for (const { agreement_id: agreementId, version, status } of agreements) {
    if (status === 'accepted') continue
    const body = {
      agreement_version: version,
      acceptance_channel: 'partner_web',
      accepted_at: new Date().toISOString(),
      evidence: {},
    }
    await partner.acceptAgreement({ customerId, agreementId, body })
  }
}

/** Takes a customer's case from its creation to its approval, in the fewest calls. */
export const approveCustomer = async (
  parties: Readonly<{ partner: PartnerClient; staff: RawClient }>,
  customerId: string,
): Promise<void> => {
  const { partner, staff } = parties
  for (const type of REQUIRED_DOCUMENT_TYPES) await uploadDocument(partner, customerId, type)
  await acceptAgreements(partner, customerId)
  const { verification } = await partner.submitVerification({ customerId, body: KYB_DATA })
  dataOf(await staff.post(`/api/operator/verifications/${verification.verification_id}/approve`))
}
