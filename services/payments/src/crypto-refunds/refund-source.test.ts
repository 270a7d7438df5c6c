import { expect, test } from '@jest/globals'
import { chooseParts } from './refund-source.ts'

const part = (id: string, amount: string) => ({ id, txId: id, outputIndex: 0, amount })

test('selects the largest 200 deposits on a network with unspent outputs, so that dust blocks no refund', () => {
  const dust = Array.from({ length: 300 }, (_, at) => part(`dust-${at}`, '0.00000294'))
  const { amount, parts } = chooseParts('BTC', 'BTC', [...dust, part('whole', '0.5')])
  expect(parts).toHaveLength(200)
  expect(parts[0]).toEqual(part('whole', '0.5'))
  expect(amount).toBe('0.50058506')
})

test('selects all deposits of an account, whose transfers have no inputs', () => {
  const many = Array.from({ length: 300 }, (_, at) => part(`deposit-${at}`, '0.01'))
  expect(chooseParts('ETH', 'USDC', many)).toMatchObject({ amount: '3' })
})
