import { bech32, bech32m, createBase58check } from '@scure/base'
import { createHash } from 'node:crypto'
import type { ChainParameters } from './parameters.ts'

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest())

const OP_0 = 0x00
const OP_1 = 0x51
const OP_16 = 0x60
const OP_DUP = 0x76
const OP_HASH160 = 0xa9
const HASH_BYTES = 20

const isKeyHash = (script: Buffer): boolean =>
  script.length === 25 &&
  script[0] === OP_DUP &&
  script[1] === OP_HASH160 &&
  script[2] === HASH_BYTES &&
  script.readUInt16BE(23) === 0x88ac
const isScriptHash = (script: Buffer): boolean =>
  script.length === 23 && script[0] === OP_HASH160 && script[1] === HASH_BYTES && script[22] === 0x87

/** Returns the witness version of a script with a program of 2 to 40 bytes (BIP-141); -1 for other scripts. */
const witnessVersionOf = (script: Buffer): number => {
  const [opcode = -1, length = -1] = script
  if (script.length < 4 || script.length > 42 || length !== script.length - 2) return -1
  if (opcode === OP_0) return 0
  return opcode >= OP_1 && opcode <= OP_16 ? opcode - OP_1 + 1 : -1
}

/** The address that wallets write for an output's script; null for one that has none. */
export const addressOf = (
  script: Buffer,
  { prefix, keyHash, scriptHash }: Pick<ChainParameters, 'prefix' | 'keyHash' | 'scriptHash'>,
): string | null => {
  const version = witnessVersionOf(script)
  if (version >= 0) {
    const encoding = version === 0 ? bech32 : bech32m
    return encoding.encode(prefix, [version, ...encoding.toWords(script.subarray(2))])
  }
  if (isKeyHash(script)) return base58check.encode(Buffer.from([keyHash, ...script.subarray(3, 23)]))
  if (isScriptHash(script)) return base58check.encode(Buffer.from([scriptHash, ...script.subarray(2, 22)]))
  return null
}
