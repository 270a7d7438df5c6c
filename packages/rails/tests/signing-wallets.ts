import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { p2wpkh } from '@scure/btc-signer'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A wallet with one address, as its owner uses it. */
export type SigningWallet = Readonly<{ address: string; sign: (message: string) => Promise<string> }>

/** An account that signs with viem (EIP-191). */
export const ethereumWallet = (privateKey = generatePrivateKey()): SigningWallet => {
  const account = privateKeyToAccount(privateKey)
  return { address: account.address, sign: (message) => account.signMessage({ message }) }
}

/** An account that signs with the standard library. */
export const solanaWallet = (): SigningWallet => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    address: base58.encode(key),
    sign: (message) => Promise.resolve(base58.encode(sign(null, Buffer.from(message), privateKey))),
  }
}

const hashTwice = (bytes: Uint8Array): Uint8Array =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()

/** A segwit address that signs in the older form, with the header of a compressed key, as Electrum does. */
const utxoWallet = (prefix: string, magic: string): SigningWallet => {
  const secret = secp256k1.utils.randomSecretKey()
  const network = { bech32: prefix, pubKeyHash: 0, scriptHash: 5, wif: 0x80 }
  const { address } = p2wpkh(secp256k1.getPublicKey(secret), network)
  return {
    address,
    sign(message) {
      const text = Buffer.from(message)
      const length =
        text.length < 253 ? Buffer.of(text.length) : Buffer.of(253, text.length & 255, text.length >> 8)
      const hash = hashTwice(Buffer.concat([Buffer.from(magic, 'latin1'), length, text]))
      const signed = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
      return Promise.resolve(Buffer.of(31 + (signed[0] ?? 0), ...signed.subarray(1)).toString('base64'))
    },
  }
}
export const bitcoinWallet = (): SigningWallet => utxoWallet('bc', '\x18Bitcoin Signed Message:\n')
export const litecoinWallet = (): SigningWallet => utxoWallet('ltc', '\x19Litecoin Signed Message:\n')
