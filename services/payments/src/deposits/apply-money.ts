import {
  newIdAt,
  refuse,
  reply,
  withBefore,
  type Db,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import type { unattributedMoney } from '@causeway/contracts'
import type { KeptDeposit, MoneyPart } from '../crypto-orders/deposits-store.ts'
import { orderEvent } from '../crypto-orders/events.ts'
import type { LockedOrder } from '../crypto-orders/store.ts'
import { presentMoney, type MoneyRow } from '../unattributed-money/domain.ts'
import { judgeEnd } from '../unattributed-money/ends.ts'
import { endMoney, findMoney, lockMoney } from '../unattributed-money/store.ts'
import { keyOf } from './deposit-page.ts'
import { withDeposit, type Account } from './fold.ts'
import { recordSplits } from './record-splits.ts'
import { openAccounts, settleEntries, type SettlementContext } from './settle-deposits.ts'
import { lockOrder, updateSettledOrders } from './store.ts'
import { attachStray, lockStrays } from './stray-store.ts'

type Context = SettlementContext & Readonly<{ db: Db }>
type Request = OperationRequest<(typeof unattributedMoney)['apply']>

/** Returns the key of the deposit that an amount belongs to; null for money of a card payment. */
const placeOf = ({ network, txId, outputIndex }: MoneyRow) =>
  network === null || txId === null || outputIndex === null ? null : { network, txId, outputIndex }

/** Returns the deposit of an amount, with that amount as applied. */
const appliedDeposit = ({ deposits }: Account, row: MoneyRow): KeptDeposit | null => {
  const place = placeOf(row)
  const known = place === null ? undefined : deposits.get(keyOf(place))
  if (known === undefined) return null
  const { id, kind, unit, amount } = row
  const applied: MoneyPart = { id, kind, unit, amount, status: 'ended', endedBy: 'applied' }
  return { ...known, money: [...known.money.filter((part) => part.id !== id), applied] }
}

const APPLICABLE: readonly string[] = ['pending', 'underpaid', 'paid', 'expired', 'cancelled']

/** Applies an amount of the locked order's own deposit. An order that was not paid becomes paid, with its event. */
const accept = async (
  tx: Transaction,
  { log, links }: Context,
  { before, deposit, now }: Readonly<{ before: Account; deposit: KeptDeposit; now: Date }>,
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

/** Attributes unknown money to the locked order: it becomes an ordinary deposit of that order. */
const attribute = async (
  tx: Transaction,
  context: Context,
  order: LockedOrder,
  place: NonNullable<ReturnType<typeof placeOf>>,
) => {
  if ((await attachStray(tx, { ...place, orderId: order.id })) === null)
    throw new Error(`Unknown money ${keyOf(place)} is open, but its deposit is not waiting for an order`)
  const account = (await openAccounts(tx, [order])).get(order.id)
  const deposit = account?.deposits.get(keyOf(place))
  if (account === undefined || deposit === undefined)
    throw new Error(`Deposit ${keyOf(place)} does not exist`)
  // The deposit reached the required depth when it arrived; the setting may have grown since.
  const confirmations = Math.max(deposit.confirmations, context.confirmations[place.network])
  const entry = { ...deposit, address: order.watchAddress, confirmations }
  await settleEntries(
    tx,
    context,
    [entry],
    new Map([[order.id, withDeposit(account, { ...deposit, countedAt: null })]]),
  )
}

const wrongOrder = refuse('invalid_request', [
  { field: 'order_id', reason: 'invalid_value', expected: 'an order that this amount can pay' },
])

/** Checks whether an amount can be applied to this order: a deposit of the order, or unknown money of its network and asset. */
const fits = (order: LockedOrder, { kind, unit, orderId, network }: MoneyRow): boolean =>
  kind === 'unknown' && orderId === null
    ? unit === `${order.network}/${order.asset}`
    : order.network === network

/**
 * Applies unattributed money of a deposit to its order, with the merchant's consent: the order becomes paid even if the
 * money is less than the amount due, and the merchant keeps a surplus. Unknown money becomes an ordinary deposit of the
 * order that the request names (decisions §52).
 */
export const applyDepositMoney =
  (context: Context) =>
  ({ params: { unattributedMoneyId: id }, body, caller, now }: Request) =>
    context.db.transaction(async (tx) => {
      const known = await findMoney(tx, { id })
      if (known === null) return refuse('resource_not_found')
      const { order_id: named = null, merchant_consent: reason } = body
      const orderId = known.orderId ?? named
      if (orderId === null) return refuse('invalid_request', [{ field: 'order_id', reason: 'required' }])
      const place = placeOf(known)
      if (place !== null && known.kind === 'unknown') await lockStrays(tx, [place])
      const found = named === null || named === orderId ? await lockOrder(tx, { orderId }) : null
      if (found === null || place === null || !fits(found, known)) return wrongOrder
      const judged = judgeEnd(await lockMoney(tx, { id }), 'applied')
      if (!judged.ok) return judged
      const { row, isRepeat } = judged.value
      if (isRepeat)
        return row.orderId === orderId ? reply({ unattributed_money: presentMoney(row) }) : wrongOrder
      if (!APPLICABLE.includes(found.status))
        return refuse('invalid_state', [{ from: found.status, to: 'paid' }])
      const before = (await openAccounts(tx, [found])).get(found.id)
      const deposit = before && appliedDeposit(before, row)
      if (row.kind !== 'unknown' && (!before || !deposit)) return wrongOrder
      const end = { id, endedBy: 'applied', actor: caller.actor, reason, txId: null, orderId, now }
      await endMoney(tx, end)
      if (before && deposit) await accept(tx, context, { before, deposit, now })
      else await attribute(tx, context, found, place)
      const ended = await findMoney(tx, { id })
      return withBefore(reply({ unattributed_money: presentMoney(ended ?? row) }), presentMoney(row))
    })
