import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { BanxaAnswer, invalid } from './errors.ts'

const BuyBody = z.object({
  crypto: z.enum(['BTC', 'LTC', 'ETH', 'USDT', 'USDC', 'XRP']),
  blockchain: z.string().optional(),
  fiat: z.string().length(3),
  fiatAmount: z.string().optional(),
  cryptoAmount: z.string().optional(),
  walletAddress: z.string().min(1),
  walletAddressTag: z.string().optional(),
  redirectUrl: z.url(),
  externalCustomerId: z.string().min(1),
  externalOrderId: z.string().optional(),
})
type BuyBody = z.infer<typeof BuyBody>

/** An order as `GET /{partner}/v2/orders/{id}` shows it: only the response to the creation contains the checkout's address. */
export type BanxaOrder = {
  id: string
  reference: number
  externalOrderId: string | null
  externalCustomerId: string
  country: string | null
  orderType: string
  orderStatusUrl: string
  status: string
  createdAt: string
  updatedAt: string
  crypto: { id: string; blockchain: string; address: string; network: string }
  fiat: string
  fiatAmount: string
  cryptoAmount: string
  walletAddress: string
  walletAddressTag: string | null
  transactionHash: string | null
  metadata: string | null
}

/** To the second, with the six zeros that Banxa writes behind it. */
export const stamp = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, '.000000Z')

const parse = (body: string): BuyBody => {
  const parsed = BuyBody.safeParse(JSON.parse(body))
  if (!parsed.success) throw invalid(String(parsed.error.issues[0]?.path[0]))
  if (parsed.data.fiatAmount === undefined && parsed.data.cryptoAmount === undefined)
    throw invalid('fiatAmount')
  return parsed.data
}

/** The orders of one partner. Nothing is idempotent: every creation makes an order. */
export const createOrders = () => {
  const orders = new Map<string, BanxaOrder>()
  const bodies: BuyBody[] = []

  return {
    /** Every body that was bought with, in order. */
    bodies,
    create: (raw: string, baseUrl: string) => {
      const body = parse(raw)
      const id = randomBytes(16).toString('hex')
      const now = stamp(new Date())
      const order: BanxaOrder = {
        id,
        reference: orders.size + 1,
        externalOrderId: body.externalOrderId ?? null,
        externalCustomerId: body.externalCustomerId,
        country: null,
        orderType: 'BUY',
        orderStatusUrl: `${baseUrl}/status/${id}`,
        status: 'pendingPayment',
        createdAt: now,
        updatedAt: now,
        crypto: { id: body.crypto, blockchain: body.blockchain ?? body.crypto, address: '0x0', network: '1' },
        fiat: body.fiat,
        fiatAmount: body.fiatAmount ?? '31.5',
        cryptoAmount: body.cryptoAmount ?? '0.0005',
        walletAddress: body.walletAddress,
        walletAddressTag: body.walletAddressTag ?? null,
        transactionHash: null,
        metadata: null,
      }
      bodies.push(body)
      orders.set(id, order)
      const { externalCustomerId, externalOrderId, fiat, fiatAmount, cryptoAmount } = order
      const checkoutUrl = `${baseUrl}/checkout/${id}`
      const { crypto, blockchain } = { crypto: order.crypto.id, blockchain: order.crypto.blockchain }
      return {
        id,
        checkoutUrl,
        externalCustomerId,
        externalOrderId,
        fiat,
        fiatAmount,
        cryptoAmount,
        crypto,
        blockchain,
      }
    },
    read: (id: string): BanxaOrder => {
      const order = orders.get(id)
      if (!order) throw new BanxaAnswer(404, '1', 'Order not found')
      return order
    },
    /** The newest order of a purchase. */
    ofPurchase: (externalOrderId: string): BanxaOrder => {
      const order = [...orders.values()].findLast((known) => known.externalOrderId === externalOrderId)
      if (!order) throw new Error(`no order of ${externalOrderId}`)
      return order
    },
  }
}
export type BanxaOrders = ReturnType<typeof createOrders>
