import type { Db, Outcome, ServiceContext, Transaction } from '@causeway/chassis'
import type { Refusal, SignerRefund } from '@causeway/contracts'
import { z } from 'zod'
import type { Signer } from '../clients/signer.ts'
import type { OrderLinks } from '../crypto-orders/order.ts'
import { restateReceived } from '../deposits/restate-received.ts'
import { emitRefundFact } from './ledger-facts.ts'
import { completeOrder } from './order-refund.ts'
import { endRefundedMoney } from '../unattributed-money/store.ts'
import { ASK_AGAIN_MS } from './refunding.ts'
import { endMoney, reopenMoney } from './refunded-money-store.ts'
import { RefundCoin, type SignedRefund } from './signed-refund.ts'
import { listCountedDeposits, updateRefund } from './signed-refund-store.ts'

export type SignerOptions = Readonly<{ signer: Signer; links: OrderLinks }>

/** Checks whether the response leaves the outcome unknown: the request is then retried later. */
const isOutage = (answer: Outcome<{ refund: SignerRefund }>): boolean =>
  !answer.ok && (answer.code === 'temporarily_unavailable' || answer.code === 'internal_error')

/** How long a refund waits for the gateway's approval: the same request of staff again makes it. */
const APPROVAL_WAIT_MS = 15 * 60_000

/** The deposits that a refund is paid from, named where the network has unspent outputs. */
const coinsOf = async (db: Db, { network, coins, orderId }: SignedRefund): Promise<readonly RefundCoin[]> => {
  if (network !== 'BTC' && network !== 'LTC') return []
  if (coins !== null) return z.array(RefundCoin).parse(JSON.parse(coins))
  return orderId === null ? [] : listCountedDeposits(db, { orderId })
}

const ask = async (db: Db, signer: Signer, refund: SignedRefund) => {
  if (refund.keyIndex === null) throw new Error(`The address of refund ${refund.id} has no key`)
  return signer.refund({
    refund_id: refund.id,
    order_id: refund.orderId,
    unattributed_money_id: refund.unattributedMoneyId,
    network: refund.network,
    asset: refund.asset,
    key_index: refund.keyIndex,
    address: refund.fromAddress,
    to_address: refund.toAddress,
    amount: refund.amount,
    coins: (await coinsOf(db, refund)).map(({ txId, outputIndex }) => ({
      tx_id: txId,
      output_index: outputIndex,
    })),
  })
}

/** Why a refund failed, as staff see it. */
const failureOf = ({ code, details }: Refusal): string => {
  const reason = details?.[0]?.['reason']
  return code === 'not_refundable' && typeof reason === 'string' ? reason : code
}

/** The chain has confirmed it: what it sent back is ended, and an order that was paid back whole is `refunded`. */
const complete = async (tx: Transaction, refund: SignedRefund, links: OrderLinks, now: Date) => {
  const { id: refundId, orderId, txId, coins, createdAt: until } = refund
  if (refund.unattributedMoneyId === null && orderId !== null)
    await completeOrder(tx, { ...refund, orderId }, links, now)
  await endMoney(tx, { refundId, txId, now })
  // Older versions reserved nothing: all that was late by then was sent back.
  if (coins === null && orderId !== null) await endRefundedMoney(tx, { orderId, until, txId, now })
  await emitRefundFact(tx, refund, now)
}

/** Records what the signer said of a refund. */
const createRecording =
  ({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>, links: OrderLinks) =>
  (refund: SignedRefund, said: Omit<SignerRefund, 'refund_id'>): Promise<void> =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const { status, amount: sentAmount, network_fee: networkFee, tx_id: txId, failure } = said
      const isOver = status === 'confirmed' || status === 'failed'
      const updated = await updateRefund(tx, {
        id: refund.id,
        status,
        sentAmount,
        networkFee,
        txId,
        failure,
        now,
        dueAt: isOver ? null : new Date(now.getTime() + ASK_AGAIN_MS),
      })
      // Null: another replica has recorded its end.
      if (updated === null) return
      if (status === 'failed') await reopenMoney(tx, { refundId: refund.id, now })
      if (status === 'confirmed') await complete(tx, updated, links, now)
      if (isOver) await restateReceived(tx, updated.orderId, now)
    })

/**
 * Asks the signer for a refund, or how far it is, and records the answer. The refund was recorded before, no transaction
 * is held meanwhile, and the signer answers the same refund with its state: it may be asked any number of times.
 */
export const createSignerAsking = (
  context: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  { signer, links }: SignerOptions,
) => {
  const { db, log, clock } = context
  const record = createRecording(context, links)

  /** Checks whether the gateway may still report its approval. */
  const mayBeApproved = (refund: SignedRefund, refusal: Refusal) =>
    failureOf(refusal) === 'not_approved' && clock.nowMs() < refund.createdAt.getTime() + APPROVAL_WAIT_MS

  return async (refund: SignedRefund): Promise<void> => {
    const answer = await ask(db, signer, refund)
    if (answer.ok) {
      await record(refund, answer.value.refund)
      return
    }
    if (isOutage(answer))
      log.warn(
        { event: 'crypto_refund.signer_unavailable', refundId: refund.id, code: answer.code },
        'The signer cannot be called for a refund at present',
      )
    if (isOutage(answer)) return
    const known = { amount: refund.sentAmount, network_fee: refund.networkFee, tx_id: refund.txId }
    if (mayBeApproved(refund, answer))
      return record(refund, { ...known, status: refund.status, failure: null })
    await record(refund, { ...known, status: 'failed', failure: failureOf(answer) })
    log.warn(
      {
        event: 'crypto_refund.refused',
        refundId: refund.id,
        orderId: refund.orderId,
        code: answer.code,
        details: answer.details,
      },
      'The signer refused a refund',
    )
  }
}
export type AskSigner = ReturnType<typeof createSignerAsking>
