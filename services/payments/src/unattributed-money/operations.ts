import {
  createCursors,
  implement,
  keysetList,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  type Handlers,
  type Implementation,
  type OperationRequest,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import { unattributedMoney, type CryptoRefund } from '@causeway/contracts'
import { presentMoney, type MoneyRow } from './domain.ts'
import { judgeEnd } from './ends.ts'
import { endMoney, findMoney, listMoney, listMoneyOfKind, lockMoney, lockOrderOfMoney } from './store.ts'

type Members = Parameters<typeof implement<typeof unattributedMoney>>[1]
/** Money of deposits is applied where deposits are settled, that of card payments where those are. */
type Apply = Readonly<{ deposit: Members['apply']; card: Members['apply'] }>
type Ending = Pick<OperationRequest<(typeof unattributedMoney)['keep']>, 'params' | 'caller' | 'now'>

/** `payments.unattributed-money`: money that counts for no order (decisions §52). */
export const unattributedMoneyOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  {
    apply,
    onDecided,
    refunds,
    readRefund,
  }: Readonly<{
    apply: Apply
    /** In the transaction that ends money of a crypto order; null of any other. */
    onDecided: (tx: Transaction, orderId: string | null, now: Date) => Promise<void>
    /** The refund by the signer that takes an amount, or took it. */
    readRefund: (unattributedMoneyId: string) => Promise<CryptoRefund | null>
    refunds: Pick<Handlers<typeof unattributedMoney>, 'refund' | 'getRefundPlan'>
  }>,
): Implementation[] => {
  const cursors = createCursors(vault)
  const end = (
    { params, caller, now }: Ending,
    as: Readonly<{ endedBy: 'kept' | 'handled'; reason: string; txId: string | null }>,
  ) =>
    db.transaction(async (tx) => {
      const id = params.unattributedMoneyId
      await lockOrderOfMoney(tx, { id })
      const judged = judgeEnd(await lockMoney(tx, { id }), as.endedBy)
      if (!judged.ok) return judged
      const { row, isRepeat } = judged.value
      if (isRepeat) return reply({ unattributed_money: presentMoney(row) })
      await endMoney(tx, { id, ...as, actor: caller.actor, orderId: null, now })
      await onDecided(tx, row.network === null ? null : row.orderId, now)
      const { endedBy, reason, txId } = as
      const ended: MoneyRow = { ...row, status: 'ended', endedBy, endedAt: now, reason, endedTxId: txId }
      return withBefore(reply({ unattributed_money: presentMoney(ended) }), presentMoney(row))
    })
  return implement(unattributedMoney, {
    async list({ query: { status, kind, cursor, limit } }) {
      const list = keysetList(cursors, {
        name: `unattributed-money:${status}:${kind ?? ''}`,
        order: OLDEST_FIRST,
      })
      const from = list.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const page = { status, afterAt: from.at, afterId: from.id, limit }
      const { items, nextCursor } = list.page({
        rows: kind === undefined ? await listMoney(db, page) : await listMoneyOfKind(db, { ...page, kind }),
        limit,
        present: presentMoney,
        positionOf: (row) => ({ at: row.receivedAt, id: row.id }),
        continuesWhenFull: true,
      })
      return reply({ unattributed_money: items, next_cursor: nextCursor })
    },

    async get({ params: { unattributedMoneyId } }) {
      const row = await findMoney(db, { id: unattributedMoneyId })
      if (row === null) return refuse('resource_not_found')
      const refund = await readRefund(unattributedMoneyId)
      return reply({ unattributed_money: presentMoney(row), ...(refund !== null && { refund }) })
    },

    async apply(request) {
      const row = await findMoney(db, { id: request.params.unattributedMoneyId })
      return row?.processor == null ? apply.deposit(request) : apply.card(request)
    },

    keep: (request) => end(request, { endedBy: 'kept', reason: request.body.reason, txId: null }),

    handled: (request) =>
      end(request, { endedBy: 'handled', reason: request.body.reason, txId: request.body.tx_id ?? null }),

    ...refunds,
  })
}
