import { createLogger, implement, newId, refuse, reply, serve, type Bus, type Clock } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { onrampHolds, type CryptoOrderTerms } from '@causeway/contracts'

const CRYPTO_ORDER_MS = 12 * 3_600_000

/** Payments as the onramp service sees it: crypto orders, and the requests that were made about them. */
export const createFakePayments = (bus: Bus, clock: Clock) => {
  const known = new Map<string, CryptoOrderTerms>()
  const requested: { what: string; orderId: string; cause?: string; expires_at?: string }[] = []
  let isDown = false
  const find = (
    what: string,
    body: { partner_id: string; order_id: string; cause?: string; expires_at?: string | undefined },
  ) => {
    requested.push({
      what,
      orderId: body.order_id,
      ...(body.cause === undefined ? {} : { cause: body.cause }),
      ...(what === 'release' && body.expires_at !== undefined ? { expires_at: body.expires_at } : {}),
    })
    if (isDown) return null
    const cryptoOrder = known.get(body.order_id)
    return cryptoOrder?.partner_id === body.partner_id ? cryptoOrder : undefined
  }
  const answer = (
    cryptoOrder: CryptoOrderTerms | null | undefined,
    change: Partial<CryptoOrderTerms> = {},
  ) => {
    if (cryptoOrder === null) return refuse('temporarily_unavailable')
    if (cryptoOrder === undefined) return refuse('resource_not_found')
    if (cryptoOrder.status === 'pending') known.set(cryptoOrder.order_id, { ...cryptoOrder, ...change })
    return reply({ order: { ...cryptoOrder, ...(cryptoOrder.status === 'pending' ? change : {}) } })
  }
  serve(
    bus,
    implement(onrampHolds, {
      getOrder: async ({ body }) => answer(find('getOrder', body)),
      getOrderByBuyer: async ({ body }) => answer(isDown ? null : known.get(body.order_id)),
      create: async ({ body }) => {
        const cryptoOrder = find('create', body)
        return cryptoOrder && cryptoOrder.status !== 'pending'
          ? refuse('invalid_state', [{ from: cryptoOrder.status }])
          : answer(cryptoOrder)
      },
      extend: async ({ body }) => answer(find('extend', body), { expires_at: body.expires_at }),
      release: async ({ body }) => answer(find('release', body)),
      cancelOrder: async ({ body }) => answer(find('cancelOrder', body), { status: 'cancelled' }),
    }),
    {
      keys: testReceiverKeys(),
      service: 'payments',
      clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
  return {
    setDown: (down: boolean) => {
      isDown = down
    },
    setStatus: (orderId: string, status: CryptoOrderTerms['status']) => {
      const cryptoOrder = known.get(orderId)
      if (cryptoOrder) known.set(orderId, { ...cryptoOrder, status })
    },
    /** The requests about one crypto order, without reads. */
    requestsOf: (orderId: string) =>
      requested.filter((entry) => entry.orderId === orderId && entry.what !== 'getOrder'),
    cryptoOrder: (orderId: string) => known.get(orderId),
    newCryptoOrder: (change: Partial<CryptoOrderTerms> = {}): CryptoOrderTerms => {
      const cryptoOrder: CryptoOrderTerms = {
        order_id: newId('cryptoOrder'),
        partner_id: newId('partner'),
        partner_customer_id: newId('relationship'),
        customer_id: newId('merchant'),
        status: 'pending',
        network: 'BTC',
        asset: 'BTC',
        amount: '0.0005',
        currency: 'EUR',
        fiat_amount: '30.00',
        address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        expires_at: new Date(clock.nowMs() + CRYPTO_ORDER_MS).toISOString(),
        ...change,
      }
      known.set(cryptoOrder.order_id, cryptoOrder)
      return cryptoOrder
    },
  }
}
