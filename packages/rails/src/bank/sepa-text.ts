/** Maximum length of a name in a payment file. */
export const MAX_NAME_LENGTH = 70
/** Maximum length of the text of a transfer. */
export const MAX_REFERENCE_LENGTH = 140

/** EPC217-08: the characters that every bank of the scheme accepts. */
const SEPA_TEXT = /^[A-Za-z0-9/\-?:().,'+ ]+$/

/** Letters that Unicode does not decompose, and signs with a common replacement (EPC217-08). */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe', Ø: 'O', ø: 'o', Ł: 'L', ł: 'l', ı: 'i' },
  ...{ Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'TH', þ: 'th', '&': '+', _: '-', '–': '-', '’': "'", '`': "'" },
}

/** Writes text in the SEPA character set, without accents. Other characters remain and are refused. */
export const transliterate = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^ -~]|[&_`]/gu, (character) => REPLACEMENTS[character] ?? character)
    .replace(/\s+/gu, ' ')
    .trim()

/** True for text that a payment file can carry. */
export const isSepaText = (text: string, maxLength: number): boolean =>
  SEPA_TEXT.test(text) && text.length <= maxLength
