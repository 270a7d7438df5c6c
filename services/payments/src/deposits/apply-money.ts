import {
  newIdAt,
  refuse,
  reply,
  withBefore,
  type OperationRequest,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import { Asset, type unattributedMoney } from '@causeway/contracts'
import type { KeptDeposit, MoneyPart } from '../crypto-orders/deposits-store.ts'
import { orderEvent } from '../crypto-orders/events.ts'
import type { OrderLinks } from '../crypto-orders/order.ts'
import { presentMoney, type MoneyRow } from '../unattributed-money/domain.ts'
import { judgeEnd } from '../unattributed-money/ends.ts'
import { endMoney, findMoney, lockMoney } from '../unattributed-money/store.ts'
import { keyOf } from './deposit-page.ts'
import { withDeposit, type Account } from './fold.ts'
import { recordSplits } from './record-splits.ts'
import { openAccounts } from './settle-deposits.ts'
import { lockOrder, updateSettledOrders } from './store.ts'

type Request = OperationRequest<(typeof unattributedMoney)['apply']>

/** The deposit of an amount, with the amount as applied; of unknown money the order has no deposit yet. */
const appliedDeposit = ({ order, deposits }: Account, row: MoneyRow, now: Date): KeptDeposit | null => {
  const { id, kind, unit, amount, network, txId, outputIndex, blockNumber } = row
  if (network === null || txId === null || outputIndex === null) return null
  const applied: MoneyPart = { id, kind, unit, amount, status: 'ended', endedBy: 'applied' }
  const known = deposits.get(keyOf({ network, txId, outputIndex }))
  if (known !== undefined)
    return { ...known, money: [...known.money.filter((part) => part.id !== id), applied] }
  const asset = Asset.safeParse(unit.slice(network.length + 1)).data
  if (kind !== 'unknown' || asset === undefined) return null
  const place = { network, txId, outputIndex, blockNumber, blockHash: row.blockHash, confirmations: 1 }
  return { ...place, orderId: order.id, asset, amount, countedAt: now, split: null, money: [applied] }
}

const APPLICABLE: readonly string[] = ['pending', 'underpaid', 'paid', 'expired', 'cancelled']

/** Applies an amount to the order that is locked: the order becomes paid, where it was not, with its event. */
const apply = async (
  tx: Transaction,
  { log }: Pick<ServiceContext, 'log'>,
  {
    before,
    deposit,
    now,
    links,
  }: Readonly<{ before: Account; deposit: KeptDeposit; now: Date; links: OrderLinks }>,
) => {
  const account = withDeposit(before, deposit)
  const { partnerSees, ...order } = { ...account.order, status: 'paid' as const }
  if (before.order.status !== 'paid' || before.order.received !== order.received)
    await updateSettledOrders(tx, [order], now)
  if (before.order.status !== 'paid')
    tx.emit(
      orderEvent({
        eventId: newIdAt('event', now.getTime()),
        type: 'payment.confirmed',
        order,
        deposit,
        partnerSees,
        now,
        links,
      }),
    )
  const settled = { ...account, order: { ...order, partnerSees } }
  await recordSplits(tx, log, [settled], new Map([[order.id, before]]), now)
}

/**
 * Applies unattributed money of a deposit to its order, with the merchant's consent: the order becomes paid, whatever it
 * lacks, and what is beyond the amount due stays with the merchant (decisions §52).
 */
export const applyDepositMoney =
  ({ db, log }: Pick<ServiceContext, 'db' | 'log'>, { links }: Readonly<{ links: OrderLinks }>) =>
  ({ params: { unattributedMoneyId: id }, body, caller, now }: Request) =>
    db.transaction(async (tx) => {
      const known = await findMoney(tx, { id })
      if (known === null) return refuse('resource_not_found')
      const { order_id: named = null, merchant_consent: reason } = body
      const orderId = known.orderId ?? named
      if (known.processor !== null) return refuse('invalid_state', [{ kind: known.kind, to: 'applied' }])
      if (orderId === null) return refuse('invalid_request', [{ field: 'order_id', reason: 'required' }])
      const found = named === null || named === orderId ? await lockOrder(tx, { orderId }) : null
      const wrongOrder = refuse('invalid_request', [
        { field: 'order_id', reason: 'invalid_value', expected: 'an order that this amount can pay' },
      ])
      if (found === null || found.network !== known.network) return wrongOrder
      const judged = judgeEnd(await lockMoney(tx, { id }), 'applied')
      if (!judged.ok) return judged
      const { row, isRepeat } = judged.value
      if (isRepeat) return reply({ unattributed_money: presentMoney(row) })
      if (!APPLICABLE.includes(found.status))
        return refuse('invalid_state', [{ from: found.status, to: 'paid' }])
      const before = (await openAccounts(tx, [found])).get(found.id)
      const deposit = before && appliedDeposit(before, row, now)
      if (!before || !deposit) return wrongOrder
      const end = { id, endedBy: 'applied', actor: caller.actor, reason, txId: null, orderId, now }
      await endMoney(tx, end)
      await apply(tx, { log }, { before, deposit, now, links })
      const ended = await findMoney(tx, { id })
      return withBefore(reply({ unattributed_money: presentMoney(ended ?? row) }), presentMoney(row))
    })
