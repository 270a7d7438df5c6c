import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { verifyBanxaPost, signBanxaPost } from './signature.ts'

const secrets = { key: 'hmac-key', secret: 'hmac-secret', path: '/api/callbacks/onramp/banxa' }
const body = Buffer.from('{"order_id":"1","status":"complete"}')
const now = new Date('2026-03-01T12:00:00.500Z')
const MS = '1772366400500'
const verify = (authorization: string | undefined, change: Partial<typeof secrets> = {}, bytes = body) =>
  verifyBanxaPost({ ...secrets, ...change }, { authorization, body: bytes, now })
const bad = { reason: 'bad_signature' }

describe("the signature of Banxa's notices", () => {
  test('is the hex HMAC-SHA256 over method, path, nonce and body, a line each', () => {
    const expected = createHmac('sha256', 'hmac-secret')
      .update(`POST\n/api/callbacks/onramp/banxa\n${MS}\n{"order_id":"1","status":"complete"}`)
      .digest('hex')
    expect(signBanxaPost(secrets, MS, body)).toBe(`Bearer hmac-key:${expected}:${MS}`)
    expect(verify(`Bearer hmac-key:${expected}:${MS}`)).toEqual({ postId: expected })
    expect(verify(`bearer hmac-key:${expected.toUpperCase()}:${MS}`)).toEqual({ postId: expected })
  })

  test.each(['1772366400', MS, '1772366400500123'])('accepts the nonce %s as a time', (nonce) => {
    expect(verify(signBanxaPost(secrets, nonce, body))).toEqual({
      postId: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test.each(['1772366099', '1772366701', '1772366100499', '1772366700501', '1772366700501000'])(
    'is stale with the nonce %s, five minutes from now',
    (nonce) => {
      expect(verify(signBanxaPost(secrets, nonce, body))).toEqual({ reason: 'stale' })
    },
  )

  test.each(['0', '17723664005', '99999999999999999', '-1772366400', '1772366400.5', '', '0x1772366400'])(
    'is invalid with the nonce %j',
    (nonce) => {
      expect(verify(signBanxaPost(secrets, nonce, body))).toEqual(bad)
    },
  )

  test('is valid for one key, one secret, one path and one body only', () => {
    const genuine = signBanxaPost(secrets, MS, body)
    expect(verify(genuine, { key: 'hmac-kez' })).toEqual(bad)
    expect(verify(genuine, { key: 'hmac-key-longer' })).toEqual(bad)
    expect(verify(genuine, { secret: 'hmac-secreu' })).toEqual(bad)
    expect(verify(genuine, { path: '/api/callbacks/onramp/banxb' })).toEqual(bad)
    expect(verify(genuine, {}, Buffer.from(`${String(body)} `))).toEqual(bad)
    expect(verify(genuine.replace(MS, '1772366400501'))).toEqual(bad)
  })

  test('is invalid, not stale, when an old notice was signed with another secret', () => {
    expect(verify(signBanxaPost({ ...secrets, secret: 'other' }, '1000000000', body))).toEqual(bad)
  })

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer a:b:c',
    `Bearer :${'0'.repeat(64)}:${MS}`,
    `Bearer hmac-key:${'0'.repeat(63)}:${MS}`,
    `Bearer hmac-key:${'g'.repeat(64)}:${MS}`,
    `Bearer hmac-key:${'0'.repeat(64)}:${MS}:more`,
    `Basic hmac-key:${'0'.repeat(64)}:${MS}`,
    `HMAC hmac-key:${'0'.repeat(64)}:${MS}`,
  ])('is rejected in the form %j', (authorization) => {
    expect(verify(authorization)).toEqual(bad)
  })
})
