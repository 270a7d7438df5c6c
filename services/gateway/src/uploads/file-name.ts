import { MAX_FILE_NAME_LENGTH, type DocumentMimeType } from '@causeway/contracts'

/** Control characters, separators, and marks that change the direction of text (`fdp.exe` would look like `exe.pdf`). */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const FALLBACKS: Readonly<Record<DocumentMimeType, string>> = {
  'application/pdf': 'document.pdf',
  'image/png': 'document.png',
  'image/jpeg': 'document.jpg',
}

/**
 * A file name as it is stored (decisions §6): without a path (POSIX or Windows), without hidden characters, cut to 255
 * characters before its ending. If nothing is left, the name is `document` with an ending by type.
 */
export const cleanFileName = (given: string, type: DocumentMimeType): string => {
  const base = given.toWellFormed().replace(HIDDEN, '').split(/[/\\]/).at(-1)?.trim() ?? ''
  if (/^\.*$/.test(base)) return FALLBACKS[type]
  const characters = Array.from(base)
  if (base.length <= MAX_FILE_NAME_LENGTH) return base
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(base)?.[0] ?? ''
  let name = ''
  for (const character of characters) {
    if (name.length + character.length + ending.length > MAX_FILE_NAME_LENGTH) break
    name += character
  }
  return name + ending
}
