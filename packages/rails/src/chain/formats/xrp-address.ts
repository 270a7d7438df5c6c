import { createHash } from 'node:crypto'
import { base58xrp } from '@scure/base'

/*
 * Addresses of the XRP Ledger: classic (`r…`, an account) and X-address (XLS-5: account and destination tag in one, so
 * that a payer cannot forget the tag). Written over @scure/base instead of ripple-address-codec, which is the oracle of
 * the tests (ADR 0051).
 */

const CHECKSUM_BYTES = 4
const checksum = (bytes: Uint8Array): Uint8Array => {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest().subarray(0, CHECKSUM_BYTES)
}

const LOOKS_ENCODED = /^[rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz]{25,60}$/
const ACCOUNT_BYTES = 20
const CLASSIC_PREFIX = 0x00
const MAIN_NETWORK_PREFIX = [0x05, 0x44]
const HAS_32_BIT_TAG = 1

const encodeChecked = (payload: Uint8Array): string =>
  base58xrp.encode(Buffer.concat([payload, checksum(payload)]))

const decodeChecked = (text: string): Uint8Array | null => {
  if (!LOOKS_ENCODED.test(text)) return null
  const bytes = base58xrp.decode(text)
  const payload = bytes.subarray(0, -CHECKSUM_BYTES)
  return checksum(payload).every((byte, at) => byte === bytes[payload.length + at]) ? payload : null
}

/** The 20 bytes of an account, or null for what is no classic address. */
export const decodeClassicAddress = (address: string): Uint8Array | null => {
  const bytes = decodeChecked(address)
  return bytes?.length === 1 + ACCOUNT_BYTES && bytes[0] === CLASSIC_PREFIX ? bytes.subarray(1) : null
}

/** Classic address of an account of 20 bytes. */
export const encodeClassicAddress = (account: Uint8Array): string =>
  encodeChecked(Uint8Array.of(CLASSIC_PREFIX, ...account))

/** X-address on the main network. `tag` is an unsigned 32-bit integer. */
export const encodeXAddress = (account: Uint8Array, tag: number): string => {
  const bytes = Buffer.alloc(31)
  bytes.set(MAIN_NETWORK_PREFIX)
  bytes.set(account, 2)
  bytes.writeUInt8(HAS_32_BIT_TAG, 22)
  bytes.writeUInt32LE(tag, 23)
  return encodeChecked(bytes)
}

/**
 * Classic address and tag of an X-address on the main network.
 * @throws RangeError for anything else, an X-address without a tag included
 */
export const decodeXAddress = (address: string): { classicAddress: string; tag: number } => {
  const bytes = Buffer.from(decodeChecked(address) ?? [])
  const isTagged =
    bytes.length === 31 &&
    MAIN_NETWORK_PREFIX.every((byte, at) => bytes[at] === byte) &&
    bytes[22] === HAS_32_BIT_TAG &&
    bytes.readUInt32LE(27) === 0
  if (!isTagged) throw new RangeError('not an X-address with a tag on the main network')
  const classicAddress = encodeClassicAddress(bytes.subarray(2, 22))
  return { classicAddress, tag: bytes.readUInt32LE(23) }
}
