import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startBanxaFixture, type BanxaFixture } from '../../../tests/banxa/fixture.ts'
import { describeOnrampProvider } from '../../../tests/onramp-provider-suite.ts'
import { onrampRequest } from '../../../tests/onramp-fixture.ts'
import { effectOf } from '../../card/effect.ts'
import { RailError } from '../../rail-error.ts'
import type { OnrampRequest } from '../adapter.ts'
import { createBanxaProvider } from './adapter.ts'

describeOnrampProvider('Banxa', startBanxaFixture)

describe('Banxa alone', () => {
  let fixture: BanxaFixture

  beforeEach(async () => {
    fixture = await startBanxaFixture()
  })
  afterEach(async () => {
    await fixture.stop()
  })

  const request = (change: Partial<OnrampRequest> = {}) => onrampRequest(fixture.noticeUrl, change)
  const opened = async (change: Partial<OnrampRequest> = {}) => {
    const asked = request(change)
    return { asked, order: await fixture.provider.createOrder(asked) }
  }
  const failureOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      (error: unknown) =>
        error instanceof RailError ? `${error.failure}: ${error.message}, ${effectOf(error)}` : error,
    )

  test('creates an order for the amount due, with a separate customer', async () => {
    const { asked } = await opened({ fiatAmount: '30.00' })
    expect(fixture.orders.bodies).toEqual([
      {
        crypto: 'BTC',
        blockchain: 'BTC',
        fiat: 'EUR',
        cryptoAmount: '0.0005',
        walletAddress: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        redirectUrl: 'https://shop.example/thanks',
        externalCustomerId: asked.onrampOrderId,
        externalOrderId: asked.onrampOrderId,
      },
    ])
    expect(fixture.server.calls).toEqual(['POST /causeway/v2/buy'])
  })

  test('returns a payer to the platform when the order names no return address', async () => {
    await opened({ returnUrl: null })
    expect(fixture.orders.bodies[0]?.redirectUrl).toBe('https://pay.example/')
  })

  test('sends an account of the XRP Ledger and its tag as two fields', async () => {
    const address = 'XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5H'
    await opened({ crypto: 'XRP', blockchain: 'XRP', address })
    expect(fixture.orders.bodies[0]).toMatchObject({
      walletAddress: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY',
      walletAddressTag: '12345',
    })
  })

  test('refuses orders on SOL, because the coins would arrive without the reference of their order', async () => {
    const asked = fixture.provider.createOrder(request({ crypto: 'SOL', blockchain: 'SOL' }))
    expect(await failureOf(asked)).toMatch(/^refused: .*, refused$/)
    expect(fixture.server.calls).toEqual([])
  })

  test('creates an order again after a lost answer, also in another process', async () => {
    const asked = request()
    await fixture.server.setFault('after_effect_timeout', 'effect')
    expect(await failureOf(fixture.impatient.createOrder(asked))).toMatch(/^timeout: .*, unknown$/)
    await fixture.server.setFault('ok', 'all')
    const other = createBanxaProvider(fixture.options)
    const made = [await fixture.provider.createOrder(asked), await other.createOrder(asked)]
    await other.close()
    expect(new Set(made.map(({ providerOrderId }) => providerOrderId)).size).toBe(2)
    const ids = fixture.orders.bodies.map(({ externalOrderId }) => externalOrderId)
    expect(new Set(ids)).toEqual(new Set([asked.onrampOrderId]))
  })

  test('reads all of an order except its checkout', async () => {
    const { asked, order } = await opened()
    expect(await fixture.provider.readOrder(order.providerOrderId)).toEqual({
      providerOrderId: order.providerOrderId,
      onrampOrderId: asked.onrampOrderId,
      status: 'pendingPayment',
      changedAt: expect.any(Date),
      orderType: 'BUY',
      fiatAmount: '31.5',
      cryptoAmount: '0.0005',
      transactionHash: null,
      checkoutUrl: null,
      orderStatusUrl: expect.stringContaining(order.providerOrderId),
    })
  })

  test('reads the current status of an order that became active again after its expiry', async () => {
    const { asked, order } = await opened()
    const path = ['expired', 'paymentReceived', 'cryptoTransferred', 'complete'] as const
    const read: string[] = []
    for (const status of path) {
      await fixture.say(asked.onrampOrderId, status)
      read.push((await fixture.provider.readOrder(order.providerOrderId)).status)
    }
    expect(read).toEqual(['expired', 'paymentReceived', 'cryptoTransferred', 'completed'])
  })

  describe('answers', () => {
    test.each([
      [401, '{"errors":[{"status":"40100","code":"401"}]}', 'refused: answered 401 40100 401, refused'],
      [404, '{"errors":[{"status":"1","title":"Order not found"}]}', 'refused: answered 404 1, refused'],
      [422, '{"errors":[{"code":4002,"title":"of Ada Example"}]}', 'refused: answered 422 4002, refused'],
      [422, '{"code":5034,"message":"Coin restriction"}', 'refused: answered 422, refused'],
      [400, '<html>Bad Request</html>', 'refused: answered 400, refused'],
      [429, '{"message":"Too Many Requests"}', 'throttled: answered 429, not_sent'],
      [500, '{"errors":[{"status":"999"}]}', 'unavailable: answered 500 999, unknown'],
      [503, '', 'unavailable: answered 503, unknown'],
      [302, '', 'refused: answered 302, refused'],
      [200, '{"errors":[{"code":"4005"}]}', 'refused: answered 200 4005, refused'],
      [200, '{"errors":[{"code":"Ada Example, 12 Example Square"}]}', 'refused: answered 200, refused'],
      [200, '<html>', expect.stringMatching(/^malformed: .*, unknown$/)],
      [200, '', expect.stringMatching(/^malformed: .*, unknown$/)],
      [200, '{}', expect.stringMatching(/^malformed: .*, unknown$/)],
      [200, '{"id":"1"}', expect.stringMatching(/^malformed: .*, unknown$/)],
      [
        200,
        '{"id":"1","checkoutUrl":"javascript:alert(1)"}',
        expect.stringMatching(/^malformed: .*, unknown$/),
      ],
      [200, '{"id":"../2","checkoutUrl":"https://x/"}', expect.stringMatching(/^malformed: .*, unknown$/)],
      [
        201,
        '{"id":"1","checkoutUrl":"https://x/","externalOrderId":"onr_other"}',
        'malformed: the response has another purchase, unknown',
      ],
    ])('are classified: %d %s to a creation', async (status, body, failure) => {
      fixture.server.script(status, body)
      expect(await failureOf(fixture.provider.createOrder(request()))).toEqual(failure)
    })

    test('are refused above 256 KiB', async () => {
      fixture.server.script(200, JSON.stringify({ id: '1', checkoutUrl: `https://x/${'y'.repeat(262_144)}` }))
      expect(await failureOf(fixture.provider.createOrder(request()))).toMatch(/^malformed/)
    })

    test('are read as an order in their shortest form, wrapped or not', async () => {
      const short = { id: '3b7f', checkoutUrl: 'https://pay.example/3b7f' }
      for (const body of [short, { data: short }, { data: { ...short, errors: [] } }]) {
        fixture.server.script(200, JSON.stringify(body))
        const asked = request()
        expect(await fixture.provider.createOrder(asked)).toEqual({
          providerOrderId: '3b7f',
          onrampOrderId: asked.onrampOrderId,
          status: 'pendingPayment',
          changedAt: null,
          orderType: null,
          fiatAmount: null,
          cryptoAmount: null,
          transactionHash: null,
          checkoutUrl: short.checkoutUrl,
          orderStatusUrl: null,
        })
      }
    })

    test('omits malformed fields other than id and status', async () => {
      fixture.server.script(
        200,
        JSON.stringify({
          id: '1',
          status: 'PAYMENTRECEIVED',
          externalId: 'onr_9',
          updatedAt: 'yesterday',
          fiatAmount: 'much',
          cryptoAmount: 67.1,
          transactionHash: '0',
          orderStatusUrl: 'status',
          checkoutUrl: 7,
          orderType: ['BUY'],
        }),
      )
      expect(await fixture.provider.readOrder('1')).toEqual({
        providerOrderId: '1',
        onrampOrderId: 'onr_9',
        status: 'paymentReceived',
        changedAt: null,
        orderType: null,
        fiatAmount: null,
        cryptoAmount: '67.1',
        transactionHash: null,
        checkoutUrl: null,
        orderStatusUrl: null,
      })
    })

    test.each([
      ['{"id":"1"}', /^malformed: the response has the wrong format/],
      ['{"id":"1","status":"teleported\\n"}', /^malformed: an unknown status: teleported\?,/],
      ['{"id":"2","status":"complete"}', /^malformed: the response has another order/],
    ])('are rejected: %s to a read of order 1', async (body, failure) => {
      fixture.server.script(200, body)
      expect(await failureOf(fixture.provider.readOrder('1'))).toMatch(failure)
    })
  })

  test('reports a wrong key and a wrong partner as refused, and too many calls as not sent', async () => {
    const refused = async (change: object, text: string) => {
      const stranger = createBanxaProvider({ ...fixture.options, ...change })
      expect(await failureOf(stranger.createOrder(request()))).toBe(text)
      await stranger.close()
    }
    await refused({ apiKey: 'other' }, 'refused: answered 401 40100 401, refused')
    await refused({ partner: 'oth/er' }, 'refused: answered 404 404 404, refused')
    await fixture.server.setFault('throttle', 'all')
    await refused({}, 'throttled: answered 429 429 429, not_sent')
    expect(fixture.server.calls).toEqual([
      'POST /causeway/v2/buy',
      'POST /oth%2Fer/v2/buy',
      'POST /causeway/v2/buy',
    ])
  })

  test("accepts a change of a customer's identity check as genuine, without a notice", () => {
    for (const body of [
      '{}',
      '{"external_customer_id":"onr_1","kyc_status":"approved"}',
      '{"order_id":""}',
    ]) {
      const { headers, body: bytes } = fixture.sign(body)
      expect(fixture.provider.verifyNotice(headers, bytes, new Date())).toEqual({ ok: true, notice: null })
    }
  })

  test('gives every request a different name, also two with the same nonce', async () => {
    const { asked } = await opened()
    await fixture.say(asked.onrampOrderId, 'waitingPayment')
    await fixture.say(asked.onrampOrderId, 'waitingPayment')
    const nonce = String(Date.now())
    const posts = [
      ...fixture.notices(),
      fixture.sign('{"order_id":"1"}', nonce),
      fixture.sign('{"order_id":"2"}', nonce),
    ]
    const named = posts.map(({ headers, body }) => {
      const verified = fixture.provider.verifyNotice(headers, body, new Date())
      return verified.ok ? verified.notice?.postId : verified.reason
    })
    expect(named).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f]{64}$/)))
    expect(new Set(named).size).toBe(4)
  })
})
