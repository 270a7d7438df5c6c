import { unattributedMoney, type Network } from '@causeway/contracts'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  CONSENT,
  STAFF,
  startUnknownFixture,
  type UnknownFixture,
} from '../unattributed-money/unknown-fixture.ts'
import { CHEAP, REQUESTED, SENT, serveSigner } from './fake-signer.ts'

const ASK_AGAIN_MS = 2_000
const XRP_TO = 'rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj'
const { derive } = createDestinations(SANDBOX_ACCOUNTS)
/** Beyond all numbers that orders of a test run may have. */
const FAR = 1_500_000_000
const LTC_TO = derive('LTC', FAR).address

let fixture: UnknownFixture
let signer: ReturnType<typeof serveSigner>
beforeAll(async () => {
  fixture = await startUnknownFixture({ cryptoRefunds: 'signer' })
  signer = serveSigner(fixture.payments)
})
afterAll(() => fixture.stop())
beforeEach(() => {
  signer.said = REQUESTED
  signer.estimated = CHEAP
})

const refund = (id: string, body: object) =>
  fixture.payments.ask(unattributedMoney.refund, STAFF, { params: { unattributedMoneyId: id }, body })
const plan = (id: string) =>
  fixture.payments.ask(unattributedMoney.getRefundPlan, STAFF, {
    params: { unattributedMoneyId: id },
    query: {},
  })
let lost = FAR
/** Money that arrives at the address of an order that a restore has lost. */
const atLostAddress = async (network: Network, amount: string) => {
  const number = (lost += 1)
  const { address } = derive(network, number)
  await fixture.skip(network, address, number)
  const transfer = { ...(await fixture.newOrder(network)).pay(amount), address }
  const { id } = await fixture.arrive(transfer, network)
  return { id, number, address, transfer }
}
const becomes = (id: string, expected: object) =>
  fixture.payments.eventually(async () => {
    fixture.payments.clock.advance(ASK_AGAIN_MS)
    const answer = await fixture.payments.ask(unattributedMoney.get, STAFF, {
      params: { unattributedMoneyId: id },
    })
    expect(answer).toMatchObject({ value: { unattributed_money: expected } })
  })

describe('money that names no order', () => {
  test('is sent back only by hand, once, from a shared account, and not to that account itself', async () => {
    const { id } = await fixture.arrive(fixture.toAccount('XRP', '12'), 'XRP')
    expect(await plan(id)).toMatchObject({
      value: {
        plan: {
          sent_by: 'staff',
          network: 'XRP',
          asset: 'XRP',
          from_address: SANDBOX_ACCOUNTS.XRP,
          amount: '12',
        },
      },
    })
    expect(await refund(id, { to_address: XRP_TO })).toMatchObject({
      code: 'not_refundable',
      details: [{ reason: 'no_address_of_an_order', expected: 'sent_by_hand' }],
    })
    const body = { to_address: XRP_TO, sent_by_hand: true, tx_id: 'AB12' }
    expect(await refund(id, { ...body, to_address: SANDBOX_ACCOUNTS.XRP })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'to_address', reason: 'forbidden_address' }],
    })
    const sent = await refund(id, body)
    expect(sent).toMatchObject({
      value: {
        unattributed_money: { status: 'ended', ended_by: 'refund', ended_tx_id: 'AB12', order_id: null },
      },
    })
    expect(await refund(id, body)).toEqual(sent)
    expect(await refund(id, { ...body, tx_id: 'CD34' })).toMatchObject({ code: 'invalid_state' })
    const order = await fixture.newOrder('XRP')
    expect(await fixture.end('apply', id, { ...CONSENT, order_id: order.id })).toMatchObject({
      code: 'invalid_state',
      details: [{ from: 'refund', to: 'applied' }],
    })
  })

  test('is sent back by the signer with the key of its address when the order was lost', async () => {
    const { id, number, address, transfer } = await atLostAddress('LTC', '0.4')
    expect(await plan(id)).toMatchObject({
      value: { plan: { sent_by: 'signer', from_address: address, amount: '0.4', obstacle: null } },
    })
    const other = await atLostAddress('LTC', '0.3')
    expect(await refund(id, { to_address: other.address })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'to_address', reason: 'forbidden_address' }],
    })
    expect(await refund(id, { to_address: LTC_TO })).toMatchObject({
      value: {
        unattributed_money: { status: 'refunding' },
        refund: { order_id: null, unattributed_money_id: id, from_address: address, amount: '0.4' },
      },
    })
    signer.said = { ...SENT, status: 'confirmed' }
    await becomes(id, { status: 'ended', ended_by: 'refund', ended_tx_id: 'tx' })
    expect(signer.asked.find((asked) => asked.unattributed_money_id === id)).toMatchObject({
      order_id: null,
      network: 'LTC',
      key_index: number,
      address,
      coins: [{ tx_id: transfer.txId, output_index: 0 }],
    })
  })

  test("is sent from where it is after it was applied to another order, not from that order's address", async () => {
    const order = await fixture.newOrder('LTC')
    await fixture.payments.cancel(order.partner, order.id)
    const { id, number, address, transfer } = await atLostAddress('LTC', order.amount)
    await fixture.end('apply', id, { ...CONSENT, order_id: order.id })
    const [late] = await fixture.listedOf(transfer)
    expect(late).toMatchObject({ kind: 'late', order_id: order.id, address })
    expect(await fixture.payments.refund(order.id, LTC_TO)).toMatchObject({ code: 'nothing_to_refund' })
    const lateId = late?.unattributed_money_id ?? ''
    expect(await refund(lateId, { to_address: LTC_TO })).toMatchObject({
      value: { refund: { order_id: order.id, from_address: address } },
    })
    signer.said = { ...SENT, status: 'confirmed' }
    await becomes(lateId, { status: 'ended', ended_by: 'refund' })
    expect(signer.askedOf(order.id)).toMatchObject([{ key_index: number, address }])
  })

  test('is either sent back or applied when both are requested concurrently', async () => {
    const order = await fixture.newOrder('XRP')
    const { id } = await fixture.arrive(fixture.toAccount('XRP', order.amount), 'XRP')
    const [sent, applied] = await Promise.all([
      refund(id, { to_address: XRP_TO, sent_by_hand: true }),
      fixture.end('apply', id, { ...CONSENT, order_id: order.id }),
    ])
    expect([sent.ok, applied.ok].filter(Boolean)).toHaveLength(1)
    expect(await order.status()).toBe(applied.ok ? 'paid' : 'pending')
  })
})
