import { OnrampStatus } from '@causeway/contracts'
import { z } from 'zod'
import { verifySandboxPost, SANDBOX_SIGNATURE_HEADER } from '../../card/sandbox/signature.ts'
import { createJsonClient, readAnswer } from '../../http/json-client.ts'
import { OutsideAmount, OutsideId, OutsideText, OutsideUrl } from '../../outside-text.ts'
import type { OnrampProvider, OnrampRequest, OpenedOrder } from '../adapter.ts'

export type SandboxOnrampOptions = Readonly<{
  /** Base URL of the sandbox's onramp provider, without `/onramp`. */
  baseUrl: string
  /** Secret with which it signs its notices. */
  secret: string
  /** Absolute bound of a call. */
  timeoutMs: number
}>

const KEY = 'provider'
const MAX_ANSWER_BYTES = 65_536

const OrderAnswer = z
  .object({
    order_id: OutsideId,
    external_id: OutsideId,
    status: OnrampStatus,
    changed_at: z.iso.datetime(),
    order_type: OutsideText,
    fiat_amount: OutsideAmount.nullable(),
    crypto_amount: OutsideAmount.nullable(),
    transaction_hash: OutsideText.nullable(),
    checkout_url: OutsideUrl,
    order_status_url: OutsideUrl.nullable(),
  })
  .transform((order): OpenedOrder => ({
    providerOrderId: order.order_id,
    onrampOrderId: order.external_id,
    status: order.status,
    changedAt: new Date(order.changed_at),
    orderType: order.order_type,
    fiatAmount: order.fiat_amount,
    cryptoAmount: order.crypto_amount,
    transactionHash: order.transaction_hash,
    checkoutUrl: order.checkout_url,
    orderStatusUrl: order.order_status_url,
  }))

const Notice = z.object({ provider: z.literal(KEY), order: OrderAnswer })

const toBody = (request: OnrampRequest) => ({
  fiat: request.fiat,
  fiat_amount: request.fiatAmount,
  crypto: request.crypto,
  crypto_amount: request.cryptoAmount,
  blockchain: request.blockchain,
  address: request.address,
  return_url: request.returnUrl,
  notice_url: request.noticeUrl,
})

const parseJson = (rawBody: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(rawBody).toString('utf8'))
  } catch {
    return undefined
  }
}

/** The onramp provider of the sandbox, over HTTP. Its notices carry the whole order. */
export const createSandboxOnrampProvider = (options: SandboxOnrampOptions): OnrampProvider => {
  const client = createJsonClient({ ...options, maxBodyBytes: MAX_ANSWER_BYTES })
  return {
    key: KEY,
    createOrder: async (request) =>
      readAnswer(
        await client.send({
          method: 'POST',
          path: '/onramp/orders',
          headers: { 'idempotency-key': request.onrampOrderId },
          body: toBody(request),
        }),
        OrderAnswer,
      ),
    readOrder: async (providerOrderId) =>
      readAnswer(
        await client.send({ method: 'GET', path: `/onramp/orders/${encodeURIComponent(providerOrderId)}` }),
        OrderAnswer,
      ),
    verifyNotice: (headers, body, now) => {
      const signature = headers[SANDBOX_SIGNATURE_HEADER]
      const reason = verifySandboxPost(options.secret, { signature, body, now })
      if (reason !== null) return { ok: false, reason }
      const parsed = Notice.safeParse(parseJson(body))
      if (!parsed.success) return { ok: false, reason: 'malformed' }
      const { order } = parsed.data
      return { ok: true, notice: { providerOrderId: order.providerOrderId, order, postId: null } }
    },
    close: () => client.close(),
  }
}
