import type { AddressTransfer } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { followDeposit } from './rules.ts'
import type { FollowedDeposit } from './store.ts'

const COUNTED = '2026-11-20T10:00:00.000Z'
const deposit = (change: Partial<FollowedDeposit> = {}): FollowedDeposit => ({
  ...{
    network: 'ETH',
    txId: 'deposit',
    outputIndex: 0,
    asset: 'USDC',
    amount: '5',
    address: '0xa',
    keyIndex: 1,
  },
  ...{ heldElsewhere: false, seenAt: new Date('2026-11-20T09:58:00.000Z'), countedAt: new Date(COUNTED) },
  ...{ reverted: false, blockNumber: 100, blockHash: '0xb', confirmations: 12, headNumber: null },
  ...{ wholeMoneyIds: [], sentByHand: false },
  ...change,
})
const transfer = (change: Partial<AddressTransfer> = {}): AddressTransfer => ({
  ...{ purpose: 'sweep', asset: 'USDC', unattributed_money_id: null, tx_id: 'sweep', started_at: COUNTED },
  ...{ confirmed_at: '2026-11-20T11:00:00.000Z', coins: null },
  ...change,
})
const placeOf = (of: FollowedDeposit, transfers: readonly AddressTransfer[] | null) => {
  const { place, transfer: found } = followDeposit(of, transfers)
  return [place, found?.txId ?? null, found?.attribution ?? null]
}

test('attributes a deposit to the first sweep of its asset that began once it counted', () => {
  const before = transfer({ tx_id: 'before', started_at: '2026-11-20T09:59:59.999Z' })
  const otherAsset = transfer({ tx_id: 'other asset', asset: 'ETH' })
  expect(placeOf(deposit(), [before, otherAsset])).toEqual(['address', null, null])
  const later = transfer({ tx_id: 'later' })
  expect(placeOf(deposit(), [before, otherAsset, transfer(), later])).toEqual(['swept', 'sweep', 'address'])
  expect(placeOf(deposit(), [transfer({ confirmed_at: null })])).toEqual(['moving', 'sweep', 'address'])
})

test('attributes a deposit to the transfer that spends it, where transfers name outputs', () => {
  const bitcoin = deposit({ network: 'BTC', asset: 'BTC', outputIndex: 1 })
  const spending = (tx_id: string, output_index: number) =>
    transfer({ tx_id, asset: 'BTC', coins: [{ tx_id: 'deposit', output_index }] })
  expect(placeOf(bitcoin, [spending('other output', 0), transfer({ asset: 'BTC', coins: [] })])).toEqual([
    'address',
    null,
    null,
  ])
  const refund = { ...spending('refund', 1), purpose: 'refund' as const }
  expect(placeOf(bitcoin, [spending('other output', 0), refund])).toEqual(['sent_back', 'refund', 'output'])
})

test('attributes a deposit to a refund of money only if that money is the whole deposit', () => {
  const refund = transfer({ purpose: 'refund', tx_id: 'refund', unattributed_money_id: 'umy_1' })
  expect(placeOf(deposit(), [refund])).toEqual(['address', null, null])
  expect(placeOf(deposit({ wholeMoneyIds: ['umy_1'] }), [refund])).toEqual(['sent_back', 'refund', 'address'])
})

test('says that it does not know what the signer cannot know', () => {
  expect(placeOf(deposit(), null)).toEqual(['unknown', null, null])
  expect(placeOf(deposit({ sentByHand: true }), [])).toEqual(['unknown', null, null])
  expect(placeOf(deposit({ heldElsewhere: true }), [transfer()])).toEqual(['unknown', null, null])
  expect(placeOf(deposit({ network: 'XRP', asset: 'XRP' }), null)).toEqual(['account', null, null])
  expect(placeOf(deposit({ blockNumber: null, countedAt: null }), [transfer()])).toEqual([null, null, null])
})

test('counts confirmations up to the last block that was read, and calls a deposit final only if it counts', () => {
  const depthOf = (change: Partial<FollowedDeposit>) => {
    const { confirmations, final } = followDeposit(deposit(change), null)
    return [confirmations, final]
  }
  expect(depthOf({})).toEqual([12, false])
  expect(depthOf({ headNumber: 130 })).toEqual([31, false])
  expect(depthOf({ headNumber: 100 + 1_000 })).toEqual([1_001, true])
  expect(depthOf({ headNumber: 100 + 1_000, countedAt: null })).toEqual([1_001, false])
  expect(depthOf({ headNumber: 130, blockNumber: null })).toEqual([0, false])
})
