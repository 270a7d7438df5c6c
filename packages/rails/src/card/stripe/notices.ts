import type { Stripe } from 'stripe'
import { z } from 'zod'
import { type CardNotice, NOTICE_TOLERANCE_MS, type NoticeHeaders, type NoticeRefusal } from '../notice.ts'
import { OutsideId, OutsideText } from '../../outside-text.ts'
import { idOf } from './payments.ts'

const SIGNATURE_HEADER = 'stripe-signature'

const Event = z.object({ id: OutsideId, type: OutsideText, data: z.object({ object: z.unknown() }) })
export type Event = z.infer<typeof Event>

/** The last time in the header: the one that the SDK signs with. */
const signedAtMs = (header: string): number =>
  Number(/.*(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? Number.NaN) * 1_000

/**
 * The event, or why it is not believed. The SDK verifies the signature; its age is checked here, since the SDK takes a
 * time in the future and does not distinguish a stale post from a forged one.
 */
export const readEvent = (
  stripe: Stripe,
  webhookSecret: string,
  post: { headers: NoticeHeaders; body: Uint8Array; now: Date },
): Event | NoticeRefusal => {
  const header = post.headers[SIGNATURE_HEADER] ?? ''
  let event: unknown
  try {
    event = stripe.webhooks.constructEvent(Buffer.from(post.body), header, webhookSecret, 0)
  } catch (error) {
    return error instanceof stripe.errors.StripeSignatureVerificationError ? 'bad_signature' : 'malformed'
  }
  if (!(Math.abs(post.now.getTime() - signedAtMs(header)) <= NOTICE_TOLERANCE_MS)) return 'stale'
  const parsed = Event.safeParse(event)
  return parsed.success ? parsed.data : 'malformed'
}

/** The subject of an event: a checkout, or a payment whose checkout must be looked up. */
export type EventSubject = Readonly<
  { kind: CardNotice['kind'] } & ({ sessionId: string } | { paymentIntentId: string })
>

const KINDS: ReadonlyMap<string, CardNotice['kind']> = new Map([
  ['checkout.session.completed', 'payment'],
  ['checkout.session.async_payment_succeeded', 'payment'],
  ['checkout.session.async_payment_failed', 'payment'],
  ['checkout.session.expired', 'payment'],
  ['charge.refunded', 'refund'],
  ['refund.created', 'refund'],
  ['refund.updated', 'refund'],
  ['refund.failed', 'refund'],
  ['charge.dispute.created', 'dispute'],
  ['charge.dispute.updated', 'dispute'],
  ['charge.dispute.closed', 'dispute'],
  ['charge.dispute.funds_withdrawn', 'dispute'],
])

/** The charge, refund or dispute of an event points to its payment. */
const Payable = z.object({ payment_intent: z.union([OutsideId, z.object({ id: OutsideId })]) })
const Session = z.object({ id: OutsideId })

/** Null for events that change nothing the platform keeps. */
export const subjectOf = (event: Event): EventSubject | null => {
  const kind = KINDS.get(event.type)
  if (kind === undefined) return null
  if (kind === 'payment') {
    const session = Session.safeParse(event.data.object)
    return session.success ? { kind, sessionId: session.data.id } : null
  }
  const payable = Payable.safeParse(event.data.object)
  const paymentIntentId = payable.success ? idOf(payable.data.payment_intent) : null
  return paymentIntentId === null ? null : { kind, paymentIntentId }
}
