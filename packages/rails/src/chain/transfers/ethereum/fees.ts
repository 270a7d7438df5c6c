import { formatGwei } from 'viem/utils'
import { TransferError } from '../transfers.ts'
import type { EthereumNode } from './node.ts'

/** Wei for a unit of gas (EIP-1559). */
export type GasFees = Readonly<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>

/**
 * Twice the base fee of now and the tip that the node advises: enough for six full blocks in a row. Where that is above
 * the limit, the limit, as long as the next block would take it.
 * @param limit wei for a unit of gas
 * @throws TransferError when the next block already costs more than the limit
 */
export const readGasFees = async (
  node: EthereumNode,
  limit: bigint,
  signal?: AbortSignal,
): Promise<GasFees> => {
  const [{ baseFeePerGas }, tip] = [await node.head(signal), await node.tip(signal)]
  const next = (baseFeePerGas * 9n) / 8n + tip
  if (next > limit)
    throw new TransferError(
      'fee_above_limit',
      `A unit of gas costs ${formatGwei(next)} gwei; ETH_GAS_PRICE_MAX allows ${formatGwei(limit)}`,
    )
  const enough = baseFeePerGas * 2n + tip
  return { maxFeePerGas: enough < limit ? enough : limit, maxPriorityFeePerGas: tip }
}

/**
 * Fees of a transaction that replaces one: those of now, and at least an eighth more each, because nodes refuse less than
 * a tenth.
 * @param limit wei for a unit of gas
 * @throws TransferError when they are above the limit
 */
export const raiseGasFees = (previous: GasFees, now: GasFees, limit: bigint): GasFees => {
  const raised = (before: bigint, asked: bigint) => {
    const least = (before * 9n + 7n) / 8n
    return asked > least ? asked : least
  }
  const fees = {
    maxFeePerGas: raised(previous.maxFeePerGas, now.maxFeePerGas),
    maxPriorityFeePerGas: raised(previous.maxPriorityFeePerGas, now.maxPriorityFeePerGas),
  }
  if (fees.maxFeePerGas <= limit) return fees
  throw new TransferError(
    'fee_above_limit',
    `Replacing a transaction costs ${formatGwei(fees.maxFeePerGas)} gwei for a unit of gas; ETH_GAS_PRICE_MAX allows ${formatGwei(limit)}`,
  )
}
