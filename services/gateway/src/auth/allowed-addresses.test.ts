import { expect, test } from '@jest/globals'
import { addressRuleOf } from './allowed-addresses.ts'

test('allows every address without a list', () => {
  expect(addressRuleOf(null)).toBeNull()
})

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.0/28', '203.0.113.15', true],
  ['203.0.113.0/28', '203.0.113.16', false],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8:1::/48', '2001:db8:1:ffff::1', true],
  ['2001:db8:1::/48', '2001:db8:2::1', false],
  ['203.0.113.7', 'no address', false],
  ['203.0.113.7', '', false],
])('judges whether %s allows %s: %p', (block, address, isAllowed) => {
  expect(addressRuleOf([block])?.(address)).toBe(isAllowed)
})
