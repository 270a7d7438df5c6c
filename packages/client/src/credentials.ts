import type { ApiError } from './errors.ts'
import { unlessAborted } from './waiting.ts'

/** How a call proves who makes it. */
export type Credential = Readonly<{
  headers: (signal: AbortSignal | undefined) => Promise<Readonly<Record<string, string>>>
  /** Checks whether, after this 401, a different credential from that of these headers is available. */
  renew: (used: Readonly<Record<string, string>>, refusal: ApiError) => boolean
}>

export const fixedHeader = (name: string, value: string): Credential => ({
  headers: () => Promise.resolve({ [name]: value }),
  renew: () => false,
})

/** A token, how long it lives and what it allows. */
export type IssuedToken = Readonly<{ accessToken: string; expiresInMs: number; scopes: readonly string[] }>

/** A credential that knows what it allows. */
export type ScopedCredential = Credential &
  Readonly<{ scopes: (signal: AbortSignal | undefined) => Promise<readonly string[]> }>

/** A token is renewed this long before its end, or after nine tenths of its life where that is later. */
const MARGIN_MS = 30_000

/**
 * Keeps a token until shortly before its end. However many calls need a new one, one is asked for; a call that is
 * aborted meanwhile leaves it to the others.
 */
export const bearerToken = (issue: () => Promise<IssuedToken>): ScopedCredential => {
  type Token = Readonly<{ header: string; scopes: readonly string[]; endsMs: number }>
  let current: Token | null = null
  let issuing: Promise<Token> | null = null
  const renewed = async (): Promise<Token> => {
    const askedMs = performance.now()
    const { accessToken, expiresInMs, scopes } = await issue()
    const endsMs = askedMs + Math.max(expiresInMs - MARGIN_MS, expiresInMs * 0.9)
    current = { header: `Bearer ${accessToken}`, scopes, endsMs }
    return current
  }
  const tokenNow = async (signal: AbortSignal | undefined): Promise<Token> => {
    if (current !== null && current.endsMs > performance.now()) return current
    issuing ??= renewed().finally(() => {
      issuing = null
    })
    return unlessAborted(issuing, signal)
  }
  return {
    headers: async (signal) => ({ authorization: (await tokenNow(signal)).header }),
    scopes: async (signal) => (await tokenNow(signal)).scopes,
    renew({ authorization }) {
      // Another call may have renewed it already.
      if (current?.header === authorization) current = null
      return true
    },
  }
}
