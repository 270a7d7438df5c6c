import { createHmac, timingSafeEqual } from 'node:crypto'
import { NOTICE_TOLERANCE_MS, type NoticeRefusal } from '../notice.ts'

/** The header that carries the sandbox's signature: `t=<Unix seconds>,v1=<hex HMAC-SHA256>`. */
export const SANDBOX_SIGNATURE_HEADER = 'sandbox-signature'

const FORM = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/

const digest = (secret: string, seconds: string, body: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()

/** Signs `<Unix seconds>.<body>`, as the webhooks of most processors do. */
export const signSandboxPost = (secret: string, body: Uint8Array, at: Date): string => {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  return `t=${seconds},v1=${digest(secret, seconds, body).toString('hex')}`
}

/** Null for a valid, recent signature. Its age is checked last: only a genuine post is `stale`. */
export const verifySandboxPost = (
  secret: string,
  post: { signature: string | undefined; body: Uint8Array; now: Date },
): NoticeRefusal | null => {
  const [, seconds, given] = FORM.exec(post.signature ?? '') ?? []
  if (seconds === undefined || given === undefined) return 'bad_signature'
  if (!timingSafeEqual(Buffer.from(given, 'hex'), digest(secret, seconds, post.body))) return 'bad_signature'
  return Math.abs(post.now.getTime() - Number(seconds) * 1_000) > NOTICE_TOLERANCE_MS ? 'stale' : null
}
