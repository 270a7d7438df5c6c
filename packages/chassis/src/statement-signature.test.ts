import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { createStatementSigner, createStatementVerifier, verifyingKeyOf } from './statement-signature.ts'

const [one, other] = [randomBytes(32), randomBytes(32)]
const sign = createStatementSigner('tests', one)
const verifies = createStatementVerifier('tests', [verifyingKeyOf(one)])

test('accepts exactly the signed statement, by any of the keys, for its own purpose only', () => {
  const signature = sign('{"amount":"1"}')
  expect(verifies('{"amount":"1"}', signature)).toBe(true)
  expect(verifies('{"amount":"10"}', signature)).toBe(false)
  expect(verifies('{"amount":"1"}', createStatementSigner('tests', other)('{"amount":"1"}'))).toBe(false)
  expect(verifies('{"amount":"1"}', createStatementSigner('others', one)('{"amount":"1"}'))).toBe(false)
  const both = createStatementVerifier('tests', [verifyingKeyOf(other), verifyingKeyOf(one)])
  expect(both('{"amount":"1"}', signature)).toBe(true)
})

test.each(['', 'x', 'A'.repeat(86)])('rejects %j as a signature', (signature) => {
  expect(verifies('{}', signature)).toBe(false)
})

test('derives the verifying key of RFC 8032, 7.1, test 1', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  expect(verifyingKeyOf(seed).toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  )
})
