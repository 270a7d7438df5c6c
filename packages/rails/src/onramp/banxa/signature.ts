import { createHmac, timingSafeEqual } from 'node:crypto'
import { NOTICE_TOLERANCE_MS, type NoticeRefusal } from '../../card/notice.ts'

export type BanxaNoticeSecrets = Readonly<{
  /** The public part of the HMAC credentials. */
  key: string
  secret: string
  /** Path of the notice address as Banxa knows it: it is signed too. */
  path: string
}>

const FORM = /^Bearer ([^\s:]{1,256}):([0-9a-f]{64}):(\d{10}|\d{13}|\d{16})$/i

const digest = (secret: string, ...parts: (string | Uint8Array)[]): Buffer => {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

const digestOf = ({ secret, path }: BanxaNoticeSecrets, nonce: string, body: Uint8Array): Buffer =>
  digest(secret, `POST\n${path}\n${nonce}\n`, body)

/** Compares digests, which have one length: a constant-time comparison of the keys themselves would need that. */
const isKey = ({ key, secret }: BanxaNoticeSecrets, given: string): boolean =>
  timingSafeEqual(digest(secret, given), digest(secret, key))

/** A nonce is a Unix time; its number of digits says whether in seconds, milliseconds or microseconds. */
const timeOf = (nonce: string): number => Number(nonce) * 10 ** (13 - nonce.length)

/** `Authorization` of a post, as Banxa writes it: `Bearer KEY:SIGNATURE:NONCE`. */
export const signBanxaPost = (secrets: BanxaNoticeSecrets, nonce: string, body: Uint8Array): string =>
  `Bearer ${secrets.key}:${digestOf(secrets, nonce, body).toString('hex')}:${nonce}`

/**
 * The id of a genuine, recent post, or why it is refused. Its age is checked last: only a genuine post is `stale`. The
 * id is the signature over nonce and body: two orders reported in one millisecond have the same nonce.
 */
export const verifyBanxaPost = (
  secrets: BanxaNoticeSecrets,
  post: { authorization: string | undefined; body: Uint8Array; now: Date },
): Readonly<{ postId: string }> | Readonly<{ reason: NoticeRefusal }> => {
  const [, key, signature, nonce] = FORM.exec(post.authorization ?? '') ?? []
  if (key === undefined || signature === undefined || nonce === undefined) return { reason: 'bad_signature' }
  const isSigned = timingSafeEqual(Buffer.from(signature, 'hex'), digestOf(secrets, nonce, post.body))
  if (!isKey(secrets, key) || !isSigned) return { reason: 'bad_signature' }
  const isStale = Math.abs(post.now.getTime() - timeOf(nonce)) > NOTICE_TOLERANCE_MS
  return isStale ? { reason: 'stale' } : { postId: signature.toLowerCase() }
}
