import { describe, expect, it } from '@jest/globals'
import { canonicalEmail, canonicalIp, maskEmail, maskIp } from './fingerprints.ts'

describe('a payer', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['nowhere', null],
  ])('gets the fingerprint of %s: %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical)
  })

  it('is masked so that only somebody who knows the payer can recognise it', () => {
    expect(maskIp('203.0.113.7')).toBe('203.0.***.***')
    expect(maskIp('2001:db8::1')).toBe('2001:db8:****')
    expect(maskEmail(canonicalEmail(' Buyer@Example.com'))).toBe('b***@example.com')
  })
})
