import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Network } from '@causeway/contracts'
import secp256k1 from 'secp256k1'
import { keyPathOf } from '../formats/key-path.ts'
import type { NetworkChains } from '../network.ts'
import { chainOf } from '../networks.ts'
import type { AccountKeys, KeyPath } from './account-keys.ts'

/** Networks whose deposit addresses are children of an extended key. */
export type KeyedNetwork = Extract<Network, 'BTC' | 'LTC' | 'ETH'>

/** SLIP-44. Chains for tests have one coin type in common; `regtest` is our own, and has the main chain's. */
const TEST_COIN = 1
/** Chain for change (BIP-44). */
const CHANGE_CHAIN = 1
const MAIN_VERSIONS = { public: 0x0488b21e, private: 0x0488ade4 }
const TEST_VERSIONS = { public: 0x043587cf, private: 0x04358394 }

const accountOf = (network: KeyedNetwork, chains: NetworkChains) => {
  const chain = chainOf(network, chains)
  const isTest = chain === 'test' || chain === 'signet'
  const coin = { BTC: 0, LTC: 2, ETH: 60 }[network]
  const purpose = network === 'ETH' ? 44 : 84
  return {
    path: `m/${purpose}'/${isTest ? TEST_COIN : coin}'/0'`,
    versions: isTest ? TEST_VERSIONS : MAIN_VERSIONS,
  }
}

/**
 * Derives the keys of a network's first account from BIP-39 words (SIGNER_SEED_FILE).
 * @param words twelve to twenty-four English words, separated by white space
 * @throws Error, which does not repeat the words, when they are no mnemonic
 */
export const openSeedKeys = (
  words: string,
  network: KeyedNetwork,
  chains: NetworkChains = {},
): AccountKeys => {
  const mnemonic = words.trim().toLowerCase().split(/\s+/).join(' ')
  if (!validateMnemonic(mnemonic, wordlist))
    throw new Error('The seed is not a list of BIP-39 words in English with a matching checksum')
  const { path, versions } = accountOf(network, chains)
  const account = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic), versions).derive(path)
  const child = ({ chain, index }: KeyPath) => {
    const path = chain === 'change' ? { chain: CHANGE_CHAIN, child: index } : keyPathOf(index)
    return account.deriveChild(path.chain).deriveChild(path.child)
  }
  return {
    account: account.publicExtendedKey,
    publicKey: async (keyPath) => {
      const { publicKey } = child(keyPath)
      if (!publicKey) throw new Error('the key has no public part')
      return publicKey
    },
    sign: async (keyPath, digest) => {
      const { privateKey } = child(keyPath)
      if (!privateKey) throw new Error('the key has no private part')
      const { signature, recid } = secp256k1.ecdsaSign(digest, privateKey)
      return { bytes: signature, recovery: recid }
    },
  }
}
