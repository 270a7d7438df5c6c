import { MAX_FILE_NAME_LENGTH, type DocumentMimeType } from '@causeway/contracts'

/** Control characters, line and paragraph separators, and what turns the direction of text: `fdp.exe` for `exe.pdf`. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const FALLBACKS: Readonly<Record<DocumentMimeType, string>> = {
  'application/pdf': 'document.pdf',
  'image/png': 'document.png',
  'image/jpeg': 'document.jpg',
}

/**
 * A file name as it is kept (decisions §6): without any path, in either system's spelling, without control
 * characters, cut to 255 characters with its ending kept. What has no name left gets one by its type.
 */
export const cleanFileName = (given: string, type: DocumentMimeType): string => {
  const base = given.toWellFormed().replace(UNSEEN, '').split(/[/\\]/).at(-1)?.trim() ?? ''
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
