import { hexToBytes, keccak256, bytesToHex, type Hex, serializeTransaction } from 'viem'
import type {
  SignedAuthorization,
  TransactionSerializableEIP1559,
  TransactionSerializableEIP7702,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import type { AccountKeys, KeyPath } from '../account-keys.ts'

type Unsigned = TransactionSerializableEIP1559 | TransactionSerializableEIP7702

const signatureOf = async (keys: AccountKeys, path: KeyPath, digest: Hex) => {
  const { bytes, recovery } = await keys.sign(path, hexToBytes(digest))
  return {
    r: bytesToHex(bytes.subarray(0, 32)),
    s: bytesToHex(bytes.subarray(32)),
    yParity: recovery,
  }
}

/** The transaction as nodes take it, and its id. */
export const signTransaction = async (
  keys: AccountKeys,
  path: KeyPath,
  unsigned: Unsigned,
): Promise<Readonly<{ txId: Hex; rawTransaction: Hex }>> => {
  const signature = await signatureOf(keys, path, keccak256(serializeTransaction(unsigned)))
  const rawTransaction = serializeTransaction(unsigned, signature)
  return { txId: keccak256(rawTransaction), rawTransaction }
}

/** Lets the code of `delegate` run for an account, on this chain and with this nonce of it alone (EIP-7702). */
export const signAuthorization = async (
  keys: AccountKeys,
  path: KeyPath,
  { chainId, nonce, delegate }: Readonly<{ chainId: number; nonce: number; delegate: Hex }>,
): Promise<SignedAuthorization> => {
  const authorization = { chainId, nonce, address: delegate }
  return { ...authorization, ...(await signatureOf(keys, path, hashAuthorization(authorization))) }
}
