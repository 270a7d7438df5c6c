import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

/** A BTC order of 0.0005 due. */
const newOrder = async () => {
  const partner = newPartner()
  const { customerId } = payments.newCustomer(partner)
  const order = await payments.newOrder(partner, customerId, {
    amount: 30,
    reference: `canary-${newId('request')}`,
    email: 'canary@example.com',
    firstName: 'Canary',
  })
  return { partner, customerId, order }
}
const read = async (orderId: string) => {
  const outcome = await payments.readByBuyer(orderId)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.value.order
}
const versionsOf = async (orderIds: string[]) => {
  const outcome = await payments.versions(orderIds)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.value.orders
}

describe('an order shown to its buyer', () => {
  it('shows what to send where, and nothing about a person, a merchant or a partner', async () => {
    const { partner, customerId, order } = await newOrder()
    const shown = await read(order.id)
    expect(shown).toMatchObject({
      id: order.id,
      status: 'pending',
      amount: '0.0005',
      received: '0',
      unconfirmed: '0',
      due: '0.0005',
      toSend: '0.0005',
      address: order.address,
      paymentUri: order.paymentUri,
      fiatAmount: '30.00',
      currency: 'EUR',
      expiresAt: order.expiresAt,
    })
    const text = JSON.stringify(shown).toLowerCase()
    for (const secret of ['canary', partner.partnerId, customerId, 'mer_', order.reference])
      expect(text).not.toContain(secret.toLowerCase())
  })

  it('shows what the partner has stated for the page: the shop, what is bought, and the way back', async () => {
    const partner = newPartner()
    const { customerId } = payments.newCustomer(partner)
    const stated = {
      shopName: 'Corner Books',
      description: 'Two novels',
      returnUrl: 'https://books.example/thanks?order=7',
    }
    const order = await payments.newOrder(partner, customerId, stated)
    expect(await read(order.id)).toMatchObject(stated)
    const { order: without } = await newOrder()
    for (const field of Object.keys(stated)) expect(await read(without.id)).not.toHaveProperty(field)
  })

  it('shows the rate, and each deposit with its confirmations and its transaction in the explorer', async () => {
    const { partner, order } = await newOrder()
    expect(await read(order.id)).toMatchObject({ rate: '60000', deposits: [] })
    const { tx_id: txId = '' } = await payments.deposit(order.id, '0.0005', 0)
    const [seen] = await eventually(async () => {
      const { deposits } = await read(order.id)
      return deposits.length > 0 && deposits
    })
    const shown = {
      txId,
      amount: '0.0005',
      confirmationsNeeded: 2,
      explorerUrl: `https://explorer.example/tx/${txId}`,
    }
    expect(seen).toEqual({ ...shown, confirmations: 0, countedAt: null })
    await payments.confirm(order.id, 2)
    await payments.becomes(partner, order.id, 'paid')
    const { deposits } = await read(order.id)
    expect(deposits).toEqual([{ ...shown, confirmations: 2, countedAt: expect.stringMatching(/Z$/) }])
  })

  it('is found by its id alone', async () => {
    expect(await payments.readByBuyer(newId('cryptoOrder'))).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
  })

  it('shows detected money, then the amount still due, and requests only what is not on its way from wallets', async () => {
    const { partner, order } = await newOrder()
    const unpaid = await read(order.id)
    const { tx_id: txId = '' } = await payments.deposit(order.id, '0.0002', 0)
    const seen = await eventually(async () => {
      const now = await read(order.id)
      return now.unconfirmed === '0.0002' && now
    })
    expect(seen).toMatchObject({ status: 'pending', received: '0', due: '0.0005', toSend: '0.0003' })
    expect(seen.paymentUri).toBe(order.paymentUri.replace('amount=0.0005', 'amount=0.0003'))
    expect(seen.qrImage).not.toBe(unpaid.qrImage)
    expect(txId).not.toBe('')
    await payments.confirm(order.id, 2)
    await payments.becomes(partner, order.id, 'underpaid')
    const short = await read(order.id)
    expect(short).toMatchObject({ received: '0.0002', unconfirmed: '0', due: '0.0003', toSend: '0.0003' })
    expect(short.paymentUri).toBe(seen.paymentUri)
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    expect(await read(order.id)).toMatchObject({ received: '0.0005', due: '0' })
  })

  it('shows what the network has reverted, and not that it is arriving', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    await payments.confirm(order.id, 0)
    await payments.becomes(partner, order.id, 'pending')
    expect(await read(order.id)).toMatchObject({
      received: '0',
      unconfirmed: '0',
      reverted: '0.0005',
      due: '0.0005',
    })
    await payments.confirm(order.id, 1)
    await eventually(async () => (await read(order.id)).unconfirmed === '0.0005')
    expect((await read(order.id)).reverted).toBe('0')
  })

  it('has another version after each change, which the list of versions also shows', async () => {
    const { partner, order } = await newOrder()
    const { order: other } = await newOrder()
    const before = await versionsOf([order.id, newId('cryptoOrder'), other.id])
    expect(before.map(({ id }) => id).toSorted()).toEqual([order.id, other.id].toSorted())
    expect(before.find(({ id }) => id === order.id)?.version).toBe((await read(order.id)).version)
    await payments.cancel(partner, order.id)
    const after = await versionsOf([order.id, other.id])
    const changed = after.filter(({ version }) => before.every((known) => known.version !== version))
    expect(changed.map(({ id }) => id)).toEqual([order.id])
  })
})
