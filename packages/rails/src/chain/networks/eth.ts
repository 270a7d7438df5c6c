import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Asset } from '@causeway/contracts'
import { openPublicKeys } from '../formats/extended-key.ts'
import { withChecksum } from '../formats/ethereum-address.ts'
import type { EvmChain, NetworkDefinition } from '../network.ts'

/** ERC-20 contracts on Ethereum's main network, EIP-55 spelling. */
export const TOKEN_CONTRACTS: Readonly<Partial<Record<Asset, string>>> = {
  USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
}

const MAIN_CHAIN: EvmChain = { chainId: 1, tokens: TOKEN_CONTRACTS }

/** Checks whether the letters of `0x` and 40 hex digits all have one case, or encode the EIP-55 checksum. */
const hasChecksum = (address: string): boolean => {
  const hex = address.slice(2)
  return hex === hex.toLowerCase() || hex === hex.toUpperCase() || address === withChecksum(hex.toLowerCase())
}

/** Ethereum address with EIP-55 checksum. `publicKey` is uncompressed, 65 bytes. */
const ethereumAddress = (publicKey: Uint8Array): string =>
  withChecksum(Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex'))

/** Ethereum with the tokens that orders may be paid in: one address an order, whatever the asset. */
export const eth: NetworkDefinition<'ETH'> = {
  assets: {
    ETH: { decimals: 18, sandboxPriceEur: '2500', minimum: '0.00001' },
    USDT: { decimals: 6, sandboxPriceEur: '0.92', minimum: '0.01' },
    USDC: { decimals: 6, sandboxPriceEur: '0.92', minimum: '0.01' },
  },
  confirmationDepth: 12,
  /** Two epochs: what is older is finalized. */
  finalityDepth: 64,
  fee: { asset: 'ETH', amount: '0.0003' },
  account: {
    doc: "Account key m/44'/60'/0' of the ETH receiving wallet, xpub",
    sandbox:
      'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt',
    open(account) {
      const publicKeyOf = openPublicKeys(account, ['xpub'], false)
      return (number) => {
        const address = ethereumAddress(publicKeyOf(number))
        return { address, watchAddress: address }
      }
    },
  },
  transactionIds: '0x hex',
  /** Mixed case must be the EIP-55 checksum; the zero address is nobody's. */
  isRecipient: (address) =>
    /^0x[0-9a-fA-F]{40}$/.test(address) && !/^0x0{40}$/.test(address) && hasChecksum(address),
  /** The contracts compiled into every node, and what people burn tokens with. */
  unspendable: [
    ...Array.from({ length: 0x11 }, (_, index) => withChecksum((index + 1).toString(16).padStart(40, '0'))),
    '0x000000000000000000000000000000000000dEaD',
    '0xdEAD000000000000000042069420694206942069',
  ],
  /** EIP-681: ETH in wei as `value`; a token as a call of its contract's `transfer`. */
  paymentUri({ asset, address, units }, { ETH: { chainId, tokens } = MAIN_CHAIN }) {
    if (asset === 'ETH') return `ethereum:${address}@${chainId}?value=${units}`
    const contract = tokens[asset]
    if (contract === undefined) throw new RangeError(`${asset} has no contract on Ethereum`)
    return `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`
  },
}
