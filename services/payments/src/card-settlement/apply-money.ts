import { refuse, reply, withBefore, type OperationRequest, type ServiceContext } from '@causeway/chassis'
import type { unattributedMoney } from '@causeway/contracts'
import { isOpen } from '../fiat-orders/domain.ts'
import { openPayer } from '../payers/sealed-payers.ts'
import { presentMoney, type MoneyRow } from '../unattributed-money/domain.ts'
import { judgeEnd } from '../unattributed-money/ends.ts'
import { endMoney, findMoney, lockMoney } from '../unattributed-money/store.ts'
import { lockByProcessorOrder, type SettledOrder } from './store.ts'
import { settleAccepted, type Settlement } from './transitions.ts'
import type { createSettlementWriter, LockedOrder } from './write.ts'

type Request = OperationRequest<(typeof unattributedMoney)['apply']>
type Dependencies = Pick<ServiceContext, 'db' | 'vault'> &
  Readonly<{ write: ReturnType<typeof createSettlementWriter> }>

/** Returns the order as the accepted payment settles it; null if the order does not become paid. */
const settle = (
  order: SettledOrder | null,
  { unit, amount }: MoneyRow,
  now: Date,
): Readonly<{ locked: LockedOrder; settled: Settlement }> | null => {
  if (order === null || !isOpen(order)) return null
  const settled = settleAccepted(order, { currency: unit, amountCents: Number(amount) }, now)
  return settled && { locked: order, settled }
}

/**
 * Applies money of a card payment, with the merchant's consent (decisions §52): a payment that completed after its order
 * had ended makes it paid if the amount is sufficient; the merchant keeps a surplus.
 */
export const applyCardMoney =
  ({ db, vault, write }: Dependencies) =>
  ({ params: { unattributedMoneyId: id }, body, caller, now }: Request) =>
    db.transaction(async (tx) => {
      const known = await findMoney(tx, { id })
      if (known === null) return refuse('resource_not_found')
      if (body.order_id !== undefined)
        return refuse('invalid_request', [
          {
            field: 'order_id',
            reason: 'invalid_value',
            expected: 'no value: the money already belongs to an order',
          },
        ])
      const { processor, processorOrderId } = known
      if (processor === null || processorOrderId === null)
        throw new Error(`Unattributed money ${id} does not come from a card payment`)
      const order = await lockByProcessorOrder(tx, { processor, processorOrderId })
      const judged = judgeEnd(await lockMoney(tx, { id }), 'applied')
      if (!judged.ok) return judged
      const { row, isRepeat } = judged.value
      if (isRepeat) return reply({ unattributed_money: presentMoney(row) })
      const accepted = row.kind === 'excess' ? null : settle(order, row, now)
      if (row.kind !== 'excess' && accepted === null)
        return refuse('invalid_state', [
          { from: order?.status ?? null, to: 'paid', kind: row.kind, total_cents: order?.totalCents ?? null },
        ])
      const end = { id, endedBy: 'applied', actor: caller.actor, txId: null, orderId: null, now }
      await endMoney(tx, { ...end, reason: body.merchant_consent })
      if (accepted !== null) {
        const { locked, settled } = accepted
        await write(tx, locked, settled, openPayer(vault, locked.id, locked.payerSealed))
      }
      const ended = await findMoney(tx, { id })
      return withBefore(reply({ unattributed_money: presentMoney(ended ?? row) }), presentMoney(row))
    })
