export const [HT, LF, CR, SP, COLON, SEMICOLON, EQUALS, QUOTE, BACKSLASH] = [
  0x09, 0x0a, 0x0d, 0x20, 0x3a, 0x3b, 0x3d, 0x22, 0x5c,
] as const

/** A table that says of each byte whether it belongs to a class. */
const classOf = (isMember: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (isMember(byte) ? 1 : 0))

const TOKEN_TEXT = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]$/
/** RFC 9110 §5.6.2: names of fields. */
export const TOKEN = classOf((byte) => TOKEN_TEXT.test(String.fromCharCode(byte)))

const isText = (byte: number) => byte === HT || (byte >= SP && byte !== 0x7f)
/** RFC 9110 §5.5: values of fields, white space inside included. */
export const FIELD_TEXT = classOf(isText)
/** RFC 9110 §5.6.4: between quotes. */
export const QUOTED_TEXT = classOf((byte) => isText(byte) && byte !== QUOTE && byte !== BACKSLASH)

/** The value of a digit, decimal or hexadecimal; -1 for any other byte. */
export const HEX_VALUE = Int8Array.from({ length: 256 }, (_, byte) => {
  const text = String.fromCharCode(byte)
  return /^[0-9A-Fa-f]$/.test(text) ? parseInt(text, 16) : -1
})
export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
