import { expect, test } from '@jest/globals'
import type { KeptDeposit } from '../../src/crypto-orders/deposits-store.ts'
import { allocate, type Claim } from '../../src/deposits/allocation.ts'

const ORDER: Claim = {
  ...{ asset: 'BTC', amount: '0.5', status: 'paid', serviceFee: '0', serviceFeePayer: 'merchant' },
  ...{ settlement: 'asset', currency: 'EUR', fiatAmount: '1.00' },
}

const deposit = (txId: string): KeptDeposit => ({
  network: 'BTC',
  txId,
  outputIndex: 0,
  orderId: 'ord_1',
  asset: 'BTC',
  amount: '0.5',
  confirmations: 3,
  blockNumber: 7,
  blockHash: 'b7',
  countedAt: new Date(0),
  split: null,
  money: [],
  heldAt: null,
  sender: null,
  serviceFee: '0',
  settledAmount: '0',
  settledCents: 0,
})

test('splits deposits that counted together the same way in every order of their rows', () => {
  const splits = [
    [deposit('a'), deposit('b')],
    [deposit('b'), deposit('a')],
  ].map((read) => allocate(ORDER, read).map((each) => [each.deposit.txId, each.unattributed?.kind ?? null]))
  expect(splits).toEqual([
    [
      ['a', null],
      ['b', 'second'],
    ],
    [
      ['a', null],
      ['b', 'second'],
    ],
  ])
})
