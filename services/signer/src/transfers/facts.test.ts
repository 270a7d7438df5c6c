import type { SignedTransfer } from '@causeway/rails/transfers'
import { expect, test } from '@jest/globals'
import { factsOfStep, factsOfSweep } from './facts.ts'

const AT = new Date('2026-11-28T12:00:00.000Z')
const signed: SignedTransfer = {
  network: 'BTC',
  asset: 'BTC',
  sources: [
    { index: 1, address: 'address-1', amount: '0.7' },
    { index: 2, address: 'address-2', amount: '0.30000001' },
  ],
  toAddress: 'treasury',
  amount: '0.99990001',
  networkFee: '0.0001',
  feeAsset: 'BTC',
  txId: 'tx-1',
  rawTransactions: [],
  spends: [],
  signedAt: 1,
}
/** Two tokens, whose gas another account pays. */
const token: SignedTransfer = {
  ...signed,
  network: 'ETH',
  asset: 'USDC',
  sources: [
    { index: 1, address: 'address-1', amount: '0.7' },
    { index: 2, address: 'address-2', amount: '0.300001' },
  ],
  amount: '1.000001',
  feeAsset: 'ETH',
}
const sweepOf = (transfer: SignedTransfer, status: 'signed' | 'broadcast') => ({
  id: 'sweep-1',
  purpose: 'sweep' as const,
  status,
  signed: JSON.stringify(transfer),
})

test('puts what all addresses of a sweep send in flight, with the most that the network takes', () => {
  expect(factsOfStep(sweepOf(signed, 'signed'), { step: 'broadcast', at: AT, networkFee: null })).toEqual([
    {
      kind: 'transfer_moved',
      fact_id: 'transfer_moved:sweep-1:broadcast',
      at: AT.toISOString(),
      network: 'BTC',
      asset: 'BTC',
      step: 'broadcast',
      leaves: '1.00000001',
      arrives: '0',
      network_fee: { asset: 'BTC', amount: '0.0001', paid_from: 'deposits' },
    },
  ])
})

test('records the fee of a confirmed token, which the gas account paid', () => {
  const step = { step: 'confirmed', at: AT, networkFee: '0.002' } as const
  expect(factsOfStep(sweepOf(token, 'broadcast'), step)).toMatchObject([
    {
      fact_id: 'transfer_moved:sweep-1:confirmed',
      leaves: '1.000001',
      arrives: '1.000001',
      network_fee: { asset: 'ETH', amount: '0.002', paid_from: 'gas' },
    },
  ])
})

test.each([
  ['a sweep that was broadcast', 'sweep', 'broadcast', '0', [['1.00000001', '0']]],
  ['a sweep that was broadcast, and cost a fee', 'sweep', 'broadcast', '0.1', [['1.00000001', '0.1']]],
  ['a sweep that was never broadcast', 'sweep', 'signed', null, []],
  ['a sweep that was never broadcast, and cost a fee', 'sweep', 'signed', '0.1', [['0', '0.1']]],
  ['a refund', 'refund', 'broadcast', '0', []],
  ['a refund that cost a fee', 'refund', 'broadcast', '0.1', [['0', '0.1']]],
] as const)('records the failure of %s', (_, purpose, status, networkFee, expected) => {
  const facts = factsOfStep({ ...sweepOf(signed, status), purpose }, { step: 'failed', at: AT, networkFee })
  expect(facts.map(({ leaves, network_fee: fee }) => [leaves, fee.amount])).toEqual(expected)
})

test.each(['broadcast', 'confirmed'] as const)('leaves the step %s of a refund to payments', (step) => {
  const refund = { ...sweepOf(signed, 'broadcast'), purpose: 'refund' as const }
  expect(factsOfStep(refund, { step, at: AT, networkFee: '0.1' })).toEqual([])
})

test.each([
  ['broadcast', AT, ['broadcast 0.0001']],
  ['confirmed', AT, ['broadcast 0.0001', 'confirmed 0.00009']],
  ['failed', AT, ['broadcast 0.0001', 'failed 0']],
  ['failed', null, []],
] as const)('makes the facts of a sweep that is %s from its row', (status, broadcastAt, expected) => {
  const row = { id: 'sweep-1', status, signed: JSON.stringify(signed), networkFee: '0.00009' }
  const facts = factsOfSweep({ ...row, broadcastAt, updatedAt: AT })
  expect(facts.map(({ step, network_fee: fee }) => `${step} ${fee.amount}`)).toEqual(expected)
})
