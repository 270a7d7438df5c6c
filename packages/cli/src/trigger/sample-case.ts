import type { Input } from '@causeway/client'

const PERSON = { full_name: 'Ada Example', date_of_birth: '1985-12-10', nationality: 'GB' } as const

/** A case with all that a submission asks for. */
export const SAMPLE_CASE: NonNullable<Input<'submitVerification'>['body']> = {
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
export const SAMPLE_FILE = new TextEncoder().encode('%PDF-1.4\n%%EOF\n')
