import { keyVersionsText, parametersOf } from '../bitcoin/parameters.ts'
import { isUtxoRecipient, openSegwitAccount } from '../formats/bitcoin-address.ts'
import type { NetworkDefinition } from '../network.ts'

/** Litecoin: Bitcoin's formats with separate prefixes. */
export const ltc: NetworkDefinition<'LTC'> = {
  /** Litecoin Core relays no output to a segwit address of less than 2,940 litoshi (-dustrelayfee, 30,000 a kvB). */
  assets: { LTC: { decimals: 8, sandboxPriceEur: '75', minimum: '0.0000294' } },
  confirmationDepth: 6,
  /** An hour. */
  finalityDepth: 24,
  fee: { asset: 'LTC', amount: '0.0001' },
  account: {
    doc: `Account key m/84'/2'/0' of the LTC receiving wallet (m/84'/1'/0' where money has no value), public, never private: ${keyVersionsText('LTC')}`,
    sandbox:
      'zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4br6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA',
    open: (account, chain) => openSegwitAccount(account, parametersOf('LTC', chain)),
  },
  transactionIds: 'hex',
  isRecipient: (address, chain) => isUtxoRecipient(address, parametersOf('LTC', chain)),
  // The hash of no key: all bits zero, as a legacy and as a segwit address.
  unspendable: ['LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE', 'ltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqp9ysmq'],
  /** BIP-21 with Litecoin's scheme. */
  paymentUri: ({ address, amount }) => `litecoin:${address}?amount=${amount}`,
}
