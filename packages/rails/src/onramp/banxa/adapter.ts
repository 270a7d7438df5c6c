import { z } from 'zod'
import { createJsonClient } from '../../http/json-client.ts'
import { RailError } from '../../rail-error.ts'
import type { OnrampProvider, OnrampRequest, OpenedOrder } from '../adapter.ts'
import { CreatedOrder, readBanxaAnswer, ReadOrder } from './answers.ts'
import { verifyBanxaPost } from './signature.ts'
import { decodeXAddress } from '../../chain/formats/xrp-address.ts'

/** Banxa takes an account of the XRP Ledger and its tag in two fields. */
const walletOf = ({ blockchain, address }: OnrampRequest) => {
  if (blockchain !== 'XRP') return { walletAddress: address }
  const { classicAddress, tag } = decodeXAddress(address)
  return { walletAddress: classicAddress, walletAddressTag: String(tag) }
}

/**
 * Body of `POST /{partner}/v2/buy`. It requests the crypto amount that has to arrive, with fees on top: Banxa uses it
 * also when the fiat amount is given. Every purchase is a new customer at Banxa: the platform does not know payers, and
 * one payer must never be taken for another.
 * @throws RailError `refused` for SOL, where a deposit is recognised by a reference that a purchase cannot carry
 */
const toBuyBody = (request: OnrampRequest, fallbackReturnUrl: string) => {
  if (request.blockchain === 'SOL')
    throw new RailError('refused', 'a purchase on SOL would arrive without the reference of its order')
  return {
    crypto: request.crypto,
    blockchain: request.blockchain,
    fiat: request.fiat,
    cryptoAmount: request.cryptoAmount,
    ...walletOf(request),
    redirectUrl: request.returnUrl ?? fallbackReturnUrl,
    externalCustomerId: request.onrampOrderId,
    externalOrderId: request.onrampOrderId,
  }
}

export type BanxaOptions = Readonly<{
  /** `https://api.banxa.com`, or that of Banxa's own sandbox. */
  apiUrl: string
  /** Partner reference, part of every path. */
  partner: string
  /** Sent with every call as `x-api-key`. */
  apiKey: string
  /** HMAC credentials that sign the notices. */
  webhookKey: string
  webhookSecret: string
  /** `{PUBLIC_BASE_URL}/api/callbacks/onramp/banxa`, as it is entered in Banxa's dashboard. */
  noticeUrl: string
  /** Return address of orders without one: Banxa requires it. */
  fallbackReturnUrl: string
  /** Absolute bound of a call. */
  timeoutMs: number
}>

export const BANXA_KEY = 'banxa'
const MAX_ANSWER_BYTES = 262_144
/** Longer than the caller takes to store the created order. */
const SHARED_FOR_MS = 60_000
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
 * Banxa creates an order for every request. Requests with one id that come while one is in flight, or within a minute
 * after it, share its outcome; a failure is not kept.
 */
const shareCreation = (work: (request: OnrampRequest) => Promise<OpenedOrder>) => {
  const known = new Map<string, Promise<OpenedOrder>>()
  return (request: OnrampRequest): Promise<OpenedOrder> => {
    const { onrampOrderId } = request
    const shared = known.get(onrampOrderId)
    if (shared) return shared
    const started = work(request)
    known.set(onrampOrderId, started)
    const forget = () => known.delete(onrampOrderId)
    started.then(() => setTimeout(forget, SHARED_FOR_MS).unref(), forget)
    return started
  }
}

/** @throws RailError for an answer about another order */
const expectSame = (what: string, requested: string, answered: string | null): void => {
  if (answered !== null && answered !== requested)
    throw new RailError('malformed', `the response has another ${what}`)
}

/** Banxa's hosted checkout, API v2. Its notices name the order alone. */
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
    createOrder: shareCreation(async (request) => {
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
      const verified = verifyBanxaPost(secrets, { authorization, body, now })
      if ('reason' in verified) return { ok: false, reason: verified.reason }
      const posted = parseJson(body)
      if (!Notice.safeParse(posted).success) return { ok: false, reason: 'malformed' }
      // Changes of a customer's identity check are posted to the same address.
      const notice = OrderNotice.safeParse(posted)
      if (!notice.success) return { ok: true, notice: null }
      return {
        ok: true,
        notice: { providerOrderId: notice.data.order_id, order: null, postId: verified.postId },
      }
    },
    close: () => client.close(),
  }
}
