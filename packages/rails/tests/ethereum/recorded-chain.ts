import { encodeFunctionData, parseUnits } from 'viem'
import type { Transfer } from '../../src/chains.ts'
import type { TestPayment } from '../block-source-fixture.ts'
import { ABI, startChain } from './fixture.ts'

/** A block as the node answers it, and what its transactions paid, known from sending them. */
export type RecordedBlock = Readonly<{
  hash: string
  answer: Readonly<Record<string, unknown>> & { transactions: { hash: string }[] }
  receipts: readonly Readonly<Record<string, unknown>>[]
  paid: readonly Omit<Transfer, 'outputIndex'>[]
}>

/** Chains of one node that share their first blocks. */
export type RecordedForks = Readonly<{
  tokens: Readonly<Record<string, string>>
  /** Each from its first block, number 0, on. */
  forks: readonly (readonly RecordedBlock[])[]
  /** Number of the newest block that all have. */
  shared: number
}>

const FORKS = 3
const BLOCKS = 7

/**
 * Records forks on a node: payments in each asset, several in one transaction, some that revert, some through a
 * contract, and in the first block of each fork the same payment again.
 */
export const recordForks = async (): Promise<RecordedForks> => {
  const chain = await startChain()
  const { anvil, splitter } = chain
  const paid = new Map<string, Omit<Transfer, 'outputIndex'>[]>()
  let turn = 0

  const pay = async (asset: TestPayment['asset'], amount: string): Promise<void> => {
    const payment = { asset, address: chain.newAddress(), amount }
    const [txId = ''] = await chain.pay([payment])
    paid.set(txId, [{ ...payment, txId }])
  }
  const payThroughContract = async (name: 'pay' | 'refuse'): Promise<void> => {
    const args = [chain.newAddress()] as const
    const data =
      name === 'pay'
        ? encodeFunctionData({ abi: ABI, functionName: name, args })
        : encodeFunctionData({ abi: ABI, functionName: name })
    const txId = await chain.send({ to: splitter, value: parseUnits('0.5', 18), data })
    // What the contract sends on shows in balances alone.
    if (name === 'pay') paid.set(txId, [{ asset: 'ETH', address: splitter, txId, amount: '0.5' }])
  }
  const payMany = async (): Promise<void> => {
    const addresses = [chain.newAddress(), chain.newAddress(), chain.newAddress()]
    const args = [addresses, parseUnits('3', 6)] as const
    const data = encodeFunctionData({ abi: ABI, functionName: 'transferToMany', args })
    const txId = await chain.send({ to: chain.tokens.USDC ?? '', data })
    paid.set(
      txId,
      addresses.map((address) => ({ asset: 'USDC' as const, address, txId, amount: '3' })),
    )
  }
  const kinds = [
    () => pay('ETH', '0.25'),
    () => pay('USDT', '12.5'),
    () => payThroughContract('refuse'),
    payMany,
    () => payThroughContract('pay'),
    () => pay('USDC', '0.000001'),
  ]
  /** One to three transactions; each fourth block is empty. */
  const mine = async (): Promise<void> => {
    turn += 1
    for (let index = 0; turn % 4 !== 0 && index < 1 + (turn % 3); index += 1)
      await kinds[(turn + index) % kinds.length]?.()
    await chain.mine(1)
  }
  const record = async (from: number): Promise<RecordedBlock[]> => {
    const blocks: RecordedBlock[] = []
    const head = Number(await anvil.ask<string>('eth_blockNumber'))
    for (let number = from; number <= head; number += 1) {
      const answer = await anvil.ask<RecordedBlock['answer'] & { hash: string }>(
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        true,
      )
      const receipts = await anvil.ask<RecordedBlock['receipts']>('eth_getBlockReceipts', answer.hash)
      blocks.push({
        hash: answer.hash,
        answer,
        receipts,
        paid: answer.transactions.flatMap(({ hash }) => paid.get(hash) ?? []),
      })
    }
    return blocks
  }

  await mine()
  await mine()
  const trunk = await record(0)
  let again: string | null = null
  const forks: RecordedBlock[][] = []
  for (let fork = 0; fork < FORKS; fork += 1) {
    const snapshot = await anvil.ask<string>('evm_snapshot')
    if (again === null) {
      const payment = { asset: 'ETH', address: chain.newAddress(), amount: '1' } as const
      const [txId = ''] = await chain.pay([payment])
      paid.set(txId, [{ ...payment, txId }])
      again = await anvil.ask<string>('eth_getRawTransactionByHash', txId)
    } else await anvil.ask('eth_sendRawTransaction', again)
    for (let block = 0; block < BLOCKS; block += 1) await mine()
    forks.push([...trunk, ...(await record(trunk.length))])
    await anvil.ask('evm_revert', snapshot)
  }
  await anvil.stop()
  return { tokens: chain.tokens, forks, shared: trunk.length - 1 }
}
