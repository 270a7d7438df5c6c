import type { OnrampStatus } from '@causeway/contracts'
import { createBanxaProvider, type BanxaOptions } from '../../src/onramp/banxa/adapter.ts'
import { signBanxaPost } from '../../src/onramp/banxa/signature.ts'
import type { Notice } from '../card-fixture.ts'
import type { OnrampFixture } from '../onramp-fixture.ts'
import { createOrders, stamp, type BanxaOrder } from './orders.ts'
import { createBanxaServer } from './server.ts'

/** Never met, however slow the machine is. */
const PATIENT_MS = 120_000
const IMPATIENT_MS = 1_000
const NOTICE_URL = 'https://pay.example/api/callbacks/onramp/banxa'
export const BANXA_ACCOUNT = {
  partner: 'causeway',
  apiKey: 'api-key-of-nobody',
  webhookKey: 'hmac-key-of-nobody',
  webhookSecret: 'hmac-secret-of-nobody',
}

/** Microseconds that are never the same twice, as Banxa's nonces. */
const createNonces = () => {
  let last = 0
  return (): string => {
    last = Math.max(Date.now() * 1_000, last + 1)
    return String(last)
  }
}

/** The notice of an order as the page on webhooks shows it, its dates without a separator included. */
export const noticeBody = (order: BanxaOrder): string => {
  const at = order.updatedAt.slice(0, 19).replace('T', '')
  return JSON.stringify({
    order_id: order.id,
    status: order.status === 'completed' ? 'complete' : order.status,
    status_date: at,
    created_at: at,
    updated_at: at,
    external_id: order.externalOrderId,
    order_type: order.orderType,
    crypto_coin: order.crypto.id,
    crypto_blockchain: order.crypto.blockchain,
    crypto_amount: order.cryptoAmount,
    fiat_currency: order.fiat,
    fiat_amount: order.fiatAmount,
    transaction_hash: order.transactionHash ?? '0',
    metadata: [],
  })
}

/** The Banxa adapter against a local server that behaves as Banxa's pages say. */
export const startBanxaFixture = async ({ noticeUrl = NOTICE_URL } = {}) => {
  const orders = createOrders()
  const server = createBanxaServer(orders, BANXA_ACCOUNT)
  await server.open()
  const options: BanxaOptions = {
    ...BANXA_ACCOUNT,
    apiUrl: server.url(),
    noticeUrl,
    fallbackReturnUrl: 'https://pay.example/',
    timeoutMs: PATIENT_MS,
  }
  const provider = createBanxaProvider(options)
  const impatient = createBanxaProvider({ ...options, timeoutMs: IMPATIENT_MS })
  const notices: Notice[] = []
  const nextNonce = createNonces()
  const secrets = {
    key: options.webhookKey,
    secret: options.webhookSecret,
    path: new URL(noticeUrl).pathname,
  }
  const sign = (text: string, nonce = nextNonce()): Notice => {
    const body = Buffer.from(text)
    return { headers: { authorization: signBanxaPost(secrets, nonce, body) }, body }
  }
  const say = (onrampOrderId: string, status: OnrampStatus, transactionHash?: string): Promise<void> => {
    const order = orders.ofPurchase(onrampOrderId)
    order.status = status === 'complete' ? 'completed' : status
    order.updatedAt = stamp(new Date())
    order.transactionHash = transactionHash ?? order.transactionHash
    notices.push(sign(noticeBody(order)))
    return Promise.resolve()
  }

  return {
    provider,
    impatient,
    options,
    orders,
    server,
    tellsOrders: false,
    signatureHeader: 'authorization',
    noticeUrl,
    say,
    fault: server.setFault,
    notices: () => notices,
    sign,
    stop: async () => {
      await provider.close()
      await impatient.close()
      await server.close()
    },
  } satisfies OnrampFixture & Record<string, unknown>
}

export type BanxaFixture = Awaited<ReturnType<typeof startBanxaFixture>>
