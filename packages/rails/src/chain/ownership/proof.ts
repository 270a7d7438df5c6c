import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { Network } from '@causeway/contracts'
import { isSimpleSignature } from './bip322.ts'
import { scriptOf } from './bitcoin-script.ts'
import { isOlderSignature } from './signed-message.ts'
import { withChecksum } from '../formats/ethereum-address.ts'
import type { UtxoNetwork } from '../bitcoin/parameters.ts'

/** A statement that its signer holds the key of an address. `signature` in the form of the network's wallets. */
export type Proof = Readonly<{ address: string; message: string; signature: string }>

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const readBase64 = (text: string): Uint8Array | null =>
  BASE64.test(text) ? Buffer.from(text, 'base64') : null

/** BIP-322, or the older form; a prefix `smp` names the simple form. */
const isUtxoProof = (network: UtxoNetwork, { address, message, signature }: Proof): boolean => {
  const script = scriptOf(network, address)
  const bytes = readBase64(signature.replace(/^smp/, ''))
  if (script === null || bytes === null) return false
  return isSimpleSignature(script, message, bytes) || isOlderSignature(network, script, message, bytes)
}

/** EIP-191, version 0x45 (`personal_sign`): 65 bytes in hex, whose last is 0, 1, 27 or 28. */
const isEvmProof = ({ address, message, signature }: Proof): boolean => {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recovery = (bytes[64] ?? 0) % 27
  if (recovery > 1 || (bytes[64] ?? 0) > 28) return false
  const text = Buffer.from(message, 'utf8')
  const hash = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`, 'latin1'), text]),
  )
  try {
    const key = secp256k1.recoverPublicKey(Uint8Array.of(recovery, ...bytes.subarray(0, 64)), hash, {
      prehash: false,
    })
    const digest = keccak_256(secp256k1.Point.fromBytes(key).toBytes(false).subarray(1)).subarray(12)
    return withChecksum(Buffer.from(digest).toString('hex')) === withChecksum(address.slice(2))
  } catch {
    // The library throws for numbers that are no signature.
    return false
  }
}

/** Ed25519 over the message's bytes, as wallets sign messages: 64 bytes in base58 or base64. */
const isSolanaProof = ({ address, message, signature }: Proof): boolean => {
  try {
    // 64 bytes in base64 end with ==; base58 has no =, and may have as many characters.
    const bytes = signature.endsWith('==') ? readBase64(signature) : base58.decode(signature)
    if (bytes?.length !== 64) return false
    // Without the rule of ZIP 215, keys of small order are refused: they verify signatures that nobody made.
    return ed25519.verify(bytes, Buffer.from(message, 'utf8'), base58.decode(address), { zip215: false })
  } catch {
    return false
  }
}

/** Networks on which the holder of an address can prove it by a signature. The XRP Ledger has no form for it. */
export const hasProof = (network: Network): boolean => network !== 'XRP'

/** True if the key of the address has signed the message. False for every other text, and on a network without proofs. */
export const isProof = (network: Network, proof: Proof): boolean => {
  switch (network) {
    case 'BTC':
    case 'LTC':
      return isUtxoProof(network, proof)
    case 'ETH':
      return isEvmProof(proof)
    case 'SOL':
      return isSolanaProof(proof)
    case 'XRP':
      return false
  }
}
