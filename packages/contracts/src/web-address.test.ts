import { describe, expect, test } from '@jest/globals'
import { integrations } from './payments/integrations.ts'
import { onrampOrders } from './onramp/orders.ts'
import { faultOfUrl, HttpsUrl } from './web-address.ts'

/** Texts that are no address, whichever field holds them. */
const NO_ADDRESS = [
  'https://shop.example/a\nb',
  'https://shop.example/\r\nset-cookie: a=b',
  'https://sh\top.example/',
  ' https://shop.example/',
  'https://shop.example/ ',
  'https://shop.example/a b',
  'https://shop.example/a\u00a0b',
  'https://shop.example/\u0000',
  'https://shop.example/\u0085',
  'https://shop.example/\ud800',
  'https://shop.example/\u202etxt.exe',
  'https:shop.example',
  'https:/shop.example/',
  'https:///shop.example/',
  'https:\\\\shop.example\\',
  'https://shop.example\\@other.example/',
  'https://@shop.example/',
  'https://user@shop.example/',
  'https://user:pass@shop.example/',
  'https://?a=b',
  'https://#a',
  'https://',
  '//shop.example/',
  'shop.example',
  '',
]

describe('a web address', () => {
  test.each([
    'https://shop.example',
    'HTTPS://Shop.Example:8443/a/../b?c=d&e=%0A#f',
    'https://shop.example?a=b',
    'https://shop.example/@name/a@b',
    'https://магазин.рф/привет/🛍',
    'https://[2001:db8::1]:8443/',
  ])('accepts %s unchanged', (text) => {
    expect(HttpsUrl.safeParse(text)).toEqual({ success: true, data: text })
  })

  test.each(NO_ADDRESS)('rejects %j', (text) => {
    expect(faultOfUrl(text)).toBe('invalid_value')
  })

  test.each(['http://shop.example/', 'javascript:alert(1)', 'ftp://shop.example/', 'data:text/html,a'])(
    'rejects %s because its scheme is not https',
    (text) => {
      expect(faultOfUrl(text)).toBe('not_https')
    },
  )

  const whole = { name: 'Shop', return_url: 'https://shop.example/' }
  test.each([
    ['return_url', integrations.create.body, whole],
    ['failure_url', integrations.create.body, whole],
    ['contact_url', integrations.create.body, whole],
    ['return_url', onrampOrders.create.body, { fiat: 'EUR' }],
  ])('accepts no other text in %s', (field, shape, body) => {
    expect(shape.safeParse(body).success).toBe(true)
    const taken = NO_ADDRESS.filter((text) => shape.safeParse({ ...body, [field]: text }).success)
    expect(taken).toEqual([])
  })
})
