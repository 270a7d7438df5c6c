import type { ApiError } from './errors.ts'
import { unlessAborted } from './waiting.ts'

/** How a call proves who makes it. */
export type Credential = Readonly<{
  headers: (signal: AbortSignal | undefined) => Promise<Readonly<Record<string, string>>>
  /** Whether, after this 401, another credential than the one of these headers can be had. */
  renew: (used: Readonly<Record<string, string>>, refusal: ApiError) => boolean
}>

export const fixedHeader = (name: string, value: string): Credential => ({
  headers: () => Promise.resolve({ [name]: value }),
  renew: () => false,
})

/** A token and how long it lives. */
export type IssuedToken = Readonly<{ accessToken: string; expiresInMs: number }>

/** A token is renewed this long before its end, or after nine tenths of its life where that is later. */
const MARGIN_MS = 30_000

/**
 * Keeps a token until shortly before its end. However many calls need a new one, one is asked for; a call that is
 * aborted meanwhile leaves it to the others.
 */
export const bearerToken = (issue: () => Promise<IssuedToken>): Credential => {
  let current: Readonly<{ header: string; endsMs: number }> | null = null
  let issuing: Promise<string> | null = null
  const renewed = async (): Promise<string> => {
    const askedMs = performance.now()
    const { accessToken, expiresInMs } = await issue()
    const header = `Bearer ${accessToken}`
    current = { header, endsMs: askedMs + Math.max(expiresInMs - MARGIN_MS, expiresInMs * 0.9) }
    return header
  }
  return {
    async headers(signal) {
      if (current !== null && current.endsMs > performance.now()) return { authorization: current.header }
      issuing ??= renewed().finally(() => {
        issuing = null
      })
      return { authorization: await unlessAborted(issuing, signal) }
    },
    renew({ authorization }) {
      // Another call may have renewed it already.
      if (current?.header === authorization) current = null
      return true
    },
  }
}
