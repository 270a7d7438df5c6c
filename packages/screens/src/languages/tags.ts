/** A language of the pages for buyers and merchants. */
export type LanguageTag = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'tr' | 'ja' | 'zh' | 'ar'

type Properties = Readonly<{
  /** Name of the language in itself. */
  name: string
  /** Locale of dates. */
  dates: string
  /** Locale of numbers and currencies. */
  numbers: string
  direction: 'ltr' | 'rtl'
}>

const leftToRight = (name: string, dates: string, numbers: string = dates): Properties => ({
  name,
  dates,
  numbers,
  direction: 'ltr',
})

/**
 * Languages in the order of the switch. Portuguese is European, Chinese is simplified. Arabic has European digits, as
 * wallets and bank statements do: an amount must look the same in both.
 */
export const LANGUAGES: Readonly<Record<LanguageTag, Properties>> = {
  en: leftToRight('English', 'en-GB', 'en'),
  de: leftToRight('Deutsch', 'de'),
  fr: leftToRight('Français', 'fr'),
  es: leftToRight('Español', 'es'),
  it: leftToRight('Italiano', 'it'),
  nl: leftToRight('Nederlands', 'nl'),
  pt: leftToRight('Português', 'pt-PT'),
  pl: leftToRight('Polski', 'pl'),
  tr: leftToRight('Türkçe', 'tr'),
  ja: leftToRight('日本語', 'ja'),
  zh: leftToRight('中文', 'zh-Hans'),
  ar: { name: 'العربية', dates: 'ar-u-nu-latn', numbers: 'ar-u-nu-latn', direction: 'rtl' },
}

/** English is first: a browser that accepts no other gets it. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly LanguageTag[]

export const isLanguageTag = (text: string | null): text is LanguageTag =>
  text !== null && Object.hasOwn(LANGUAGES, text)

/** The language of a page, and whether its URL names it; otherwise the browser's languages decide. */
export type PageLanguage = Readonly<{ tag: LanguageTag; isInUrl: boolean }>
