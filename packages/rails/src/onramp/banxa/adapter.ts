import { z } from 'zod'
import { createJsonClient } from '../../http/json-client.ts'
import { RailError } from '../../rail-error.ts'
import type { OnrampProvider, OnrampRequest, OpenedOrder } from '../adapter.ts'
import { CreatedOrder, readBanxaAnswer, ReadOrder } from './answers.ts'
import { toBuyBody } from './requests.ts'
import { judgeBanxaPost } from './signature.ts'

export type BanxaOptions = Readonly<{
  /** `https://api.banxa.com`, or that of Banxa's own sandbox. */
  apiUrl: string
  /** The partner reference in every path. */
  partner: string
  /** Goes with every call as `x-api-key`. */
  apiKey: string
  /** The HMAC credentials that notices are signed with. */
  webhookKey: string
  webhookSecret: string
  /** `{PUBLIC_BASE_URL}/api/callbacks/onramp/banxa`, as it is entered in Banxa's dashboard. */
  noticeUrl: string
  /** Where a payer goes whose order names no other address: Banxa demands one. */
  fallbackReturnUrl: string
  /** Absolute bound of a call. */
  timeoutMs: number
}>

export const BANXA_KEY = 'banxa'
const MAX_ANSWER_BYTES = 262_144
/** Longer than it takes the caller to write down what was created. */
const REMEMBERED_MS = 60_000
const Notice = z.looseObject({})
const OrderNotice = z.object({ order_id: z.string().regex(/^[\w-]{1,64}$/) })

const parseJson = (rawBody: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(rawBody).toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Banxa makes an order of every creation. Those with one id that come while one is under way, or soon after it, share
 * its outcome; a failure is kept by nobody.
 */
const sharing = (work: (request: OnrampRequest) => Promise<OpenedOrder>) => {
  const known = new Map<string, Promise<OpenedOrder>>()
  return (request: OnrampRequest): Promise<OpenedOrder> => {
    const { onrampOrderId } = request
    const shared = known.get(onrampOrderId)
    if (shared) return shared
    const started = work(request)
    known.set(onrampOrderId, started)
    const forget = () => known.delete(onrampOrderId)
    started.then(() => setTimeout(forget, REMEMBERED_MS).unref(), forget)
    return started
  }
}

/** Of another order, nothing may be made. */
const expectSame = (what: string, asked: string, told: string | null): void => {
  if (told !== null && told !== asked) throw new RailError('malformed', `the answer is of another ${what}`)
}

/** Banxa's hosted checkout, API v2. Its notices say only where to look. */
export const createBanxaProvider = (options: BanxaOptions): OnrampProvider => {
  const { apiUrl, partner, apiKey, timeoutMs } = options
  const client = createJsonClient({
    baseUrl: `${apiUrl.replace(/\/+$/, '')}/${encodeURIComponent(partner)}/v2`,
    timeoutMs,
    maxBodyBytes: MAX_ANSWER_BYTES,
  })
  const headers = { 'x-api-key': apiKey }
  const secrets = {
    key: options.webhookKey,
    secret: options.webhookSecret,
    path: new URL(options.noticeUrl).pathname,
  }
  return {
    key: BANXA_KEY,
    createOrder: sharing(async (request) => {
      const body = toBuyBody(request, options.fallbackReturnUrl)
      const answer = await client.send({ method: 'POST', path: '/buy', headers, body })
      const created = readBanxaAnswer(answer, CreatedOrder)
      expectSame('purchase', request.onrampOrderId, created.onrampOrderId)
      return { ...created, onrampOrderId: request.onrampOrderId }
    }),
    readOrder: async (providerOrderId) => {
      const path = `/orders/${encodeURIComponent(providerOrderId)}`
      const order = readBanxaAnswer(await client.send({ method: 'GET', path, headers }), ReadOrder)
      expectSame('order', providerOrderId, order.providerOrderId)
      return order
    },
    verifyNotice: ({ authorization }, body, now) => {
      const judged = judgeBanxaPost(secrets, { authorization, body, now })
      if ('reason' in judged) return { ok: false, reason: judged.reason }
      const posted = parseJson(body)
      if (!Notice.safeParse(posted).success) return { ok: false, reason: 'malformed' }
      // Changes of a customer's identity check are posted to the same address.
      const notice = OrderNotice.safeParse(posted)
      if (!notice.success) return { ok: true, notice: null }
      return {
        ok: true,
        notice: { providerOrderId: notice.data.order_id, order: null, postId: judged.postId },
      }
    },
    close: () => client.close(),
  }
}
