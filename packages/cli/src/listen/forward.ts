import type { Delivery } from './receiver.ts'

export type Forwarded = Readonly<{ status: number; durationMs: number; error?: string }>

const TIMEOUT_MS = 30_000
/** Response to the platform when the local program does not respond. */
const BAD_GATEWAY = 502
const NOT_FORWARDED = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

/** Sends a delivery on as it came: same bytes, same signature. Its answer is what the platform is answered. */
export const forward = async (url: string, { headers, body }: Delivery): Promise<Forwarded> => {
  const begunMs = performance.now()
  const sent = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !NOT_FORWARDED.has(entry[0]),
  )
  const init = { method: 'POST', headers: sent, body: new Uint8Array(body), redirect: 'manual' as const }
  const durationMs = () => Math.round(performance.now() - begunMs)
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.body?.cancel()
    return { status: answer.status, durationMs: durationMs() }
  } catch (error) {
    const { cause = error } = error as { cause?: unknown }
    return { status: BAD_GATEWAY, durationMs: durationMs(), error: String(cause) }
  }
}
