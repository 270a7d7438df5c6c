import {
  refuse,
  reply,
  type OperationRequest,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import {
  ASSETS,
  type Asset,
  type CryptoRefund,
  type unattributedMoney,
  type UnattributedMoney,
} from '@causeway/contracts'
import type { Signer } from '../clients/signer.ts'
import { lockOrderForRefund, type RefundableOrder } from '../crypto-orders/store.ts'
import { presentMoney, type MoneyRow } from '../unattributed-money/domain.ts'
import { findMoney } from '../unattributed-money/store.ts'
import { restateReceived } from '../deposits/restate-received.ts'
import { findSkippedNumber } from './own-addresses-store.ts'
import { emitRefundFact } from './ledger-facts.ts'
import type { HandCheck } from './hand-check.ts'
import type { OwnAddresses } from './recipients.ts'
import type { RefundSource } from './refund-source.ts'
import { createRefunding, planRefund, type Judged } from './refunding.ts'
import { endMoney, lockMoney, reserveMoney } from './refunded-money-store.ts'
import { presentRefund, type SignedRefund } from './signed-refund.ts'
import { findRefundOfMoney, findRefundTakingMoney } from './signed-refund-store.ts'

type Request = OperationRequest<(typeof unattributedMoney)['refund']>

const present = (money: UnattributedMoney, refund: SignedRefund) => ({
  unattributed_money: money,
  ...(refund.sentByHand ? { tx_block: refund.txBlock } : { refund: presentRefund(refund) }),
})

const read = async (tx: Transaction, id: string): Promise<UnattributedMoney> => {
  const row = await findMoney(tx, { id })
  if (row === null) throw new Error(`Unattributed money ${id} was deleted within its transaction`)
  return presentMoney(row)
}

/** The asset of a unit such as `ETH/USDC`; null of a currency. */
const assetOf = (unit: string): Asset | null => ASSETS.find((asset) => unit.endsWith(`/${asset}`)) ?? null

/**
 * The address that holds an amount, with its number where the signer has its key: the order's, or one of an order that a
 * restore has lost. Null for a card payment.
 */
const findHolder = async (
  tx: Transaction,
  { network, address }: MoneyRow,
  order: RefundableOrder | null,
): Promise<Pick<RefundSource, 'network' | 'keyIndex' | 'fromAddress'> | null> => {
  if (network === null || address === null) return null
  if (order !== null && order.address === address)
    return { network, keyIndex: order.derivationIndex, fromAddress: order.watchAddress }
  const lost = await findSkippedNumber(tx, { network, address })
  return { network, keyIndex: lost?.number ?? null, fromAddress: address }
}

/** One amount of unattributed money, or its refund. Its order is locked first, as everything that moves its money does. */
const judgeMoney = async (tx: Transaction, { params }: Pick<Request, 'params'>) => {
  const id = params.unattributedMoneyId
  const seen = await findMoney(tx, { id })
  if (seen === null) return refuse('resource_not_found')
  const order = seen.orderId === null ? null : await lockOrderForRefund(tx, { orderId: seen.orderId })
  const money = await lockMoney(tx, { id })
  if (money === null) return refuse('resource_not_found')
  const [subject, { status }] = [await read(tx, id), money]
  const known = await findRefundOfMoney(tx, { unattributedMoneyId: id })
  if (known !== null && known.status !== 'failed') {
    const judged: Judged<UnattributedMoney> = { subject, status, known, source: null }
    return reply(judged)
  }
  if (status !== 'open') return refuse('invalid_state', [{ from: status, to: 'refunding' }])
  const { txId, outputIndex, amount } = money
  const [asset, held] = [assetOf(money.unit), await findHolder(tx, seen, order)]
  if (asset === null || held === null || txId === null || outputIndex === null)
    return refuse('not_refundable', [
      {
        reason: 'card_payment',
        kind: seen.kind,
        expected: 'a refund at the processor, and `handled` with its reference as `tx_id`',
      },
    ])
  const judged: Judged<UnattributedMoney> = {
    subject,
    status,
    known: null,
    source: {
      orderId: order?.id ?? null,
      unattributedMoneyId: id,
      asset,
      ...held,
      amount,
      coins: [{ txId, outputIndex }],
      moneyIds: [id],
    },
  }
  return reply(judged)
}

type Options = Readonly<{ own: OwnAddresses; signer: Signer | null; checkHandSent: HandCheck }>

/** Sends one amount of unattributed money back, or records that staff have (decisions §52). */
export const createMoneyRefund = (
  { db }: Pick<ServiceContext, 'db'>,
  { own, signer, checkHandSent }: Options,
) =>
  createRefunding<UnattributedMoney, ReturnType<typeof present>, Request>(
    db,
    {
      ...{ signer, own, checkHandSent },
      present,
      presentBefore: (money) => ({ unattributed_money: money }),
      async onRecorded(tx, { unattributed_money_id: id }, refund, now) {
        await reserveMoney(tx, { ids: [id], refundId: refund.id })
        if (refund.sentByHand) {
          await endMoney(tx, { refundId: refund.id, txId: refund.txId, now })
          await emitRefundFact(tx, refund, now)
        }
        await restateReceived(tx, refund.orderId, now)
        return read(tx, id)
      },
    },
    judgeMoney,
  )

/** Creates the plan of a refund of unattributed money. */
export const createMoneyRefundPlan =
  ({ db }: Pick<ServiceContext, 'db'>, options: Pick<Options, 'own' | 'signer'>) =>
  async ({ params, query }: OperationRequest<(typeof unattributedMoney)['getRefundPlan']>) => {
    const judged = await db.transaction((tx) => judgeMoney(tx, { params }))
    if (!judged.ok) return judged
    const { source, status, known } = judged.value
    if (source === null)
      return refuse('invalid_state', [{ from: status, to: 'refunding', refund_id: known.id }])
    return planRefund(db, options, source, query.to_address)
  }

/** Reads the signer's refund of an amount; null without one. */
export const createMoneyRefundReading =
  ({ db }: Pick<ServiceContext, 'db'>) =>
  async (unattributedMoneyId: string): Promise<CryptoRefund | null> => {
    const refund = await findRefundTakingMoney(db, { unattributedMoneyId })
    return refund === null || refund.sentByHand ? null : presentRefund(refund)
  }
