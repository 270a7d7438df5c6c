import { RailError } from '@causeway/rails'
import type { BlockHeader, BlockSource } from '@causeway/rails/chains'
import { ASSET_DECIMALS, FINALITY_DEPTHS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { Entry } from '../deposits/deposit-page.ts'
import { settleDeposits } from '../deposits/settle-deposits.ts'
import { nextReading } from './balance-schedule.ts'
import { listBalanceChecks, markBalancesChecked, type BalanceCheck } from './balance-store.ts'
import { lockPosition } from './position-store.ts'
import type { BlockContext } from './process-blocks.ts'

/** Addresses that are looked at after each new block: the cost of a block is the same however many orders there are. */
const MOST_CHECKS = 100
const DECIMALS = ASSET_DECIMALS.ETH
/** Outputs are numbered below this. */
const OUTPUTS = 2 ** 31

/** A check with what its address holds, and what is known to have left it. */
type Reading = Readonly<{ check: BalanceCheck; balance: bigint; spent: bigint }>
type Balances = NonNullable<BlockSource['balances']>

const eth = (amount: string): bigint => toUnits(amount, DECIMALS)

/**
 * Returns the balance of an address beyond its known deposits and withdrawals, as a deposit in the block whose end balance
 * shows it. No transaction identifies it: the block's hash is used instead, and the order's number on the network as its
 * output.
 */
const unexplained = ({ check, balance, spent }: Reading, head: BlockHeader): Entry[] => {
  const missing = balance + spent - eth(check.known)
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
 * Returns the amounts that had left addresses by a final block: known arrivals by then, less the balances. Only a final block
 * is reliable: otherwise a sweep that a reorganisation reverts would become a deposit.
 */
const spentBy = async (
  readings: readonly Reading[],
  final: BlockHeader,
  balances: Balances,
  signal?: AbortSignal,
): Promise<Reading[]> => {
  const held = await balances(
    readings.map(({ check }) => check.address),
    final,
    signal,
  )
  return readings.map((reading, index) => {
    const left = eth(reading.check.knownFinal) - (held[index] ?? 0n)
    return { ...reading, spent: left > reading.spent ? left : reading.spent }
  })
}

/** Reads again, at a final block, the addresses that hold less than they should. */
const withSpent = async (
  { log, network }: BlockContext,
  source: BlockSource & Readonly<{ balances: Balances }>,
  readings: readonly Reading[],
  finalNumber: number,
  signal?: AbortSignal,
): Promise<readonly Reading[]> => {
  const short = readings.filter(({ check, balance, spent }) => eth(check.known) > balance + spent)
  if (short.length === 0 || finalNumber < 0) return readings
  try {
    const final = await source.next(finalNumber - 1, signal)
    if (final?.number !== finalNumber) return readings
    const spent = await spentBy(short, final, source.balances, signal)
    const byOrder = new Map(spent.map((reading) => [reading.check.orderId, reading]))
    return readings.map((reading) => byOrder.get(reading.check.orderId) ?? reading)
  } catch (error) {
    if (!(error instanceof RailError)) throw error
    log.warn(
      { event: 'chain.final_balances_unread', network, error },
      'Endpoints return no balances for a final block; they are read again with the next one',
    )
    return readings
  }
}

/**
 * Takes in what contracts sent (decisions §20, §52), once every block up to the head was read: the balances of orders are
 * read in turn, and what their deposits do not explain is a deposit. Those of ended orders are read less often.
 * @param head the last block that was read
 */
export const processBalances = async (
  context: BlockContext,
  source: BlockSource,
  head: BlockHeader,
  signal?: AbortSignal,
): Promise<void> => {
  const { balances } = source
  if (balances === undefined) return
  const { db, network, holder } = context
  const final = head.number - FINALITY_DEPTHS[network] + 1
  const due = await listBalanceChecks(db, { head: head.number, final, limit: MOST_CHECKS })
  if (due.length === 0) return
  const held = await balances(
    due.map(({ address }) => address),
    head,
    signal,
  )
  const readings = await withSpent(
    context,
    { ...source, balances },
    due.map((check, index) => ({ check, balance: held[index] ?? 0n, spent: eth(check.spent) })),
    final,
    signal,
  )
  await db.transaction(async (tx) => {
    const position = await lockPosition(tx, { network, holder })
    // Read by another replica meanwhile, or replaced: the balances are of a block that deposits are not kept for.
    if (position?.hash !== head.hash) return
    await markBalancesChecked(tx, {
      orderIds: readings.map(({ check }) => check.orderId),
      dueNumbers: readings.map(({ check }) => nextReading(check, head)),
      spent: readings.map(({ spent }) => fromUnits(spent, DECIMALS)),
    })
    await settleDeposits(
      tx,
      context,
      readings.flatMap((reading) => unexplained(reading, head)),
    )
  })
}
