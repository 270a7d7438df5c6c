import { loadSettings } from '@causeway/chassis'
import { expect, test } from '@jest/globals'
import { EXPLORER_SETTINGS, explorersOf, explorerUrl } from './explorers.ts'

const load = (env: NodeJS.ProcessEnv) => explorersOf(loadSettings(EXPLORER_SETTINGS, env))

test('puts the id of a transaction into the address of its network', () => {
  const explorers = load({ BTC_EXPLORER_URL: 'https://explorer.example/{tx}?again={tx}' })
  expect(explorerUrl(explorers, 'BTC', 'a/b')).toBe('https://explorer.example/a%2Fb?again=a%2Fb')
  expect(explorerUrl(explorers, 'ETH', 'ab')).toBe(null)
})

test.each([
  ['without a place for the id', 'https://explorer.example/tx', 'BTC_EXPLORER_URL must contain {tx}'],
  ['that is not https', 'http://explorer.example/{tx}', 'BTC_EXPLORER_URL must be an https address'],
  [
    'with credentials',
    'https://me:secret@explorer.example/{tx}',
    'BTC_EXPLORER_URL must be an https address',
  ],
])('refuses an address %s', (_, url, message) => {
  expect(() => load({ BTC_EXPLORER_URL: url })).toThrow(message)
})
