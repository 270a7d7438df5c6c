import { describe, expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  isOutdated,
  repetitionKey,
  subjectOf,
  VerificationError,
  verify,
  verifyMerchantEvent,
  verifyPartnerEvent,
  type RawBody,
  type WebhookEvent,
} from './index.ts'

type Vector = {
  name: string
  secrets: string[]
  headers: Record<string, string>
  body: string
  now: number
  tolerance_seconds: number
  expect: string
}
const { vectors } = JSON.parse(readFileSync(`${import.meta.dirname}/../vectors.json`, 'utf8')) as {
  vectors: Vector[]
}

const SECRET = 'ab'.repeat(32)
const NOW = new Date('2026-11-21T12:00:00.000Z')
const signed = (body: string | Buffer, timestamp = String(NOW.getTime() / 1000)) => ({
  'x-timestamp': timestamp,
  'x-signature': `v1=${createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex')}`,
})
const resultOf = (delivery: Promise<unknown>): Promise<string> =>
  delivery.then(
    () => 'verified',
    (error: unknown) => (error instanceof VerificationError ? error.code : String(error)),
  )

test.each(vectors)('gives the expected result of the vector $name', async (vector) => {
  const delivery = verify(vector.body, vector.headers, vector.secrets, {
    now: new Date(vector.now * 1000),
    toleranceSeconds: vector.tolerance_seconds,
  })
  expect(await resultOf(delivery)).toBe(vector.expect)
})

describe('the arguments of a receiver', () => {
  const body = '{"event":"test","order":{"id":"ord_1","reference":"Größe"}}'
  const bytes = Buffer.from(body)
  const shared = new Uint8Array(Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('xx')]))
  test.each<[string, RawBody]>([
    ['text', body],
    ['a Buffer', bytes],
    ['an ArrayBuffer', new Uint8Array(bytes).buffer],
    ['a part of a larger buffer', shared.subarray(2, 2 + bytes.length)],
  ])('accepts the body as %s', async (_, raw) => {
    expect(await verify(raw, signed(body), SECRET, { now: NOW })).toEqual(JSON.parse(body))
  })

  test.each<[string, ConstructorParameters<typeof Headers>[0]]>([
    ['Headers', signed(body)],
    ['Headers of pairs', Object.entries(signed(body))],
  ])('accepts headers as %s', async (_, init) => {
    expect(await resultOf(verify(body, new Headers(init), SECRET, { now: NOW }))).toBe('verified')
  })

  test('accepts headers as lists of one value, like headersDistinct', async () => {
    const lists = Object.fromEntries(Object.entries(signed(body)).map(([name, value]) => [name, [value]]))
    expect(await resultOf(verify(body, lists, SECRET, { now: NOW }))).toBe('verified')
  })

  test('answers 500 to a parsed body, and says how to get the raw one', async () => {
    const error = await verify(JSON.parse(body) as never, signed(body), SECRET, { now: NOW }).catch(
      (fault: unknown) => fault as VerificationError,
    )
    expect(error).toMatchObject({
      name: 'VerificationError',
      code: 'body_not_raw',
      statusCode: 500,
      message: expect.stringContaining('express.raw'),
    })
  })

  test('refuses a repeated header, as a list and as joined text', async () => {
    const headers = signed(body)
    const twice = headers['x-signature']
    expect([
      await resultOf(verify(body, { ...headers, 'x-signature': [twice, twice] }, SECRET, { now: NOW })),
      await resultOf(verify(body, { ...headers, 'x-signature': `${twice}, ${twice}` }, SECRET, { now: NOW })),
    ]).toEqual(['malformed_header', 'malformed_header'])
  })

  test('answers 500 when the receiver has no secret, so that the delivery is retried', async () => {
    const unset: string | undefined = process.env['NO_SUCH_SECRET_IS_SET']
    for (const secret of [unset, '', [unset]])
      await expect(verify(body, signed(body), secret as string, { now: NOW })).rejects.toMatchObject({
        code: 'missing_secret',
        statusCode: 500,
      })
  })

  test('refuses bytes that are not UTF-8, even when they are signed', async () => {
    const broken = Buffer.from([0x7b, 0xff, 0x7d])
    expect(await resultOf(verify(broken, signed(broken), SECRET, { now: NOW }))).toBe('body_not_json')
  })

  test('compares the timestamp with the current time when `now` is missing', async () => {
    expect(await resultOf(verify(body, signed(body, String(Math.floor(Date.now() / 1000))), SECRET))).toBe(
      'verified',
    )
    expect(await resultOf(verify(body, signed(body, '1000000000'), SECRET))).toBe('stale_timestamp')
  })
})

describe('the overlap of a rotation', () => {
  const body = '{"event":"test","order":{}}'
  const NEXT = 'cd'.repeat(32)
  const timestamp = String(NOW.getTime() / 1000)
  const next = `v1=${createHmac('sha256', NEXT).update(`${timestamp}.${body}`).digest('hex')}`
  const headers = { ...signed(body), 'x-signature-next': next }

  test('lets a receiver with either secret, or both, accept a delivery that both have signed', async () => {
    for (const secrets of [SECRET, NEXT, [SECRET, NEXT]])
      expect(await resultOf(verify(body, headers, secrets, { now: NOW }))).toBe('verified')
  })

  test('refuses a second signature of another body, or by an unknown secret', async () => {
    const forged = { ...signed(body, '1'), 'x-timestamp': timestamp, 'x-signature-next': next }
    expect(await resultOf(verify(body.replace('test', 'paid'), forged, NEXT, { now: NOW }))).toBe(
      'no_matching_signature',
    )
    expect(await resultOf(verify(body, headers, 'ef'.repeat(32), { now: NOW }))).toBe('no_matching_signature')
  })

  test('ignores a second signature that cannot be parsed', async () => {
    for (const unread of ['v2=00', '', next.slice(0, -1)])
      expect(
        await resultOf(verify(body, { ...signed(body), 'x-signature-next': unread }, SECRET, { now: NOW })),
      ).toBe('verified')
  })
})

describe('channels', () => {
  const partner = '{"event_id":"evt_1","event_type":"refund.completed","data":{}}'
  const merchant = '{"event":"paid","order":{"id":"ord_1","txId":"0xa"}}'

  test('accepts the events of a function’s own channel, and refuses the other channel’s', async () => {
    const on = { now: NOW }
    expect([
      await resultOf(verifyPartnerEvent(partner, signed(partner), SECRET, on)),
      await resultOf(verifyPartnerEvent(merchant, signed(merchant), SECRET, on)),
      await resultOf(verifyMerchantEvent(merchant, signed(merchant), SECRET, on)),
      await resultOf(verifyMerchantEvent(partner, signed(partner), SECRET, on)),
    ]).toEqual(['verified', 'wrong_channel', 'verified', 'wrong_channel'])
  })

  test.each([
    [partner, 'evt_1'],
    ['{"event":"paid","order":{"id":"ord_1","txId":"0xa"},"eventId":"evt_2","sequence":7}', 'evt_2'],
    [merchant, 'paid:ord_1:0xa'],
    ['{"event":"pending","order":{"id":"ord_1","txId":null}}', 'pending:ord_1'],
    [
      '{"event":"refunded","order":{"id":"fio_1"},"processor":{"project_id":null,"order_id":"re_7"}}',
      'refunded:fio_1:re_7',
    ],
    [
      '{"event":"ramping.status_changed","data":{"id":"onr_1","status":"complete"}}',
      'ramping.status_changed:onr_1:complete',
    ],
    ['{"event":"payout_sent","order":{"id":"pay_1"}}', 'payout_sent:pay_1'],
  ])('recognises a repetition of %s by %s', async (body, key) => {
    expect(repetitionKey(await verify(body, signed(body), SECRET, { now: NOW }))).toBe(key)
  })
})

describe('the order of events', () => {
  const bodyOf = (event: string, subject: object, sequence?: number) =>
    ({ event, ...subject, sequence }) as unknown as WebhookEvent
  const order = { order: { id: 'ord_1' } }

  test('marks an event as outdated when a later state of its object was applied', () => {
    expect([6, 7, 8].map((last) => isOutdated(bodyOf('paid', order, 7), last))).toEqual([false, false, true])
  })

  test('never marks an event as outdated before anything was applied, or without a sequence', () => {
    expect(isOutdated(bodyOf('paid', order, 7), null)).toBe(false)
    expect(isOutdated(bodyOf('paid', order), 8)).toBe(false)
  })

  test.each([
    ['an order', bodyOf('paid', order, 1), 'ord_1'],
    ['a payout', bodyOf('payout_sent', { order: { id: 'pay_1' } }, 1), 'pay_1'],
    ['a purchase', bodyOf('ramping.kyc_pending', { data: { id: 'onr_1', orderId: 'ord_1' } }, 1), 'onr_1'],
    ['nothing that has a state: an alert', bodyOf('risk_alert', order, 9), null],
    ['nothing that has a state: a sample', bodyOf('test', order, 1), null],
    [
      'nothing that has a sequence: a partner’s event',
      { event_id: 'evt_1', event_type: 'payment.confirmed', data: { id: 'x' } } as unknown as WebhookEvent,
      null,
    ],
  ])('finds the object of an event about %s', (_, event, subject) => {
    expect(subjectOf(event)).toBe(subject)
    expect(isOutdated(event, 8)).toBe(subject !== null)
  })
})
