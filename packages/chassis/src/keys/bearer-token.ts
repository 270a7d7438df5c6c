import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** The format of a token; text of another format was never issued and needs no look-up. */
const TOKEN = /^[\w-]{43}$/

/** SHA-256 of a token, which is all that is stored of it: 256 random bits allow no guess, so that no key is needed. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A new token of 256 random bits, safe in a URL, for a link or a session. It is shown once; its hash is stored. */
export const newBearerToken = (): Readonly<{ token: string; tokenHash: Buffer }> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** The hash by which a token is looked up; null for text that was never issued. */
export const bearerTokenHash = (token: string): Buffer | null => (TOKEN.test(token) ? hashOf(token) : null)
