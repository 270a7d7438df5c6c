import { RailError } from '../../../rail-error.ts'
import { TransferError } from '../transfers.ts'

/** RPC_VERIFY_ALREADY_IN_CHAIN of Bitcoin Core. */
const ALREADY_IN_CHAIN = -27
/** RPC_VERIFY_ERROR, RPC_VERIFY_REJECTED, RPC_DESERIALIZATION_ERROR: the node has judged the transaction. */
const JUDGED: ReadonlySet<number> = new Set([-22, -25, -26])
const HAS_IT = /txn-already-(in-mempool|known)/
/**
 * Refusals that pass: fees fall, the mempool empties, what conflicts is dropped or mined, a chain of waiting
 * transactions is mined. An input that is missing may come back with a reorganisation; whether it was spent by another
 * transaction is what `progressOf` tells.
 */
const PASSES =
  /mempool|min(imum)? (relay )?fee|insufficient (priority|fee)|too-long|conflict|missing|non-final|premature/i

/**
 * Interprets the response to a submitted transaction: null if the endpoint has it.
 * @param text the node's reason, such as `bad-txns-inputs-missingorspent`
 */
export const sendFailureOf = (name: string, code: number, text: string): TransferError | RailError | null => {
  if (code === ALREADY_IN_CHAIN || HAS_IT.test(text)) return null
  if (JUDGED.has(code) && !PASSES.test(text))
    return new TransferError('rejected', `${name} rejects the transaction: ${text}`)
  return new RailError('unavailable', `${name} does not accept the transaction at present: ${text}`)
}
