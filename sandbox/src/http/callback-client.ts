import type { Clock } from '@causeway/chassis'
import { withDeadline } from '@causeway/rails'
import { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from '@causeway/rails/sandbox'

/** Sends requests to the platform's callback URLs, signed at the time of sending. */
export type CallbackClient = Readonly<{
  /** The response's status and body; null without a response in time. */
  send: (url: string, body: string) => Promise<{ status: number; body: string } | null>
}>

export type CallbackOptions = Readonly<{
  /** Replaces the base of every callback's address; null: sent as addressed. */
  baseUrl: string | null
  timeoutMs: number
}>

const addressed = (url: string, baseUrl: string | null): string => {
  if (baseUrl === null) return url
  const { pathname, search } = new URL(url)
  return `${baseUrl}${pathname}${search}`
}

export const createCallbackClient = (
  secret: string,
  clock: Clock,
  { stopping, baseUrl, timeoutMs }: CallbackOptions & Readonly<{ stopping: AbortSignal }>,
): CallbackClient => ({
  send: async (url, body) => {
    const signature = signSandboxPost(secret, Buffer.from(body), new Date(clock.outsideMs()))
    try {
      return await withDeadline({ timeoutMs, signal: stopping }, async (signal) => {
        const answer = await fetch(addressed(url, baseUrl), {
          method: 'POST',
          headers: { 'content-type': 'application/json', [SANDBOX_SIGNATURE_HEADER]: signature },
          body,
          redirect: 'manual',
          signal,
        })
        return { status: answer.status, body: await answer.text() }
      })
    } catch {
      // No response, for whatever reason: notices are retried, and the payer may try again.
      return null
    }
  },
})
