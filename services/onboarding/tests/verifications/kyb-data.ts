import type { KybWrite } from '@causeway/contracts'

export const PERSON = {
  full_name: 'Ada Lovelace',
  date_of_birth: '1985-12-10',
  nationality: 'GB',
} as const

/** The required fields of a submission, and no optional ones. */
export const COMPLETE: KybWrite = {
  business: {
    legal_name: 'Analytical Engines Ltd',
    registration_number: '01234567',
    industry: 'ecommerce_retail',
    business_registration_country: 'GB',
    incorporation_country: 'IE',
    incorporation_date: '2019-04-30',
  },
  registered_address: { line1: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
  contact: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@engines.example' },
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
