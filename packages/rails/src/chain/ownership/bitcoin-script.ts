import { NETWORK } from '@scure/btc-signer'
import { Address, OutScript } from '@scure/btc-signer/payment.js'
import { parametersOf, UTXO_CHAINS, type UtxoChain, type UtxoNetwork } from '../bitcoin/parameters.ts'

const scriptOn = (network: UtxoNetwork, chain: UtxoChain, address: string): Uint8Array | null => {
  try {
    const { prefix, keyHash, scriptHash } = parametersOf(network, chain)
    const format = { ...NETWORK, bech32: prefix, pubKeyHash: keyHash, scriptHash }
    return OutScript.encode(Address(format).decode(address))
  } catch {
    return null
  }
}

/** The script that pays to an address, on whichever chain of the network it is; null for any other text. */
export const scriptOf = (network: UtxoNetwork, address: string): Uint8Array | null => {
  for (const chain of UTXO_CHAINS) {
    const script = scriptOn(network, chain, address)
    if (script !== null) return script
  }
  return null
}
