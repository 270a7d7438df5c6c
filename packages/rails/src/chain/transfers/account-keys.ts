/**
 * A key of an account: `m/…/account'/1/index` for change (BIP-44); for receiving, `index` is an order's number, whose
 * chain and child {@link keyPathOf} names.
 */
export type KeyPath = Readonly<{ chain: 'receiving' | 'change'; index: number }>

/** 64 bytes, `s` in its lower half (BIP-62), and which of the two points it is. */
export type Signature = Readonly<{ bytes: Uint8Array; recovery: number }>

/**
 * The private keys of one network's account, wherever they are: a seed in this process, a PKCS #11 token, a remote
 * signer. They sign digests and are never seen.
 */
export type AccountKeys = Readonly<{
  /** Required value of payments' setting `<NETWORK>_ACCOUNT`: the account's extended public key. */
  account: string
  /** Compressed, 33 bytes. */
  publicKey: (path: KeyPath) => Promise<Uint8Array>
  /** ECDSA over secp256k1 of a digest of 32 bytes. */
  sign: (path: KeyPath, digest: Uint8Array) => Promise<Signature>
}>
