import { createLogger, implement, newId, reply, serve } from '@causeway/chassis'
import { eventually, testReceiverKeys } from '@causeway/chassis/testing'
import { addressTransfers, orderDeposits, type AddressTransfer } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { z } from 'zod'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

type OfAddress = z.output<(typeof addressTransfers.listOfAddress)['body']>

let payments: RunningPayments
/** The transfers that the signer names, what it was asked, and its failure. */
const signer = { transfers: [] as AddressTransfer[], asked: [] as OfAddress[], fails: false }

beforeAll(async () => {
  payments = await startForTests({ cryptoRefunds: 'signer' })
  serve(
    payments.bus,
    implement(addressTransfers, {
      list: () => Promise.resolve(reply({ addresses: [] })),
      listOfAddress: ({ body }) => {
        signer.asked.push(body)
        if (signer.fails) throw new Error('The signer fails')
        return Promise.resolve(reply({ transfers: signer.transfers }))
      },
    }),
    {
      keys: testReceiverKeys(),
      service: 'signer',
      clock: payments.clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
})
afterAll(() => payments.stop())

const depositsOf = async (merchantId: string, orderId: string) => {
  const answer = await payments.ask(
    orderDeposits.listByMerchant,
    { kind: 'merchant', merchantId },
    { params: { orderId } },
  )
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.deposits
}
const newOrder = async (merchantId = newId('merchant'), change = {}) => {
  const partner = newPartner()
  const { partner_customer_id: customerId } = payments.onboarding.relate(partner.partnerId, merchantId)
  const order = await payments.newOrder(partner, customerId, change)
  return { partner, merchantId, order }
}

test('follows a deposit from its sight over its block to the sweep of its address', async () => {
  const { partner, merchantId, order } = await newOrder()
  expect(await depositsOf(merchantId, order.id)).toEqual([])
  const { tx_id: txId = '' } = await payments.deposit(order.id, undefined, 0)
  const [seen] = await eventually(async () => {
    const found = await depositsOf(merchantId, order.id)
    return found.length > 0 && found
  })
  const now = payments.clock.now().toISOString()
  const common = {
    ...{ txId, outputIndex: 0, network: 'BTC', asset: 'BTC', amount: '0.0005', address: order.address },
    ...{ seenAt: now, reverted: false, transfer: null },
  }
  expect(seen).toEqual({
    ...common,
    ...{ countedAt: null, blockNumber: null, blockHash: null, confirmations: 0, final: false, place: null },
  })

  await payments.confirm(order.id, 2)
  await payments.becomes(partner, order.id, 'paid')
  const [counted] = await depositsOf(merchantId, order.id)
  expect(counted).toEqual({
    ...common,
    ...{ countedAt: now, blockNumber: expect.any(Number), blockHash: expect.any(String) },
    ...{ confirmations: 2, final: false, place: 'address' },
  })
  expect(signer.asked.at(-1)).toEqual({
    network: 'BTC',
    key_index: expect.any(Number),
    coins: [{ tx_id: txId, output_index: 0 }],
  })

  signer.transfers = [
    {
      ...{ purpose: 'sweep', asset: 'BTC', unattributed_money_id: null, tx_id: 'sweep', started_at: now },
      ...{ confirmed_at: null, coins: [{ tx_id: txId, output_index: 0 }] },
    },
  ]
  const [swept] = await depositsOf(merchantId, order.id)
  expect(swept).toMatchObject({
    place: 'moving',
    transfer: { kind: 'sweep', txId: 'sweep', startedAt: now, confirmedAt: null, attribution: 'output' },
  })
})

test('says that the chain has taken a deposit back', async () => {
  const { partner, merchantId, order } = await newOrder(undefined, { network: 'ETH', asset: 'ETH' })
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  await payments.reorganise('ETH', 3)
  await payments.becomes(partner, order.id, 'pending')
  expect(await depositsOf(merchantId, order.id)).toMatchObject([
    { reverted: true, countedAt: null, blockNumber: null, place: null },
  ])
})

test('shows a merchant the deposits of its orders of both its partners, and no other merchant any of them', async () => {
  const own = await newOrder()
  const { merchantId, order } = own
  const other = await newOrder(merchantId)
  for (const each of [own, other]) {
    await payments.deposit(each.order.id)
    await payments.becomes(each.partner, each.order.id, 'paid')
    expect(await depositsOf(merchantId, each.order.id)).toHaveLength(1)
  }
  const stranger = await newOrder()
  expect(await depositsOf(stranger.merchantId, order.id)).toEqual([])
  expect(await depositsOf(newId('merchant'), order.id)).toEqual([])
  expect(await depositsOf(merchantId, newId('cryptoOrder'))).toEqual([])
})

test('lists deposits with an unknown place while the signer does not answer', async () => {
  const { partner, merchantId, order } = await newOrder()
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  signer.fails = true
  expect(await depositsOf(merchantId, order.id)).toMatchObject([{ place: 'unknown', transfer: null }])
  signer.fails = false
  expect(await depositsOf(merchantId, order.id)).toMatchObject([{ place: 'address', transfer: null }])
})
