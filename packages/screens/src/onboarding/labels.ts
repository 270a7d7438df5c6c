import type { DocumentType, UploadedDocumentType, VerificationRejectionReason } from '@causeway/contracts'
import { isMessageId, type Language, type MessageId } from '../languages/language.ts'

/** Makes a label from a name without a message: `settlement_option` becomes "Settlement option". */
const spell = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const textOf = ({ text }: Language, id: string, name: string): string =>
  isMessageId(id) ? text(id) : spell(name)

/** Fields of a person whose label differs from that of the field with this name in a group. */
const OF_PERSON: Readonly<Record<string, MessageId>> = {
  country: 'field.residence',
  address_line1: 'field.line1',
}

/** @param group a group of the schema, or `person` */
export const fieldLabel = (language: Language, group: string, name: string): string => {
  const ofPerson = group === 'person' ? OF_PERSON[name] : undefined
  return ofPerson === undefined ? textOf(language, `field.${name}`, name) : language.text(ofPerson)
}

const EXAMPLE_SHOP = 'https://shop.example'

export const fieldHint = ({ text }: Language, group: string, name: string): string | undefined => {
  switch (`${group}.${name}`) {
    case 'business.legal_name':
      return text('hint.legal_name')
    case 'business.trading_name':
      return text('hint.trading_name')
    case 'business.website':
      return text('hint.website', { example: EXAMPLE_SHOP })
    case 'contact.email':
      return text('hint.contact_email')
    case 'person.full_name':
      return text('hint.full_name')
    case 'person.ownership_percent':
      return text('hint.ownership_percent')
    default:
      return undefined
  }
}

export const sectionTitle = (language: Language, name: string): string =>
  textOf(language, `section.${name}`, name)

const COUNTRY = /^[A-Z]{2}$/

const volumeText = ({ text, wholeEuros }: Language, value: string): string | null => {
  switch (value) {
    case 'range_0_1k':
      return text('option.upTo', { amount: wholeEuros(1_000) })
    case 'range_1k_10k':
      return text('option.between', { from: wholeEuros(1_000), to: wholeEuros(10_000) })
    case 'range_10k_50k':
      return text('option.between', { from: wholeEuros(10_000), to: wholeEuros(50_000) })
    case 'range_50k_250k':
      return text('option.between', { from: wholeEuros(50_000), to: wholeEuros(250_000) })
    case 'range_250k_plus':
      return text('option.from', { amount: wholeEuros(250_000) })
    default:
      return null
  }
}

/** Returns the label of an allowed value; for a country code, the country's name. */
export const optionText = (language: Language, value: string): string =>
  volumeText(language, value) ??
  (COUNTRY.test(value) ? language.country(value) : textOf(language, `option.${value}`, value))

type DocumentWords = Readonly<{ title: string; hint: string }>
export const documentWords = (
  { text }: Language,
  type: DocumentType | UploadedDocumentType,
): DocumentWords => ({
  title: text(`document.${type}`),
  hint: text(`document.${type}.hint`),
})

/** Reason for a rejection, and what the merchant can do. A match of sanctions is never disclosed (decisions §7). */
export const rejectionTexts = (
  { text }: Language,
  reason: VerificationRejectionReason,
): Readonly<{ why: string; advice: string }> => {
  const shown = reason === 'sanctions_match' ? 'other' : reason
  return { why: text(`rejection.${shown}`), advice: text(`rejection.${shown}.advice`) }
}
