import { newIdAt, type Db, type Outcome, type ServiceContext, type Transaction } from '@causeway/chassis'
import type { Refusal, SignerRefund } from '@causeway/contracts'
import type { Signer } from '../clients/signer.ts'
import { orderEvent } from './events.ts'
import type { OrderLinks } from './order.ts'
import type { SignedRefund } from './signed-refund.ts'
import { findOrderForRefund, listCountedDeposits, updateRefund } from './signed-refund-store.ts'
import { endRefundedMoney } from '../unattributed-money/store.ts'
import { lockOrderForRefund, recordOrderRefund } from './store.ts'

/** When the signer is asked again how far a refund is. */
export const ASK_AGAIN_MS = 2_000

export type SignerOptions = Readonly<{ signer: Signer; links: OrderLinks }>

/** What the signer answered, and the refund as it is now; no refusal is an outage. */
export type Asked = Readonly<{ refund: SignedRefund; refusal: Refusal | null }>

/** Whether the answer leaves the outcome open: the same is asked again later. */
const isOutage = (answer: Outcome<{ refund: SignerRefund }>): boolean =>
  !answer.ok && (answer.code === 'temporarily_unavailable' || answer.code === 'internal_error')

/** What the signer is asked for: the order's address, what it has received, and where that goes. */
const createQuestion = (db: Db, signer: Signer) => {
  return async (refund: SignedRefund) => {
    const order = await findOrderForRefund(db, { orderId: refund.orderId })
    if (order === null) throw new Error(`Refund ${refund.id} is of an order that is not there`)
    const isUtxo = order.network === 'BTC' || order.network === 'LTC'
    const coins = isUtxo ? await listCountedDeposits(db, { orderId: order.id }) : []
    return signer.refund({
      refund_id: refund.id,
      order_id: order.id,
      network: order.network,
      asset: order.asset,
      key_index: order.derivationIndex,
      address: order.watchAddress,
      to_address: refund.toAddress,
      amount: refund.amount,
      coins: coins.map(({ txId, outputIndex }) => ({ tx_id: txId, output_index: outputIndex })),
    })
  }
}

/** The order becomes `refunded` in the transaction that records the confirmation, with its event. */
const completeOrder = async (tx: Transaction, refund: SignedRefund, links: OrderLinks, now: Date) => {
  const found = await lockOrderForRefund(tx, { orderId: refund.orderId })
  if (found === null) throw new Error(`Refund ${refund.id} is of an order that is not there`)
  const { partnerSees, refundAddress: _none, refundedAt: _never, ...order } = found
  await recordOrderRefund(tx, {
    orderId: order.id,
    partnerId: order.partnerId,
    toAddress: refund.toAddress,
    now,
  })
  const { txId, createdAt: until } = refund
  await endRefundedMoney(tx, { orderId: order.id, until, txId, now })
  tx.emit(
    orderEvent({
      eventId: newIdAt('event', now.getTime()),
      type: 'payment.refunded',
      order: { ...order, status: 'refunded' },
      deposit: null,
      partnerSees,
      now,
      links,
    }),
  )
}

/** Records what the signer said of a refund. */
const createRecording =
  ({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>, links: OrderLinks) =>
  (refund: SignedRefund, said: Omit<SignerRefund, 'refund_id'>): Promise<SignedRefund> =>
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
      // Another replica has recorded its end.
      if (updated === null) return refund
      if (status === 'confirmed') await completeOrder(tx, updated, links, now)
      return updated
    })

/**
 * Asks the signer for a refund, or how far it is, and records the answer. The refund was recorded before, no transaction
 * is held meanwhile, and the signer answers the same refund with its state: it may be asked any number of times.
 */
export const createSignerAsking = (
  context: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  { signer, links }: SignerOptions,
) => {
  const { db, log } = context
  const ask = createQuestion(db, signer)
  const record = createRecording(context, links)

  return async (refund: SignedRefund): Promise<Asked> => {
    const answer = await ask(refund)
    if (answer.ok) return { refund: await record(refund, answer.value.refund), refusal: null }
    if (isOutage(answer)) {
      log.warn(
        { event: 'crypto_refund.signer_unavailable', refundId: refund.id, code: answer.code },
        'The signer cannot be asked for a refund now',
      )
      return { refund, refusal: null }
    }
    const failed = await record(refund, {
      status: 'failed',
      amount: refund.sentAmount,
      network_fee: refund.networkFee,
      tx_id: refund.txId,
      failure: answer.code,
    })
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
    return { refund: failed, refusal: answer }
  }
}
export type AskSigner = ReturnType<typeof createSignerAsking>
