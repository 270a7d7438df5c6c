import type { Clock } from '@causeway/chassis'
import { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from '@causeway/rails'

/** Posts to the platform's callbacks, signed at the moment of sending. */
export type Posts = Readonly<{
  /** The answer's status and body; null when there was no answer in time. */
  send: (url: string, body: string) => Promise<{ status: number; body: string } | null>
}>

const TIMEOUT_MS = 10_000

export const createPosts = (secret: string, clock: Clock, stopping: AbortSignal): Posts => ({
  send: async (url, body) => {
    const signature = signSandboxPost(secret, Buffer.from(body), new Date(clock.outsideMs()))
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [SANDBOX_SIGNATURE_HEADER]: signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      return { status: answer.status, body: await answer.text() }
    } catch {
      // Whatever kept the answer away, the notice comes again and the payer may try again.
      return null
    }
  },
})
