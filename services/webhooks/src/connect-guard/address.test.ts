import { describe, expect, test } from '@jest/globals'
import { isAllowedAddress } from './address.ts'

const FORBIDDEN = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:a00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'example.org',
  '127.1',
  '',
]
const ALLOWED = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '2606:4700::1111',
  '2a00::1',
]

describe.each([true, false])('the address check with loopback allowed: %s', (allowLoopback) => {
  test.each(FORBIDDEN)('refuses %p', (address) => {
    expect(isAllowedAddress(address, allowLoopback)).toBe(false)
  })
  test.each(ALLOWED)('allows %p', (address) => {
    expect(isAllowedAddress(address, allowLoopback)).toBe(true)
  })
  test.each(['127.0.0.1', '127.255.255.254', '::1'])('follows the setting for loopback %p', (address) => {
    expect(isAllowedAddress(address, allowLoopback)).toBe(allowLoopback)
  })
})
