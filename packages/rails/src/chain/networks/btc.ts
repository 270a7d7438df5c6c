import { keyVersionsText, parametersOf } from '../bitcoin/parameters.ts'
import { isUtxoRecipient, openSegwitAccount } from '../formats/bitcoin-address.ts'
import type { NetworkDefinition } from '../network.ts'

/** Bitcoin. Receives on segwit addresses; sends to those, to taproot and to the legacy forms. */
export const btc: NetworkDefinition<'BTC'> = {
  /** Bitcoin Core relays no output to a segwit address of less than 294 satoshi (-dustrelayfee, 3,000 a kvB). */
  assets: { BTC: { decimals: 8, sandboxPriceEur: '60000', minimum: '0.00000294' } },
  confirmationDepth: 2,
  /** Two hours. */
  finalityDepth: 12,
  fee: { asset: 'BTC', amount: '0.00002' },
  account: {
    doc: `Account key m/84'/0'/0' of the BTC receiving wallet (m/84'/1'/0' where money has no value), public, never private: ${keyVersionsText('BTC')}`,
    sandbox:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    open: (account, chain) => openSegwitAccount(account, parametersOf('BTC', chain)),
  },
  transactionIds: 'hex',
  isRecipient: (address, chain) => isUtxoRecipient(address, parametersOf('BTC', chain)),
  unspendable: [
    // The hash of no key: all bits zero, as a legacy and as a segwit address.
    '1111111111111111111114oLvT2',
    'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs',
    '1BitcoinEaterAddressDontSendf59kuE',
    '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  ],
  /** BIP-21. */
  paymentUri: ({ address, amount }) => `bitcoin:${address}?amount=${amount}`,
}
