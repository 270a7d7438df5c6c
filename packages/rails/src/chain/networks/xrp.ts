import { ExtendedKeyError } from '../formats/extended-key.ts'
import { decodeClassicAddress, decodeXAddress, encodeXAddress } from '../formats/xrp-address.ts'
import type { NetworkDefinition } from '../network.ts'

/** Destination tags of an account. */
const TAGS = 2 ** 32

const openAccounts = (classicAddresses: string): readonly Uint8Array[] =>
  classicAddresses.split(',').map((classicAddress) => {
    const account = decodeClassicAddress(classicAddress.trim())
    if (!account) throw new ExtendedKeyError('is not a classic XRP Ledger address')
    return account
  })

const isXAddress = (address: string): boolean => {
  try {
    decodeXAddress(address)
    return true
  } catch {
    return false
  }
}

/** XRP Ledger: all orders are paid to one account, each with a separate destination tag. */
export const xrp: NetworkDefinition<'XRP'> = {
  assets: { XRP: { decimals: 6, sandboxPriceEur: '0.5', minimum: '0.001' } },
  /** A ledger is final once validated. */
  confirmationDepth: 1,
  /** Only validated ledgers are read: endpoints have half a minute to correct what they said of one. */
  finalityDepth: 8,
  fee: { asset: 'XRP', amount: '0.00001' },
  account: {
    doc: 'Receiving account on XRP, classic address. A comma list names the next ones, for when an account has had all of its 2^32 destination tags; an account that has had orders keeps its place',
    sandbox: 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3',
    open(classicAddresses) {
      const accounts = openAccounts(classicAddresses)
      return (number) => {
        const account = accounts[Math.floor(number / TAGS)]
        if (account === undefined)
          throw new RangeError('XRP_ACCOUNT names no account with free destination tags')
        const address = encodeXAddress(account, number % TAGS)
        return { address, watchAddress: address }
      }
    },
    lastOf: (classicAddresses) => openAccounts(classicAddresses).length * TAGS - 1,
  },
  transactionIds: 'upper-case hex',
  /** A classic address, or an X-address with a tag. */
  isRecipient: (address) => decodeClassicAddress(address) !== null || isXAddress(address),
  /** The special addresses of the XRP Ledger's documentation: zero, one, name reservation, not a number. */
  unspendable: [
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
    'rrrrrrrrrrrrrrrrrrrrBZbvji',
    'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
    'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
  ],
  /** `xrpl:` with the classic address and the tag apart, which is what wallets read. */
  paymentUri({ address, amount }) {
    const { classicAddress, tag } = decodeXAddress(address)
    return `xrpl:${classicAddress}?amount=${amount}&dt=${tag}`
  },
}
