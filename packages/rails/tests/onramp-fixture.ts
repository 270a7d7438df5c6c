import type { OnrampStatus } from '@causeway/contracts'
import type { OnrampProvider, OnrampRequest } from '../src/onramps.ts'
import type { Notice } from './card-fixture.ts'

export type OnrampFault =
  'ok' | 'unreachable' | 'timeout' | 'reset' | 'error' | 'refuse' | 'slow' | 'after_effect_timeout'

/** An onramp provider that can be told what happens at it, and the adapter under test. */
export type OnrampFixture = Readonly<{
  provider: OnrampProvider
  /** The same with calls that time out within a second, for faults that never answer. */
  impatient: OnrampProvider
  /** True if notices contain the order; otherwise they only name it. */
  tellsOrders: boolean
  /** The header that a notice is signed in. */
  signatureHeader: string
  noticeUrl: string
  /** Sets the status of the purchase; `complete` and `completed` are the same. The provider posts a notice. */
  say: (onrampOrderId: string, status: OnrampStatus, transactionHash?: string) => Promise<void>
  /** `effect`: calls that change something alone. */
  fault: (mode: OnrampFault, calls: 'effect' | 'all') => Promise<void>
  /** Everything that was posted to the notice address so far. */
  notices: () => readonly Notice[]
  /** Signs a body as the provider would now. */
  sign: (body: string) => Notice
  stop: () => Promise<void>
}>

let lastId = 1_000

/** Makes a request for a new purchase. */
export const onrampRequest = (noticeUrl: string, change: Partial<OnrampRequest> = {}): OnrampRequest => {
  lastId += 1
  return {
    onrampOrderId: `onr_${lastId}`,
    fiat: 'EUR',
    fiatAmount: null,
    crypto: 'BTC',
    cryptoAmount: '0.0005',
    blockchain: 'BTC',
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    returnUrl: 'https://shop.example/thanks',
    noticeUrl,
    ...change,
  }
}
