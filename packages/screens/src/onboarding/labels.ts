import type { DocumentType, UploadedDocumentType, VerificationRejectionReason } from '@causeway/contracts'

type Words = Readonly<Record<string, string>>

/** Makes a label from a name without its own text: `settlement_option` becomes "Settlement option". */
const spell = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const FIELDS: Words = {
  'business.legal_name': 'Legal name of the business',
  'business.trading_name': 'Trading name',
  'business.industry': 'Industry',
  'business.business_registration_country': 'Country of registration',
  'business.incorporation_country': 'Country of incorporation',
  'business.incorporation_date': 'Date of incorporation',
  'registered_address.line1': 'Street and number',
  'registered_address.line2': 'Building, floor or suite',
  'contact.email': 'E-mail address',
  'contact.phone': 'Phone number',
  'commercial.expected_monthly_processing_volume': 'Expected payments per month',
  'commercial.card_type': 'Origin of your buyers’ cards',
  'commercial.settlement_option': 'Payout method',
  'commercial.fee_handling': 'Who pays the service fee',
  'commercial.requested_payment_methods': 'Payment methods you want to offer',
  'person.email': 'E-mail address',
  'person.phone': 'Phone number',
  'person.country': 'Country of residence',
  'person.address_line1': 'Street and number',
  'person.ownership_percent': 'Share of the business in percent',
}
const HINTS: Words = {
  'business.legal_name': 'As in the company register',
  'business.trading_name': 'The name that buyers know, if it is different',
  'business.website': 'For example https://shop.example',
  'contact.email': 'We contact this person about the application',
  'person.full_name': 'As in the passport or identity card',
  'person.ownership_percent': 'A number from 25 to 100',
}
const OPTIONS: Words = {
  ecommerce_retail: 'Online shop',
  cbd: 'CBD',
  difficult_to_place_ecommerce: 'Online shop in a category that is difficult to place',
  merchants_requiring_expensive_payment_routes: 'Business that requires expensive payment routes',
  merchants_with_elevated_refund_or_chargeback_exposure: 'Business with many refunds or chargebacks',
  adult: 'Adult content or products',
  other: 'Other',
  range_0_1k: 'Up to €1,000',
  range_1k_10k: '€1,000 to €10,000',
  range_10k_50k: '€10,000 to €50,000',
  range_50k_250k: '€50,000 to €250,000',
  range_250k_plus: '€250,000 and more',
  eea: 'From the European Economic Area',
  non_eea: 'From outside the European Economic Area',
  mixed: 'Both',
  fiat_eur_iban: 'In euros to a bank account (IBAN)',
  crypto_usdt: 'In USDT to a wallet',
  customer_pays: 'The buyer',
  niftipay_absorbs: 'The platform',
}
const SECTIONS: Words = {
  business: 'Your business',
  registered_address: 'Registered address',
  contact: 'Contact person',
  commercial: 'Payments',
  directors: 'Directors',
  ubos: 'Owners',
}

/** @param group a group of the schema, or `person` */
export const fieldLabel = (group: string, name: string): string => FIELDS[`${group}.${name}`] ?? spell(name)
export const fieldHint = (group: string, name: string): string | undefined => HINTS[`${group}.${name}`]
export const sectionTitle = (name: string): string => SECTIONS[name] ?? spell(name)

const REGIONS = new Intl.DisplayNames('en', { type: 'region' })
const COUNTRY = /^[A-Z]{2}$/

/** Returns the label of an allowed value; for a country code, the country's name. */
export const optionText = (value: string): string =>
  OPTIONS[value] ?? (COUNTRY.test(value) ? (REGIONS.of(value) ?? value) : spell(value))

type DocumentWords = Readonly<{ title: string; hint: string }>
const DOCUMENTS: Readonly<Record<UploadedDocumentType, DocumentWords>> = {
  certificate_of_incorporation: {
    title: 'Certificate of incorporation',
    hint: 'The register extract that names your business.',
  },
  proof_of_address: {
    title: 'Proof of address',
    hint: 'A bill or an official letter to the registered address, at most three months old.',
  },
  director_id: {
    title: 'Identity document of a director',
    hint: 'Passport or identity card, both sides, all corners visible.',
  },
  bank_statement: {
    title: 'Bank statement',
    hint: 'A statement of the business account that shows its name and number.',
  },
  processing_statement: {
    title: 'Processing statement',
    hint: 'Your previous payment volumes. If your business is new, upload a page that says so.',
  },
  other: { title: 'Other document', hint: 'The document that was requested.' },
}
export const documentWords = (type: DocumentType | UploadedDocumentType): DocumentWords => DOCUMENTS[type]

const NOT_APPROVED = [
  'The application could not be approved.',
  'Ask the platform that sent you the link what is needed.',
] as const

/** Reason for a rejection, and what the merchant can do. */
export const REJECTIONS: Readonly<
  Record<VerificationRejectionReason, readonly [why: string, advice: string]>
> = {
  document_illegible: [
    'A document could not be read.',
    'Upload it again: sharp, in colour, with all corners visible.',
  ],
  document_expired: ['A document has expired.', 'Upload one that is valid today.'],
  information_mismatch: [
    'Your entries and the documents do not match.',
    'Compare names, addresses and numbers, correct the differences, and submit again.',
  ],
  business_not_supported: [
    'We do not support this type of business.',
    'If your entries do not describe your business correctly, change them and submit again.',
  ],
  ownership_unclear: [
    'It is not clear who owns the business.',
    'Check the owners and their shares, and upload a document that proves them.',
  ],
  duplicate_case: [
    'This business has already applied.',
    'Ask the platform that sent you the link what to do with this application.',
  ],
  // Never disclosed (decisions §7).
  sanctions_match: NOT_APPROVED,
  other: NOT_APPROVED,
}
