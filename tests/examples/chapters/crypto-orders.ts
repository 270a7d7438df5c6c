import { eventually } from '@causeway/chassis/testing'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import { control, event, ok, type Parties } from '../story.ts'

type CryptoOrder = Readonly<{ order: { id: string; amount: string } }>

/** Request of every crypto order of the story. */
export const ORDER = { network: 'BTC', asset: 'BTC', amount: 25, currency: 'EUR', email: 'buyer@example.com' }
const PAGE = {
  shopName: 'Corner Books',
  description: 'Two novels',
  returnUrl: 'https://books.example/thanks',
}

/** A paid order is paid three times more; staff apply, keep and hand off what it did not need. */
const endSecondPayments = async (parties: Parties, orderId: string): Promise<void> => {
  const { staff, unrecordedStaff } = parties
  for (const amount of ['0.0001', '0.00002', '0.00003'])
    await control(parties, 'deposits', { order_id: orderId, amount })
  const rows = await eventually(async () => {
    const { unattributed_money: listed } = await ok<{
      unattributed_money: { unattributed_money_id: string }[]
    }>(unrecordedStaff.get('/api/operator/unattributed-money?kind=second'))
    return listed.length === 3 && listed
  })
  const [applied, kept, handled] = rows.map(
    ({ unattributed_money_id: id }) => `/api/operator/unattributed-money/${id}`,
  )
  await ok(staff.post(`${applied}/apply`, { merchant_consent: 'By e-mail, 2026-11-24' }))
  await ok(staff.post(`${kept}/keep`, { reason: 'Not worth its network fee' }))
  await ok(staff.post(`${handled}/handled`, { reason: 'Sent back by the treasury', tx_id: 'ab12' }))
}

type Money = Readonly<{ unattributed_money_id: string; order_id: string }>

/** Money that arrives after its order was refunded, and is sent back too. */
const refundLateMoney = async (
  parties: Parties,
  orderId: string,
  back: Readonly<{ to_address: string }>,
): Promise<void> => {
  const { staff, unrecordedStaff } = parties
  await control(parties, 'deposits', { order_id: orderId, amount: '0.0001' })
  const found = await eventually(async () => {
    const { unattributed_money: rows } = await ok<{ unattributed_money: Money[] }>(
      unrecordedStaff.get('/api/operator/unattributed-money'),
    )
    return rows.find(({ order_id }) => order_id === orderId)
  })
  const path = `/api/operator/unattributed-money/${found.unattributed_money_id}`
  await ok(staff.get(`${path}/refund-plan`))
  await ok(staff.post(`${path}/refund`, { ...back, tx_id: 'f'.repeat(64) }))
}

/** Crypto orders that are paid in two parts, taken back and paid again, cancelled, and refunded after a late payment. */
export const payByCrypto = async (parties: Parties, partner: RawClient, path: string): Promise<void> => {
  const { staff, unrecordedStaff } = parties
  const create = async (reference: string, page = {}) =>
    (await ok<CryptoOrder>(partner.post(`${path}/orders`, { reference, ...ORDER, ...page }))).order
  const order = await create('invoice-2026-1', PAGE)
  const one = `/api/v1/partner/orders/${order.id}`
  await event(parties, 'payment.pending')
  await control(parties, 'deposits', { order_id: order.id, amount: '0.0001' })
  await event(parties, 'payment.underpaid')
  await control(parties, 'deposits', { order_id: order.id })
  await event(parties, 'payment.confirmed')
  await ok(partner.get(one))
  await ok(partner.get(`${path}/orders?limit=25`))
  await ok(partner.get('/api/v1/partner/orders?limit=25'))
  await control(parties, 'confirmations', { order_id: order.id, confirmations: 0 })
  await event(parties, 'payment.reverted')
  await control(parties, 'confirmations', { order_id: order.id, confirmations: 12 })
  await event(parties, 'payment.confirmed', 2)
  await endSecondPayments(parties, order.id)
  const given = await create('invoice-2026-2')
  await ok(partner.post(`/api/v1/partner/orders/${given.id}/cancel`))
  await event(parties, 'payment.cancelled')
  await control(parties, 'deposits', { order_id: given.id })
  await eventually(async () => {
    const { late_payments: late } = await ok<{ late_payments: unknown[] }>(
      unrecordedStaff.get('/api/operator/late-payments'),
    )
    return late.length > 0
  })
  await ok(staff.get('/api/operator/late-payments'))
  const { unattributed_money: waiting } = await ok<{
    unattributed_money: { unattributed_money_id: string }[]
  }>(staff.get('/api/operator/unattributed-money?kind=late'))
  await ok(staff.get(`/api/operator/unattributed-money/${waiting[0]?.unattributed_money_id}`))
  await ok(staff.get(`/api/operator/orders/${given.id}`))
  const back = { to_address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }
  await ok(staff.get(`/api/operator/orders/${given.id}/refund-plan`))
  await ok(staff.post(`/api/operator/orders/${given.id}/refund`, back))
  await ok(staff.get(`/api/operator/orders/${given.id}/refund`))
  await event(parties, 'payment.refunded')
  await refundLateMoney(parties, given.id, back)
}
