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

type Owner = Readonly<{ keys: AccountKeys; indexOf: IndexOf; parameters: ChainParameters }>

const pathOf = (index: number) => ({ chain: 'receiving', index }) as const

/** BIP-143: of a witness key hash the script that signs is the one that pays to the same hash without a witness. */
const scriptCodeOf = (publicKey: Uint8Array): Uint8Array =>
  OutScript.encode({ type: 'pkh', hash: hash160(publicKey) })

/**
 * Signs a plan.
 * @param changeScript where the change goes
 * @throws Error when the keys are not those of the addresses
 */
export const signPlan = async (
  { inputs, arrives, change }: Plan,
  scripts: Readonly<{ to: Uint8Array; change: Uint8Array | null }>,
  { keys, indexOf, parameters }: Owner,
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
    const path = pathOf(indexOf(address))
    const publicKey = await keys.publicKey(path)
    if (p2wpkh(publicKey, networkOf(parameters)).address !== address)
      throw new Error(`Key ${path.index} of the seed does not belong to the address ${address}`)
    const digest = transaction.preimageWitnessV0(at, scriptCodeOf(publicKey), SigHash.ALL, value)
    const { bytes } = await keys.sign(path, digest)
    const signature = Buffer.from([...secp256k1.signatureExport(bytes), SigHash.ALL])
    transaction.updateInput(at, { finalScriptWitness: [signature, publicKey] }, true)
  }
  return { txId: transaction.id, rawTransaction: Buffer.from(transaction.extract()).toString('hex') }
}

/** Inputs and outputs of a transaction, in their order; amounts in satoshi. */
type Paid = Readonly<{
  txId: string
  /** `txId:index` of its inputs. */
  spends: readonly string[]
  outputs: readonly Readonly<{ script: Uint8Array; value: bigint }>[]
}>

const readTransaction = (rawTransaction: string): Transaction =>
  Transaction.fromRaw(Buffer.from(rawTransaction, 'hex'), { allowUnknownOutputs: true })

/** Reads a signed transaction. @throws Error for other text */
export const readPaid = (rawTransaction: string): Paid => {
  const transaction = readTransaction(rawTransaction)
  return {
    txId: transaction.id,
    spends: Array.from({ length: transaction.inputsLength }, (_, at) => {
      const { txid = new Uint8Array(), index = -1 } = transaction.getInput(at)
      return `${Buffer.from(txid).toString('hex')}:${index}`
    }),
    outputs: Array.from({ length: transaction.outputsLength }, (_, at) => {
      const { script = new Uint8Array(), amount = 0n } = transaction.getOutput(at)
      return { script, value: amount }
    }),
  }
}

/** True if these keys signed every input of the transaction. @param inputs the coins of its inputs, in their order */
export const isSignedByKeys = async (
  rawTransaction: string,
  inputs: Plan['inputs'],
  { keys, indexOf }: Omit<Owner, 'parameters'>,
): Promise<boolean> => {
  const transaction = readTransaction(rawTransaction)
  for (const [at, { value, address }] of inputs.entries()) {
    const publicKey = await keys.publicKey(pathOf(indexOf(address)))
    const [signature = new Uint8Array(), key] = transaction.getInput(at).finalScriptWitness ?? []
    if (key === undefined || !Buffer.from(key).equals(publicKey) || signature.at(-1) !== SigHash.ALL)
      return false
    const digest = transaction.preimageWitnessV0(at, scriptCodeOf(publicKey), SigHash.ALL, value)
    const bytes = secp256k1.signatureImport(signature.subarray(0, -1))
    if (!secp256k1.ecdsaVerify(bytes, digest, publicKey)) return false
  }
  return transaction.inputsLength === inputs.length
}
