import { createLogger, implement, newId, refuse, reply, serve, type Bus, type Clock } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { onrampHolds, type CryptoOrderTerms } from '@causeway/contracts'

const INVOICE_MS = 12 * 3_600_000

/** Payments as the onramp service sees it: its invoices and what it was asked of them. */
export const createFakePayments = (bus: Bus, clock: Clock) => {
  const known = new Map<string, CryptoOrderTerms>()
  const asked: { what: string; orderId: string; cause?: string }[] = []
  let isDown = false
  const find = (what: string, body: { partner_id: string; order_id: string; cause?: string }) => {
    asked.push({ what, orderId: body.order_id, ...(body.cause === undefined ? {} : { cause: body.cause }) })
    if (isDown) return null
    const invoice = known.get(body.order_id)
    return invoice?.partner_id === body.partner_id ? invoice : undefined
  }
  const answer = (invoice: CryptoOrderTerms | null | undefined, change: Partial<CryptoOrderTerms> = {}) => {
    if (invoice === null) return refuse('temporarily_unavailable')
    if (invoice === undefined) return refuse('resource_not_found')
    if (invoice.status === 'pending') known.set(invoice.order_id, { ...invoice, ...change })
    return reply({ order: { ...invoice, ...(invoice.status === 'pending' ? change : {}) } })
  }
  serve(
    bus,
    implement(onrampHolds, {
      getOrder: async ({ body }) => answer(find('resolve', body)),
      create: async ({ body }) => {
        const invoice = find('hold', body)
        return invoice && invoice.status !== 'pending'
          ? refuse('invalid_state', [{ from: invoice.status }])
          : answer(invoice)
      },
      extend: async ({ body }) => answer(find('extend', body), { expires_at: body.expires_at }),
      release: async ({ body }) => answer(find('release', body)),
      cancelOrder: async ({ body }) => answer(find('cancel', body), { status: 'cancelled' }),
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
      const invoice = known.get(orderId)
      if (invoice) known.set(orderId, { ...invoice, status })
    },
    /** What was asked of one invoice, beside reading it. */
    askedOf: (orderId: string) =>
      asked.filter((entry) => entry.orderId === orderId && entry.what !== 'resolve'),
    invoice: (orderId: string) => known.get(orderId),
    newInvoice: (change: Partial<CryptoOrderTerms> = {}): CryptoOrderTerms => {
      const invoice: CryptoOrderTerms = {
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
        expires_at: new Date(clock.nowMs() + INVOICE_MS).toISOString(),
        ...change,
      }
      known.set(invoice.order_id, invoice)
      return invoice
    },
  }
}
