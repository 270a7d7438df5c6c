import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { CardProcessor } from '../adapter.ts'
import { effectOf } from '../effect.ts'
import { openCardProcessors } from '../processors.ts'

const SECRET = 'secret of this test'
const refund = {
  refund_id: 'sbr_1',
  merchant_refund_id: null,
  order_key: '7',
  amount_cents: 100,
  currency: 'EUR',
  status: 'succeeded',
  created_at: '2026-11-01T10:00:00.000Z',
}
const payment = {
  payment_id: 'sbp_1',
  order_key: '7',
  status: 'completed',
  currency: 'EUR',
  total_cents: 100,
  paid_cents: 100,
  refunds: [refund],
  disputes: [],
  payer: { ip: null, email: null },
}

describe('sandbox card adapter', () => {
  let server: Server
  let processor: CardProcessor
  let asked: (string | undefined)[]
  let answer: { status?: number; body: unknown }

  beforeEach(async () => {
    asked = []
    server = createServer((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['idempotency-key'])}`)
      response.statusCode = answer.status ?? 200
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const sandbox = { baseUrl: `http://127.0.0.1:${port}/`, secret: SECRET }
    const bounds = { timeoutMs: 120_000, connections: 1 }
    const made = (await openCardProcessors({ ...bounds, accounts: { sandbox } })).get('processor')
    if (!made) throw new Error('no processor')
    processor = made
  })
  afterEach(async () => {
    await processor.close()
    await new Promise((resolve) => server.close(resolve))
  })

  const refundNow = () =>
    processor.refund({
      processorOrderId: 'sbp/1?',
      refundId: 'rfd_1',
      amountCents: 100,
      description: null,
      orderLines: null,
    })

  test("uses the refund's id as the idempotency key, and escapes ids in a path", async () => {
    answer = { body: refund }
    await refundNow()
    expect(asked).toEqual(['POST /cards/processor/payments/sbp%2F1%3F/refunds rfd_1'])
  })

  test.each([
    ['an unknown status', { ...payment, status: 'won' }],
    ['an amount that is a text', { ...payment, paid_cents: '100' }],
    ['a negative amount', { ...payment, paid_cents: -1 }],
    ['a refund of nothing', { ...payment, refunds: [{ ...refund, amount_cents: 0 }] }],
    ['an invalid time', { ...payment, refunds: [{ ...refund, created_at: 'yesterday' }] }],
    ['no payer', { ...payment, payer: undefined }],
    ['half an object', '{"payment_id":'],
  ])('rejects an answer with %s', async (_, body) => {
    answer = { body }
    await expect(processor.readPayment('sbp_1')).rejects.toMatchObject({
      failure: 'malformed',
      retryable: false,
    })
  })

  test.each([
    [500, '<html>', 'unavailable', 'unknown'],
    [502, '', 'unavailable', 'unknown'],
    [429, 'slow down', 'throttled', 'not_sent'],
    [404, '<html>', 'refused', 'refused'],
    [409, {}, 'refused', 'refused'],
    [302, '', 'refused', 'refused'],
    [200, 'fine', 'malformed', 'unknown'],
  ])('reports status %d with %j as %s: %s', async (status, body, failure, effect) => {
    answer = { status, body }
    const failed = await refundNow().catch((error: unknown) => error)
    expect(failed).toMatchObject({ failure })
    expect(effectOf(failed)).toBe(effect)
  })

  test('treats the effect of an unexpected error as unknown', () => {
    expect(effectOf(new Error('surprise'))).toBe('unknown')
  })

  test('opens no processors without sandbox and Stripe, and prefers the first one', async () => {
    const sandbox = { baseUrl: 'http://127.0.0.1:1', secret: SECRET }
    const bounds = { timeoutMs: 1, connections: 1 }
    expect([...(await openCardProcessors({ ...bounds, accounts: {} })).keys()]).toEqual([])
    const stripe = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x' }
    const all = await openCardProcessors({ ...bounds, accounts: { stripe, sandbox } })
    expect([...all.values()].map(({ traits }) => `${traits.key}: ${traits.pspLabel}`)).toEqual([
      'processor: Sandbox',
      'processor_full: Sandbox Full',
      'stripe: Stripe',
    ])
  })
})
