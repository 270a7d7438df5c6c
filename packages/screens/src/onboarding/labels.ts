import type { DocumentType, UploadedDocumentType, VerificationRejectionReason } from '@causeway/contracts'

type Words = Readonly<Record<string, string>>

/** What nobody has written words for reads as its name does: `settlement_option` as "Settlement option". */
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
  'commercial.expected_monthly_processing_volume': 'Payments you expect in a month',
  'commercial.card_type': 'Cards of your buyers',
  'commercial.settlement_option': 'How you want to be paid out',
  'commercial.fee_handling': 'Who pays the service fee',
  'commercial.requested_payment_methods': 'Ways to pay that you want to offer',
  'person.email': 'E-mail address',
  'person.phone': 'Phone number',
  'person.country': 'Country of residence',
  'person.address_line1': 'Street and number',
  'person.ownership_percent': 'Share of the business in percent',
}
const HINTS: Words = {
  'business.legal_name': 'As it is in the register',
  'business.trading_name': 'The name that buyers know, where it is another one',
  'business.website': 'Such as https://shop.example',
  'contact.email': 'Of the person we write to about this application',
  'person.full_name': 'As it is in the passport or identity card',
  'person.ownership_percent': 'From 25 to 100',
}
const OPTIONS: Words = {
  ecommerce_retail: 'Online shop',
  cbd: 'CBD',
  difficult_to_place_ecommerce: 'Online shop that is difficult to place',
  merchants_requiring_expensive_payment_routes: 'Business that needs expensive payment routes',
  merchants_with_elevated_refund_or_chargeback_exposure: 'Business with many refunds or chargebacks',
  adult: 'Adult content or products',
  other: 'Something else',
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

/** The words of one allowed value; of a country code its name. */
export const optionText = (value: string): string =>
  OPTIONS[value] ?? (COUNTRY.test(value) ? (REGIONS.of(value) ?? value) : spell(value))

type DocumentWords = Readonly<{ title: string; hint: string }>
const DOCUMENTS: Readonly<Record<UploadedDocumentType, DocumentWords>> = {
  certificate_of_incorporation: {
    title: 'Certificate of incorporation',
    hint: 'The extract of the register that names your business.',
  },
  proof_of_address: {
    title: 'Proof of address',
    hint: 'A bill or an official letter to the registered address, not older than three months.',
  },
  director_id: {
    title: 'Identity of a director',
    hint: 'Passport or identity card, both sides, all corners visible.',
  },
  bank_statement: {
    title: 'Bank statement',
    hint: 'Of the account of the business, with its name and number.',
  },
  processing_statement: {
    title: 'Processing statement',
    hint: 'What your payments were so far. If you are new: a page that says so.',
  },
  other: { title: 'Another document', hint: 'What you were asked for.' },
}
export const documentWords = (type: DocumentType | UploadedDocumentType): DocumentWords => DOCUMENTS[type]

/** What a merchant can do about a rejection. */
export const REJECTIONS: Readonly<
  Record<VerificationRejectionReason, readonly [why: string, advice: string]>
> = {
  document_illegible: [
    'A document could not be read.',
    'Upload it again: sharp, in colour, with all its corners.',
  ],
  document_expired: ['A document has expired.', 'Upload one that is valid today.'],
  information_mismatch: [
    'What you have entered and what the documents say is not the same.',
    'Compare names, addresses and numbers, correct what differs, and send it again.',
  ],
  business_not_supported: [
    'We cannot serve this kind of business.',
    'If what you have entered does not describe your business well, correct it and send it again.',
  ],
  ownership_unclear: [
    'It is not clear who owns the business.',
    'Check the owners and their shares, and upload a document that shows them.',
  ],
  sanctions_match: [
    'A name is on a list of sanctions.',
    'If it is another person, correct the names and dates of birth, and ask the platform that sent you the link.',
  ],
  duplicate_case: [
    'The business has applied already.',
    'Ask the platform that sent you the link what to do with this application.',
  ],
  other: [
    'The application could not be approved.',
    'Ask the platform that sent you the link what is missing.',
  ],
}
