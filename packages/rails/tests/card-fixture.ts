import type { CardProcessor, CheckoutRequest, NoticeHeaders } from '../src/cards.ts'

export type CardFault =
  'ok' | 'unreachable' | 'timeout' | 'reset' | 'error' | 'refuse' | 'after_effect_timeout'

export type Notice = Readonly<{ headers: NoticeHeaders; body: Uint8Array }>

/** A processor that can be told what happens at it, and the adapter under test. */
export type CardFixture = Readonly<{
  processor: CardProcessor
  /** The same with calls that time out within a second, for faults that never answer. */
  impatient: CardProcessor
  /** Where the processor posts what it has to tell. */
  noticeUrl: string
  /** Lets the payer of the order act. */
  pay: (orderKey: string, outcome: 'processing' | 'completed' | 'cancelled' | 'expired') => Promise<void>
  /** A refund made at the processor, without the platform. */
  refundOutside: (orderKey: string, amountCents: number) => Promise<void>
  /** The cardholder disputes the whole payment. */
  dispute: (orderKey: string) => Promise<void>
  /** `effect`: calls that change something alone. */
  fault: (mode: CardFault, calls: 'effect' | 'all') => Promise<void>
  /** Everything that was posted to the notice address so far. */
  notices: () => readonly Notice[]
  /** Signs a body as the processor would now. */
  sign: (body: string) => Notice
  stop: () => Promise<void>
}>

let lastKey = 1_000

/** Makes a request for a new checkout in euros. */
export const checkoutRequest = (
  noticeUrl: string,
  change: Partial<CheckoutRequest> = {},
): CheckoutRequest => {
  lastKey += 1
  return {
    orderId: `fio_${lastKey}`,
    orderKey: String(lastKey),
    kind: 'order',
    totalCents: 10_000,
    refundableCents: 10_000,
    currency: 'EUR',
    merchantName: 'Shop & Söhne',
    description: 'Order 4711',
    payerEmail: null,
    returnUrl: 'https://shop.example/thanks',
    failureUrl: 'https://shop.example/sorry',
    noticeUrl,
    ...change,
  }
}
