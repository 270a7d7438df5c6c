import { expect, test } from '@jest/globals'
import type { IncomingMessage } from 'node:http'
import { clientAddress, loggedNetwork } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::1', '0:0:0:0'],
  ['fd00:1:2:3:4:5:6:7', 'fd00:1:2:3'],
  ['fd00:1:2:3:9::1', 'fd00:1:2:3'],
])('counts the peer %s as %s', (peer, network) => {
  expect(clientAddress(0)(request(peer, '127.0.0.9'))).toBe(network)
})

test('uses the last entry behind one proxy, and ignores what the caller claims before it', () => {
  expect(clientAddress(1)(request('127.0.0.1', '127.9.9.9, 127.0.0.7'))).toBe('127.0.0.7')
})

test('uses the entry before the last behind two proxies', () => {
  expect(clientAddress(2)(request('127.0.0.1', '127.9.9.9, 127.0.0.7, 127.0.0.8'))).toBe('127.0.0.7')
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2', '2001:db8:1::/48'],
  ['0:0:0:0', '0:0:0::/48'],
  ['"},{"', 'unknown'],
  ['', 'unknown'],
])('shortens %j to the network %j for the log', (address, network) => {
  expect(loggedNetwork(address)).toBe(network)
})
