import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryMany, queryOne, withDataKey } from '@causeway/chassis'
import { NETWORK_ASSETS, NETWORKS } from '@causeway/contracts'
import { z } from 'zod'
import { newPartner, orderBody, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const newCustomer = (partner = newPartner()) => payments.newCustomer(partner)
const dumpRows = queryMany({
  name: 'test.dump-rows',
  text: `
    SELECT row::text AS line FROM (
      SELECT to_jsonb(o) AS row FROM crypto_orders o UNION ALL SELECT to_jsonb(e) FROM outbox_events e) AS rows`,
  row: z.object({ line: z.string() }),
})
const findPayer = queryOne({
  name: 'test.read-payer',
  parameters: { orderId: 'text' },
  text: `SELECT ${withDataKey('payer_sealed', "split_part(payer_sealed, '.', 2)")} AS payer_sealed FROM crypto_orders WHERE id = :orderId`,
  row: z.object({ payerSealed: z.string() }),
})

const invalid = (field: string, reason: string, hint = {}) => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field, reason, ...hint }],
})

describe('creating an order', () => {
  it('locks a rate, rounds the amount up, and returns the whole order', async () => {
    const { partner, customerId } = newCustomer()
    const outcome = await payments.create(
      partner,
      customerId,
      orderBody({ reference: 'A-1', amount: '25.00' }),
    )
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    const { order, replayed } = outcome.value
    expect(replayed).toBe(false)
    const createdAt = payments.clock.now()
    expect(order).toEqual({
      id: expect.stringMatching(/^ord_/),
      reference: 'A-1',
      network: 'BTC',
      asset: 'BTC',
      amount: '0.00041667',
      currency: 'EUR',
      status: 'pending',
      address: expect.stringMatching(/^bc1q/),
      paymentUri: `bitcoin:${order.address}?amount=0.00041667`,
      qrUrl: `https://pay.example/qr/${order.id}.png`,
      payUrl: `https://pay.example/pay/${order.id}`,
      createdAt: createdAt.toISOString(),
      expiresAt: new Date(createdAt.getTime() + 12 * 3_600_000).toISOString(),
    })
  })

  it.each([
    ['BTC', 'BTC', '0.17', '0.18', '0.00000294'],
    ['SOL', 'SOL', '0.12', '0.13', '0.00089088'],
    ['ETH', 'ETH', '0.02', '0.03', '0.00001'],
  ] as const)(
    'refuses an order for less %s than the network allows, and names the minimum',
    async (network, asset, tooSmall, least, amount) => {
      const { partner, customerId } = newCustomer()
      const body = (given: string) => orderBody({ network, asset, amount: given })
      expect(await payments.create(partner, customerId, body(tooSmall))).toEqual({
        ok: false,
        code: 'invalid_request',
        details: [
          {
            field: 'amount',
            reason: 'too_small',
            expected: `at least ${amount} ${asset}, about ${least} EUR`,
            minimum: { asset, amount, currency: 'EUR', fiat_amount: least },
          },
        ],
      })
      expect(await payments.create(partner, customerId, body(least))).toMatchObject({ ok: true })
    },
  )

  it('replays a reference whose amount has become too small', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId, { reference: 'S-1', amount: '25.00' })
    expect(
      await payments.create(partner, customerId, orderBody({ reference: 'S-1', amount: '0.01' })),
    ).toMatchObject({ ok: true, value: { replayed: true, order: { id: order.id, amount: order.amount } } })
  })

  it('gives every order of every network a unique destination', async () => {
    const { partner, customerId } = newCustomer()
    const pairs = NETWORKS.flatMap((network) => NETWORK_ASSETS[network].map((asset) => ({ network, asset })))
    const created = await Promise.all(
      Array.from({ length: 20 }, () => pairs)
        .flat()
        .map((pair) => payments.newOrder(partner, customerId, pair)),
    )
    expect(new Set(created.map((order) => order.paymentUri)).size).toBe(created.length)
  })

  it('emits one event on both channels, with exactly the fields of the specification', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId, {
      network: 'XRP',
      asset: 'XRP',
      reference: 'E-1',
    })
    const merchantId = payments.onboarding.merchantOf(customerId)
    expect(await payments.eventsOf(order.id)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        name: 'payment.pending',
        created_at: order.createdAt,
        partners: [
          {
            partner_id: partner.partnerId,
            partner_customer_id: customerId,
            type: 'payment.pending',
            data: {
              partner_customer_id: customerId,
              rail: 'crypto',
              order_id: order.id,
              status: 'pending',
              reference: 'E-1',
              chain: 'XRP',
              asset: 'XRP',
              amount: '60',
              currency: 'EUR',
              tx_id: null,
              block_number: null,
              received: null,
            },
          },
        ],
        merchant: {
          merchant_id: merchantId,
          integration_id: null,
          event: 'pending',
          body: {
            event: 'pending',
            order: {
              id: order.id,
              reference: 'E-1',
              merchantId,
              txId: null,
              blockNumber: null,
              chain: 'XRP',
              asset: 'XRP',
              amount: '60',
              address: order.address,
              depositAddress: order.address,
              paymentUri: order.paymentUri,
              qrUrl: order.qrUrl,
            },
          },
        },
        fact: null,
      },
    ])
  })

  it('stores the payer encrypted and bound to the order, and nowhere else', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId, {
      firstName: 'CanaryFirst',
      lastName: 'CanaryLast',
      email: 'canary@example.com',
      phone: '+49 30 canary',
      country: 'DE',
    })
    const lines = (await dumpRows(payments.db)).map((row) => row.line)
    expect(lines.filter((line) => /canary/i.test(line))).toEqual([])
    const row = await findPayer(payments.db, { orderId: order.id })
    const opened = payments.vault.open(row?.payerSealed ?? '', `order:${order.id}`)
    expect(JSON.parse(opened.toString())).toEqual({
      firstName: 'CanaryFirst',
      lastName: 'CanaryLast',
      email: 'canary@example.com',
      phone: '+49 30 canary',
      country: 'DE',
    })
  })

  it.each([
    [
      'a currency that ISO 4217 does not have',
      { currency: 'ZZZ' },
      invalid('currency', 'invalid_value', { expected: 'the ISO 4217 code of a currency in circulation' }),
    ],
    [
      'a currency that was withdrawn',
      { currency: 'BGN' },
      invalid('currency', 'invalid_value', { expected: 'the ISO 4217 code of a currency in circulation' }),
    ],
    [
      'a code that is no money',
      { currency: 'XAU' },
      invalid('currency', 'invalid_value', { expected: 'the ISO 4217 code of a currency in circulation' }),
    ],
    [
      'a currency without a rate',
      { currency: 'AFN' },
      invalid('currency', 'invalid_value', { expected: 'a currency in which BTC is quoted' }),
    ],
    [
      'an asset that the network does not carry',
      { network: 'BTC', asset: 'USDT' },
      invalid('asset', 'invalid_value', {
        expected:
          'an asset of the network: BTC has BTC; LTC has LTC; ETH has ETH, USDT, USDC; SOL has SOL; XRP has XRP',
      }),
    ],
    [
      'an amount of three decimals',
      { amount: '1.001' },
      invalid('amount', 'invalid_value', {
        expected: 'more than 0, with at most 12 digits before the decimal point and 2 after it',
      }),
    ],
    ['a field that does not exist', { callbackUrl: 'x' }, invalid('callbackUrl', 'unknown_field')],
  ])('refuses %s, whether or not the customer exists', async (_, change, refusal) => {
    const { partner, customerId } = newCustomer()
    const body = { ...orderBody(), ...change }
    expect(await payments.create(partner, customerId, body)).toEqual(refusal)
    expect(await payments.create(partner, newId('relationship'), body)).toEqual(refusal)
  })
})
