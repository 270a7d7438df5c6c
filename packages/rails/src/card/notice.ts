/** Header names in lower case. */
export type NoticeHeaders = Readonly<Record<string, string | undefined>>

/** Largest difference between the time of a signature and now, in either direction. */
export const NOTICE_TOLERANCE_MS = 300_000

/** Why a post to the notice address is refused. */
export type NoticeRefusal =
  /** No signature, or not one of the processor for these bytes. */
  | 'bad_signature'
  /** Signed too long ago, or too far in the future: a replay. */
  | 'stale'
  /** Signed, but not in the documented form, or of another processor. */
  | 'malformed'

/** The subject of a notice. Its content is not trusted: the payment is read from the processor. */
export type CardNotice = Readonly<{
  /** Unique to the notice, and the same in its repetitions. */
  noticeId: string
  processorOrderId: string
  /** The object that changed, according to the processor. */
  kind: 'payment' | 'refund' | 'dispute'
  /** The processor's own name for the event. */
  event: string
}>

/** `notice` null: genuine, but about nothing that the platform handles. Answer 200. */
export type NoticeVerdict =
  Readonly<{ ok: true; notice: CardNotice | null }> | Readonly<{ ok: false; reason: NoticeRefusal }>

/** The payer who is about to be charged. Personal data. */
export type AuthorizationRequest = Readonly<{
  processorOrderId: string
  orderKey: string
  payerIp: string | null
  payerEmail: string | null
}>

export type AuthorizationVerdict =
  Readonly<{ ok: true; request: AuthorizationRequest }> | Readonly<{ ok: false; reason: NoticeRefusal }>
