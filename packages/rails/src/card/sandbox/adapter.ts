import type { z } from 'zod'
import { createJsonClient, readAnswer } from '../../http/json-client.ts'
import type { CardProcessor, CardTraits, CheckoutRequest, RefundRequest } from '../adapter.ts'
import type { NoticeHeaders, NoticeRefusal } from '../notice.ts'
import type { CardRefund } from '../payment.ts'
import {
  AuthorizationPost,
  CheckoutAnswer,
  NoticePost,
  PaymentAnswer,
  RefundAnswer,
  RefundsAnswer,
} from './answers.ts'
import { verifySandboxPost, SANDBOX_SIGNATURE_HEADER } from './signature.ts'

export type SandboxCardOptions = Readonly<{
  /** Base address of the sandbox's processors, without `/cards`. */
  baseUrl: string
  /** Secret with which the sandbox signs its posts; null in a service that takes none. */
  secret: string | null
  /** Absolute bound of a call. */
  timeoutMs: number
  /** Most connections to the processor. */
  connections: number
}>

const MAX_ANSWER_BYTES = 4_194_304

const toCheckout = (request: CheckoutRequest) => ({
  order_key: request.orderKey,
  kind: request.kind,
  total_cents: request.totalCents,
  refundable_cents: request.refundableCents,
  currency: request.currency,
  merchant_name: request.merchantName,
  description: request.description,
  payer_email: request.payerEmail,
  return_url: request.returnUrl,
  failure_url: request.failureUrl,
  notice_url: request.noticeUrl,
})

const toRefund = (request: RefundRequest) => ({
  amount_cents: request.amountCents,
  description: request.description,
  order_lines:
    request.orderLines?.map((line) => ({
      merchant_order_line_id: line.merchantOrderLineId,
      quantity: line.quantity,
    })) ?? null,
})

const parseJson = (rawBody: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(rawBody).toString('utf8'))
  } catch {
    return undefined
  }
}

/** The verified post of this processor, or why it is refused. */
const verifyPost = <T extends { processor: string }>(
  shape: z.ZodType<T>,
  expected: { processor: string; secret: string | null },
  post: { headers: NoticeHeaders; body: Uint8Array; now: Date },
): { ok: true; post: T } | { ok: false; reason: NoticeRefusal } => {
  const signature = post.headers[SANDBOX_SIGNATURE_HEADER]
  if (expected.secret === null) return { ok: false, reason: 'bad_signature' }
  const reason = verifySandboxPost(expected.secret, { ...post, signature })
  if (reason !== null) return { ok: false, reason }
  const parsed = shape.safeParse(parseJson(post.body))
  // Both processors sign with one secret: a notice must name the processor whose address it was posted to.
  if (!parsed.success || parsed.data.processor !== expected.processor)
    return { ok: false, reason: 'malformed' }
  return { ok: true, post: parsed.data }
}

/** One of the sandbox's processors, over HTTP. */
export const createSandboxCardProcessor = (
  traits: CardTraits,
  options: SandboxCardOptions,
): CardProcessor => {
  const client = createJsonClient({ ...options, maxBodyBytes: MAX_ANSWER_BYTES })
  const expected = { processor: traits.key, secret: options.secret }
  const base = `/cards/${traits.key}`
  const pathOf = (processorOrderId: string) => `${base}/payments/${encodeURIComponent(processorOrderId)}`

  const refundsAt = async (path: string, query: Record<string, string>) =>
    readAnswer(await client.send({ method: 'GET', path, query }), RefundsAnswer)

  const listRefunds = async (processorOrderId: string): Promise<readonly CardRefund[]> => {
    const found: CardRefund[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await refundsAt(`${pathOf(processorOrderId)}/refunds`, cursor === '' ? {} : { cursor })
      found.push(...page.refunds)
      cursor = page.next
    }
    return found
  }

  return {
    traits,
    createCheckout: async (request) => {
      const answer = await client.send({
        method: 'POST',
        path: `${base}/payments`,
        headers: { 'idempotency-key': request.orderId },
        body: toCheckout(request),
      })
      const made = readAnswer(answer, CheckoutAnswer)
      return { processorOrderId: made.payment_id, orderUrl: made.order_url }
    },
    readPayment: async (processorOrderId) =>
      readAnswer(await client.send({ method: 'GET', path: pathOf(processorOrderId) }), PaymentAnswer),
    refund: async (request) => {
      const answer = await client.send({
        method: 'POST',
        path: `${pathOf(request.processorOrderId)}/refunds`,
        headers: { 'idempotency-key': request.refundId },
        body: toRefund(request),
      })
      return readAnswer(answer, RefundAnswer)
    },
    listRefunds,
    refundsSince: ({ since, until, cursor }) =>
      refundsAt(`${base}/refunds`, {
        since: since.toISOString(),
        ...(until !== null && { until: until.toISOString() }),
        ...(cursor !== null && { cursor }),
      }),
    verifyNotice: async (headers, body, now) => {
      const verified = verifyPost(NoticePost, expected, { headers, body, now })
      if (!verified.ok) return verified
      const { notice_id: noticeId, payment_id: processorOrderId, kind, event } = verified.post
      return { ok: true, notice: { noticeId, processorOrderId, kind, event } }
    },
    verifyAuthorization: (headers, body, now) => {
      const verified = verifyPost(AuthorizationPost, expected, { headers, body, now })
      if (!verified.ok) return verified
      const { payment_id: processorOrderId, order_key: orderKey, ...payer } = verified.post
      return {
        ok: true,
        request: { processorOrderId, orderKey, payerIp: payer.payer_ip, payerEmail: payer.payer_email },
      }
    },
    close: () => client.close(),
  }
}
