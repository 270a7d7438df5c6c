import { Address, OutScript, p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import { hash160 } from '@scure/btc-signer/utils.js'
import secp256k1 from 'secp256k1'
import type { ChainParameters } from '../../bitcoin/parameters.ts'
import type { AccountKeys } from '../account-keys.ts'
import type { Plan } from './plan.ts'

/** Sequence number below the maximum: the transaction may be replaced by one with a higher fee (BIP-125). */
const REPLACEABLE = 0xfffffffd

const networkOf = ({ prefix, keyHash, scriptHash }: ChainParameters) => ({
  bech32: prefix,
  pubKeyHash: keyHash,
  scriptHash,
  wif: 0,
})

/** The script of an address of the chain. */
export const scriptOf = (address: string, parameters: ChainParameters): Uint8Array =>
  OutScript.encode(Address(networkOf(parameters)).decode(address))

/** The numbers of the addresses that a plan spends from. */
export type IndexOf = (address: string) => number

/**
 * Signs a plan.
 * @param changeScript where the change goes
 * @throws Error when the keys are not those of the addresses
 */
export const signPlan = async (
  { inputs, arrives, change }: Plan,
  scripts: Readonly<{ to: Uint8Array; change: Uint8Array | null }>,
  {
    keys,
    indexOf,
    parameters,
  }: Readonly<{ keys: AccountKeys; indexOf: IndexOf; parameters: ChainParameters }>,
): Promise<Readonly<{ txId: string; rawTransaction: string }>> => {
  const transaction = new Transaction()
  for (const { txId, outputIndex, value, address } of inputs)
    transaction.addInput({
      txid: txId,
      index: outputIndex,
      sequence: REPLACEABLE,
      witnessUtxo: { amount: value, script: scriptOf(address, parameters) },
    })
  transaction.addOutput({ script: scripts.to, amount: arrives })
  if (change > 0n && scripts.change) transaction.addOutput({ script: scripts.change, amount: change })
  for (const [at, { value, address }] of inputs.entries()) {
    const path = { chain: 'receiving', index: indexOf(address) } as const
    const publicKey = await keys.publicKey(path)
    if (p2wpkh(publicKey, networkOf(parameters)).address !== address)
      throw new Error(`Key ${path.index} of the seed does not belong to the address ${address}`)
    // BIP-143: of a witness key hash the script that signs is the one that pays to the same hash without a witness.
    const scriptCode = OutScript.encode({ type: 'pkh', hash: hash160(publicKey) })
    const digest = transaction.preimageWitnessV0(at, scriptCode, SigHash.ALL, value)
    const { bytes } = await keys.sign(path, digest)
    const signature = Buffer.from([...secp256k1.signatureExport(bytes), SigHash.ALL])
    transaction.updateInput(at, { finalScriptWitness: [signature, publicKey] }, true)
  }
  return { txId: transaction.id, rawTransaction: Buffer.from(transaction.extract()).toString('hex') }
}
