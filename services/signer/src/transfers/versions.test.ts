import type { SignedTransfer, TransferProgress } from '@causeway/rails/transfers'
import { expect, test } from '@jest/globals'
import { judgeVersions } from './versions.ts'

const versionOf = (txId: string, transactions: number): SignedTransfer => ({
  ...{ network: 'ETH', asset: 'USDT', feeAsset: 'ETH', toAddress: 'to', amount: '1', networkFee: '0.01' },
  ...{ txId, sources: [], spends: [], signedAt: 1 },
  rawTransactions: Array.from({ length: transactions }, (_, at) => `${txId}-${at}`),
})
const mined = (networkFee: string): TransferProgress => ({ state: 'mined', confirmations: 5, networkFee })
const failed = (reason: 'reverted' | 'replaced', networkFee = '0', confirmations = 5): TransferProgress => ({
  ...{ state: 'failed', reason, confirmations, networkFee },
})
const [WAITING, UNKNOWN] = [{ state: 'waiting' }, { state: 'unknown' }] as const

/** @param states of the versions, newest first */
const judge = (states: readonly [TransferProgress, ...TransferProgress[]], transactions = 1) => {
  const [newest, ...earlier] = states.map((progress, at) => ({
    version: versionOf(`v${states.length - at}`, transactions),
    progress,
  }))
  if (newest === undefined) throw new Error('no version')
  const { version, progress } = judgeVersions([newest, ...earlier])
  return [version.txId, progress]
}

test.each<[string, readonly [TransferProgress, ...TransferProgress[]], string, TransferProgress]>([
  ['the newest is mined', [mined('0.5'), failed('replaced')], 'v2', mined('0.5')],
  ['the first is mined', [failed('replaced'), mined('0.5')], 'v1', mined('0.5')],
  ['one is mined and another is not known to be replaced', [WAITING, mined('0.5')], 'v1', mined('0.5')],
  ['one was reverted', [failed('replaced'), failed('reverted', '0.3')], 'v1', failed('reverted', '0.3')],
  [
    'each was replaced by a foreign transaction',
    [failed('replaced', '0', 4), failed('replaced', '0', 9)],
    'v2',
    failed('replaced', '0', 4),
  ],
  ['one is replaced and the other waits', [WAITING, failed('replaced')], 'v2', WAITING],
  ['one is replaced and the other is unknown', [UNKNOWN, failed('replaced')], 'v2', WAITING],
  ['no node has any', [UNKNOWN, UNKNOWN], 'v2', UNKNOWN],
  ['one waits', [UNKNOWN, WAITING], 'v2', WAITING],
])('judges a transfer by all of its versions: %s', (_, states, txId, progress) => {
  expect(judge(states)).toEqual([txId, progress])
})

test('counts what each version of two transactions cost, and waits until all are known', () => {
  expect(judge([failed('replaced', '0.2'), mined('0.5')], 2)).toEqual(['v1', mined('0.7')])
  expect(judge([WAITING, mined('0.5')], 2)).toEqual(['v2', WAITING])
})
