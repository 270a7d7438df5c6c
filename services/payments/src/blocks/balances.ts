import { ASSET_DECIMALS, fromUnits, toUnits, type BlockHeader, type BlockSource } from '@causeway/rails'
import type { Entry } from '../deposits/deposit-page.ts'
import { settleDeposits } from '../deposits/settle-deposits.ts'
import {
  deleteBalanceChecks,
  listBalanceChecks,
  markBalancesChecked,
  type BalanceCheck,
} from './balance-store.ts'
import { lockPosition } from './position-store.ts'
import type { BlockContext } from './process-blocks.ts'

/** Addresses that are looked at after each new block: the cost of a block is the same however many orders are open. */
const MOST_CHECKS = 100
const DECIMALS = ASSET_DECIMALS.ETH
/** Values of `crypto_deposits.output_index`. */
const OUTPUTS = 2 ** 31

/**
 * What an address holds beyond the deposits that are known, as a deposit in the block at whose end it was seen. No
 * transaction names it: the block's hash stands for one, and the order's number on the network for its output, without
 * its generation, which the column has no room for. Of two orders that differ in it alone, the next block has the second.
 */
const unexplained = (check: BalanceCheck, balance: bigint, head: BlockHeader): Entry[] => {
  const missing = balance - toUnits(check.known, DECIMALS)
  if (missing <= 0n) return []
  return [
    {
      network: 'ETH',
      asset: 'ETH',
      address: check.address,
      txId: head.hash,
      outputIndex: check.derivationIndex % OUTPUTS,
      amount: fromUnits(missing, DECIMALS),
      confirmations: 1,
      blockNumber: head.number,
      blockHash: head.hash,
    },
  ]
}

/**
 * Takes in what contracts sent (decisions §20), once every block up to the head was read: the balances of open orders are
 * read in turn, and what their deposits do not explain is a deposit.
 * @param head the last block that was read
 */
export const processBalances = async (
  context: BlockContext,
  source: BlockSource,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<void> => {
  if (source.balances === undefined) return
  const { db, clock, network, holder } = context
  const due = await listBalanceChecks(db, { below: head.number, now: clock.now(), limit: MOST_CHECKS })
  const open = due.filter(({ isOver }) => !isOver)
  const balances =
    open.length === 0
      ? []
      : await source.balances(
          open.map(({ address }) => address),
          head,
          signal,
        )
  await db.transaction(async (tx) => {
    const position = await lockPosition(tx, { network, holder })
    // Read by another replica meanwhile, or replaced: the balances are of a block that deposits are not kept for.
    if (position?.hash !== head.hash) return
    await deleteBalanceChecks(tx, {
      orderIds: due.filter(({ isOver }) => isOver).map(({ orderId }) => orderId),
    })
    await markBalancesChecked(tx, { orderIds: open.map(({ orderId }) => orderId), number: head.number })
    await settleDeposits(
      tx,
      context,
      open.flatMap((check, index) => unexplained(check, balances[index] ?? 0n, head)),
    )
  })
}
