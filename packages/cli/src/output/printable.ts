import { stripVTControlCharacters } from 'node:util'

/** C0 but for line ends and tabs, DEL, C1 with U+009B, and the characters that change the direction of text. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text for a terminal: what others wrote can neither move its cursor nor reorder what is read. */
export const printable = (text: string): string => stripVTControlCharacters(text).replace(UNPRINTABLE, ' ')

/** JSON of the same value whose text a terminal shows as it is written. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
