import type { CryptoRefund, CryptoRefundStatus } from '@causeway/contracts'
import { html, taggedStatus, type Fact, type Tone } from '../../../design/index.ts'
import { wordsOf } from '../words.ts'

const STATUS_WORDS: Readonly<Record<CryptoRefundStatus, readonly [tone: Tone, text: string]>> = {
  requested: ['warning', 'Requested'],
  signed: ['warning', 'Signed'],
  broadcast: ['warning', 'Sent, waiting for confirmation'],
  confirmed: ['good', 'Confirmed'],
  failed: ['bad', 'Failed: nothing was paid'],
}

/** Returns the progress of a refund by the signer. */
export const progressFacts = ({
  status,
  amount,
  asset,
  network,
  network_fee: fee,
  tx_id: txId,
  failure,
}: CryptoRefund): readonly Fact[] => [
  { term: 'Status', value: taggedStatus(STATUS_WORDS, status) },
  { term: 'Amount', value: `${amount} ${asset}` },
  { term: 'Network fee', value: fee === null ? 'Not known yet' : `${fee} ${network}` },
  { term: 'Transaction', value: txId === null ? 'None yet' : html`<code>${txId}</code>` },
  ...(failure === null ? [] : [{ term: 'Reason', value: wordsOf(failure) }]),
]
