import { expect, test } from '@jest/globals'
import { SENDER_PAIRS } from '@causeway/contracts'
import { setting } from '../settings/declare.ts'
import { testBusKeys, testBusKeysText } from '../testing/keys.ts'
import { createBusKeys } from './keys.ts'

const { parse } = setting.busKeys({ doc: 'keys' })

test('allows twenty-four pairs by the contracts', () => {
  expect(SENDER_PAIRS.map(({ sender, receiver }) => `${sender}>${receiver}`).sort()).toEqual([
    'access>ledger',
    'access>onboarding',
    'access>payments',
    'access>refunds',
    'access>signer',
    'access>webhooks',
    'gateway>access',
    'gateway>ledger',
    'gateway>onboarding',
    'gateway>onramp',
    'gateway>payments',
    'gateway>refunds',
    'gateway>signer',
    'gateway>webhooks',
    'ledger>onboarding',
    'ledger>payments',
    'ledger>signer',
    'onramp>payments',
    'payments>onboarding',
    'payments>signer',
    'payments>webhooks',
    'refunds>payments',
    'signer>payments',
    'webhooks>payments',
  ])
})

test('seals with the first key of a pair and verifies with all of them', () => {
  const { sealing, checking } = createBusKeys('payments', parse(testBusKeysText('payments')))
  expect([...sealing.keys()]).toEqual(['onboarding', 'webhooks', 'signer'])
  expect([...checking.keys()].sort()).toEqual([
    'access',
    'gateway',
    'ledger',
    'onramp',
    'refunds',
    'signer',
    'webhooks',
  ])
})

const own = testBusKeys('refunds')
const other = (sender: string, receiver: string, byte = 7) => ({
  sender,
  receiver,
  key: Buffer.alloc(32, byte),
})
test.each([
  ['does not contain the key of refunds>payments', own.filter(({ sender }) => sender !== 'refunds')],
  ['does not contain the key of gateway>refunds', own.filter(({ sender }) => sender !== 'gateway')],
  [
    'contains the key of gateway>payments, which refunds must not have',
    [...own, other('gateway', 'payments')],
  ],
  [
    'contains more than 2 keys of gateway>refunds',
    [...own, other('gateway', 'refunds', 1), other('gateway', 'refunds', 2)],
  ],
  [
    'contains the same key for gateway>refunds and refunds>payments',
    [other('gateway', 'refunds'), other('refunds', 'payments')],
  ],
])('refuses to start when BUS_KEYS %s', (fault, keys) => {
  expect(() => createBusKeys('refunds', keys)).toThrow(`Bad settings: BUS_KEYS ${fault}`)
})

test('ignores keys of pairs that only a later release knows', () => {
  const later = [...own, other('refunds', 'onboarding'), other('prices', 'refunds')]
  const { sealing, checking } = createBusKeys('refunds', later)
  expect([...sealing.keys()]).toEqual(['payments'])
  expect([...checking.keys()]).toEqual(['access', 'gateway'])
})

test('names the pair of an invalid entry without showing its key', () => {
  expect(() => parse('gateway>refunds=c2hvcnQ=')).toThrow('gateway>refunds must be like')
  expect(() => parse(`${testBusKeysText('refunds')},nonsense`)).toThrow('entry 4 must be like')
})
