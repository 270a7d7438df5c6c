/** Header names in lower case. */
export type NoticeHeaders = Readonly<Record<string, string | undefined>>

/** How far the time of a signature may lie from now, either way. */
export const NOTICE_TOLERANCE_MS = 300_000

/** Why a post to the notice address is not believed. */
export type NoticeRefusal =
  /** No signature, or not the processor's over these bytes. */
  | 'bad_signature'
  /** Signed too long ago, or too far ahead: a replay. */
  | 'stale'
  /** Signed, but not in the form that the processor documents; or not of this processor. */
  | 'malformed'

/** Says where to look, and nothing that is to be believed without looking. */
export type CardNotice = Readonly<{
  /** The same in every repetition of the notice. */
  noticeId: string
  processorOrderId: string
  /** What the processor says has changed. */
  kind: 'payment' | 'refund' | 'dispute'
  /** The processor's own name of the event. */
  event: string
}>

/** `notice` null: genuine, but of nothing that the platform acts on. Answer 200. */
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
