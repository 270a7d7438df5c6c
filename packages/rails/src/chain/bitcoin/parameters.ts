import type { KeyVersion } from '../formats/extended-key.ts'

/** Chains of one network: the main chain, and those for tests. */
export const UTXO_CHAINS = ['main', 'test', 'signet', 'regtest'] as const
export type UtxoChain = (typeof UTXO_CHAINS)[number]
/** Networks whose chains are chosen by a setting (`BTC_CHAIN`, `LTC_CHAIN`). */
export type UtxoNetwork = 'BTC' | 'LTC'

/** Differences between the chains with Bitcoin's format. */
export type ChainParameters = Readonly<{
  /** Human-readable part of segwit addresses (BIP-173). */
  prefix: string
  /** Version byte of pay to public key hash. */
  keyHash: number
  /** Version byte of pay to script hash. */
  scriptHash: number
  /** Extended public keys of accounts of this chain (SLIP-132). */
  keyVersions: readonly KeyVersion[]
  /** Hashes of the first blocks. `test` of Bitcoin is testnet3 or testnet4. */
  genesis: readonly string[]
  /** Proof of work: `double-sha256`, which is the block's hash, or `scrypt` of the header. */
  work: 'double-sha256' | 'scrypt'
  /**
   * Minimum expected number of hashes for a block, so that an endpoint cannot forge blocks for less. On the main chains it
   * is about 1 % of the work of a block in 2025.
   */
  leastHashes: bigint
}>

const TEST_KEYS: readonly KeyVersion[] = ['vpub', 'tpub']
const btcTest = { prefix: 'tb', keyHash: 0x6f, scriptHash: 0xc4, keyVersions: TEST_KEYS } as const
const ltcTest = { keyHash: 0x6f, scriptHash: 0x3a, work: 'scrypt', leastHashes: 1n } as const

/** Bitcoin Core's chainparams.cpp and Litecoin Core's, which has no signet. */
const CHAIN_PARAMETERS: Readonly<Record<UtxoNetwork, Readonly<Partial<Record<UtxoChain, ChainParameters>>>>> =
  {
    BTC: {
      main: {
        prefix: 'bc',
        keyHash: 0x00,
        scriptHash: 0x05,
        keyVersions: ['zpub', 'xpub'],
        genesis: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
        work: 'double-sha256',
        leastHashes: 1n << 72n,
      },
      test: {
        ...btcTest,
        genesis: [
          '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
          '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
        ],
        work: 'double-sha256',
        leastHashes: 1n << 32n,
      },
      signet: {
        ...btcTest,
        genesis: ['00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
        work: 'double-sha256',
        leastHashes: 1n,
      },
      regtest: {
        ...btcTest,
        prefix: 'bcrt',
        keyVersions: ['vpub', 'tpub', 'zpub', 'xpub'],
        genesis: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
        work: 'double-sha256',
        leastHashes: 1n,
      },
    },
    LTC: {
      main: {
        prefix: 'ltc',
        keyHash: 0x30,
        scriptHash: 0x32,
        keyVersions: ['zpub', 'xpub', 'Ltub'],
        genesis: ['12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
        work: 'scrypt',
        leastHashes: 1n << 52n,
      },
      test: {
        ...ltcTest,
        prefix: 'tltc',
        keyVersions: ['vpub', 'tpub', 'ttub'],
        genesis: ['4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0'],
      },
      regtest: {
        ...ltcTest,
        prefix: 'rltc',
        keyVersions: ['vpub', 'tpub', 'ttub', 'zpub', 'xpub', 'Ltub'],
        genesis: ['530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
      },
    },
  }

const listOf = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1')

/** Names the versions of extended public keys that an account may have, by chain, as in "zpub or xpub on `main`". */
export const keyVersionsText = (network: UtxoNetwork): string =>
  UTXO_CHAINS.flatMap((chain) => {
    const versions = CHAIN_PARAMETERS[network][chain]?.keyVersions
    return versions ? `${listOf(versions)} on \`${chain}\`` : []
  }).join('; ')

/** @throws Error that names the setting for a chain that the network does not have */
export const parametersOf = (network: UtxoNetwork, chain: UtxoChain): ChainParameters => {
  const parameters = CHAIN_PARAMETERS[network][chain]
  if (parameters) return parameters
  const known = Object.keys(CHAIN_PARAMETERS[network]).join(', ')
  throw new Error(`${network}_CHAIN is ${chain}, which does not exist on ${network}; choose one of: ${known}`)
}
