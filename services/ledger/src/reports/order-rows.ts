import type { EntryKind } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import type { LineRow } from '../seals/store.ts'
import type { Row } from './columns.ts'

const SUMS = ['received', 'fees', 'refunded', 'disputed'] as const
type Sum = (typeof SUMS)[number]

/** The sum that each kind of an order's entries belongs to. Others move what was earned, and change no sum. */
const SUM_OF: Partial<Record<EntryKind, Sum>> = {
  payment: 'received',
  deposit: 'received',
  deposit_reverted: 'received',
  service_fee: 'fees',
  partner_fee: 'fees',
  split: 'fees',
  network_fee: 'fees',
  fee_returned: 'fees',
  refund: 'refunded',
  dispute: 'disputed',
  dispute_fee: 'disputed',
  dispute_reversed: 'disputed',
}

type Order = Record<Sum, bigint> & { line: LineRow; firstAt: Date; lastAt: Date }

const rowOf = ({ line, firstAt, lastAt, ...sums }: Order): Row => {
  const net = SUMS.reduce((sum, name) => sum + sums[name], 0n)
  return [
    line.ownerId,
    line.unit,
    line.orderKey,
    line.orderId,
    ...[...SUMS.map((name) => sums[name]), net].map((amount) => presentAmount(line.unit, amount)),
    firstAt.toISOString(),
    lastAt.toISOString(),
  ]
}

/** Sums up what was recorded for each order. */
export const createOrderSums = () => {
  const orders = new Map<string, Order>()
  const add = (line: LineRow): void => {
    const name = SUM_OF[line.kind]
    const id = line.orderKey ?? line.orderId
    if (name === undefined || id === null) return
    const key = `${line.ownerId} ${line.unit} ${id}`
    const known = orders.get(key) ?? {
      ...{ received: 0n, fees: 0n, refunded: 0n, disputed: 0n },
      ...{ line, firstAt: line.recordedAt, lastAt: line.recordedAt },
    }
    known[name] += BigInt(line.amount)
    if (line.recordedAt < known.firstAt) known.firstAt = line.recordedAt
    if (line.recordedAt > known.lastAt) known.lastAt = line.recordedAt
    orders.set(key, known)
  }
  return {
    add: (lines: readonly LineRow[]) => lines.forEach(add),
    /** By relationship, unit and order. */
    rows: (): Row[] => [...orders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, order]) => rowOf(order)),
  }
}
