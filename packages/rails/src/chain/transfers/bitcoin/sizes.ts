import type { UtxoNetwork } from '../../bitcoin/parameters.ts'

/*
 * Weights of transactions whose inputs pay to witness public key hashes (BIP-141): a byte outside of the witness weighs
 * four, one inside weighs one.
 */

/** Version, lock time, marker and flag, and a count of inputs and one of outputs of up to three bytes. */
const OVERHEAD_WEIGHT = (4 + 4 + 3 + 3) * 4 + 2
/** Outpoint, empty script, sequence; a signature of at most 72 bytes, a key of 33, their count and lengths. */
const INPUT_WEIGHT = (36 + 1 + 4) * 4 + (1 + 1 + 72 + 1 + 33)
/** Value and length of the script. */
const OUTPUT_BYTES = 8 + 1

const roundUp = (value: bigint, unit: bigint): bigint => (value + unit - 1n) / unit

/** Bytes that the fee is paid for, at most. */
const virtualSize = (inputs: number, scripts: readonly Uint8Array[]): bigint => {
  const outputs = scripts.reduce((sum, { length }) => sum + OUTPUT_BYTES + length, 0)
  return roundUp(BigInt(OVERHEAD_WEIGHT + inputs * INPUT_WEIGHT + outputs * 4), 4n)
}

/** Satoshi for such a transaction at `rate` satoshi for 1,000 bytes. */
export const feeOf = (inputs: number, scripts: readonly Uint8Array[], rate: bigint): bigint =>
  roundUp(virtualSize(inputs, scripts) * rate, 1_000n)

/**
 * The least fee of a transaction that replaces one (BIP-125): an eighth more, and a satoshi for each of its bytes, which
 * is the `incrementalrelayfee` of nodes.
 */
export const replacementFee = (previous: bigint, inputs: number, scripts: readonly Uint8Array[]): bigint => {
  const [eighth, relay] = [roundUp(previous, 8n), virtualSize(inputs, scripts)]
  return previous + (eighth > relay ? eighth : relay)
}

/** Cost of an additional input: spending a smaller coin loses money. */
export const inputCost = (rate: bigint): bigint => roundUp(BigInt(INPUT_WEIGHT) * rate, 4_000n)

/** `DUST_RELAY_TX_FEE` of Bitcoin Core's and Litecoin Core's policy.h, for 1,000 bytes. */
const DUST_RATES: Readonly<Record<UtxoNetwork, bigint>> = { BTC: 3_000n, LTC: 30_000n }
/** Bytes that spending an output takes, in a witness or not. */
const SPENDING_BYTES = { witness: 67, script: 148 }

/** Nodes pass on no output below this: spending it would cost more. */
export const dustOf = (network: UtxoNetwork, script: Uint8Array): bigint => {
  const [first = -1] = script
  const isWitness = first === 0x00 || (first >= 0x51 && first <= 0x60)
  const bytes = OUTPUT_BYTES + script.length + (isWitness ? SPENDING_BYTES.witness : SPENDING_BYTES.script)
  return (BigInt(bytes) * DUST_RATES[network]) / 1_000n
}
