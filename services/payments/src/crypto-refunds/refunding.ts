import {
  newIdAt,
  refuse,
  reply,
  withBefore,
  type Db,
  type Outcome,
  type Transaction,
} from '@causeway/chassis'
import type { REFUND_REFUSALS, Refusal, RefundPlan, RefundRequest } from '@causeway/contracts'
import type { Estimate, Signer } from '../clients/signer.ts'
import { refuseUsedTransaction, type HandCheck, type HandSent } from './hand-check.ts'
import { refuseRecipient, type OwnAddresses } from './recipients.ts'
import { refuseUnexpected, type RefundSource } from './refund-source.ts'
import { isSameRefund, type SignedRefund } from './signed-refund.ts'
import { findRefundById, insertRefund } from './signed-refund-store.ts'

/** Interval at which the signer is asked for the state of a refund. */
export const ASK_AGAIN_MS = 2_000

type Code = (typeof REFUND_REFUSALS)[number]
type Refused = Refusal<Code>
type Request = Readonly<{ body: RefundRequest; now: Date }>

/** Subject of a refund with its rows locked: its existing refund, or its refundable amount. */
export type Judged<Subject> = Readonly<{ subject: Subject; status: string }> &
  (Readonly<{ known: SignedRefund; source: null }> | Readonly<{ known: null; source: RefundSource }>)

export type RefundingOptions<Subject, Reply> = Readonly<{
  /** Null: staff send everything themselves. */
  signer: Signer | null
  own: OwnAddresses
  /** Checks what staff sent. */
  checkHandSent: HandCheck
  /** Shows staff a refund, and what there was before it. */
  present: (subject: Subject, refund: SignedRefund) => Reply
  presentBefore: (subject: Subject) => unknown
  /** In the transaction that records a refund: keeps what it takes from being sent back twice. */
  onRecorded: (
    tx: Transaction,
    subject: Subject,
    refund: SignedRefund,
    now: Date,
    source: RefundSource,
  ) => Promise<Subject>
}>

/** Codes of the signer that staff are answered with; what else it refuses for is `not_refundable`. */
const PASSED_ON: readonly Refused['code'][] = [
  'not_refundable',
  'nothing_to_refund',
  'amount_exceeds_remaining',
  'limit_reached',
  'temporarily_unavailable',
]

/** Converts the signer's refusal of a refund to the response for staff. */
const answerOf = ({ code, details }: Refusal): Refused => {
  if (code === 'internal_error') return refuse('temporarily_unavailable')
  if (code === 'invalid_request' && details?.[0]?.['field'] === 'to_address')
    return refuse('invalid_request', details)
  return refuse(PASSED_ON.find((each) => each === code) ?? 'not_refundable', details)
}

/** Asks the signer for the cost of a refund. */
export const askEstimate = async (
  signer: Signer,
  source: RefundSource,
  toAddress: string,
): Promise<Readonly<{ ok: true; value: Estimate }> | Refused> => {
  const { keyIndex } = source
  if (keyIndex === null)
    return refuse('not_refundable', [{ reason: 'no_address_of_an_order', expected: 'sent_by_hand' }])
  const answer = await signer.estimate({
    order_id: source.orderId,
    unattributed_money_id: source.unattributedMoneyId,
    network: source.network,
    asset: source.asset,
    key_index: keyIndex,
    address: source.fromAddress,
    to_address: toAddress,
    amount: source.amount,
    coins: source.coins.map(({ txId, outputIndex }) => ({ tx_id: txId, output_index: outputIndex })),
  })
  return answer.ok ? answer : answerOf(answer)
}

type PlanOptions = Readonly<{ own: OwnAddresses; signer: Signer | null }>

const estimatePlan = async (
  signer: Signer | null,
  source: RefundSource,
  toAddress: string | undefined,
): Promise<RefundPlan> => {
  const { network, asset, amount, fromAddress: from_address } = source
  const plan = { network, asset, from_address, amount }
  const unknown = { arrives: null, network_fee: null, fee_asset: null }
  if (signer === null || source.keyIndex === null)
    return { ...plan, ...unknown, sent_by: 'staff', obstacle: null }
  // The fee hardly depends on who receives it: without an address it is estimated as if it came back.
  const estimate = await askEstimate(signer, source, toAddress ?? from_address)
  if (estimate.ok) {
    const { amount: arrives, network_fee, fee_asset, waits_for } = estimate.value
    return { ...plan, arrives, network_fee, fee_asset, sent_by: 'signer', obstacle: waits_for }
  }
  const reason = estimate.details?.[0]?.['reason']
  const obstacle = typeof reason === 'string' ? reason : estimate.code
  return { ...plan, ...unknown, sent_by: 'signer', obstacle }
}

/** Plans a refund; refuses an address to which no refund may be sent. */
export const planRefund = async (
  db: Db,
  { own, signer }: PlanOptions,
  source: RefundSource,
  toAddress: string | undefined,
): Promise<Outcome<{ plan: RefundPlan }, 'invalid_request'>> => {
  const refused = toAddress === undefined ? null : await refuseRecipient(db, own, source.network, toAddress)
  return refused ?? reply({ plan: await estimatePlan(signer, source, toAddress) })
}

const refuseBody = ({ tx_id, sent_amount, sent_by_hand }: RefundRequest, hasSigner: boolean) =>
  hasSigner && (tx_id ?? sent_amount) !== undefined && sent_by_hand !== true
    ? refuse('invalid_request', [
        {
          field: 'sent_by_hand',
          reason: 'required',
          expected: `true with ${tx_id === undefined ? 'sent_amount' : 'tx_id'}`,
        },
      ])
    : null

/** The record of a refund that the signer has not sent yet. */
const NOT_SENT = {
  sent: { txId: null, txBlock: null, sentAmount: null, networkFee: null },
  paid: null,
}

/**
 * Sends money back, or records that staff have. What is sent is judged twice, under locks: before the signer is asked
 * whether it can be, and when it is recorded. A request that repeats an accepted one answers how far it is; any other is
 * refused while the first may still be paid.
 */
export const createRefunding =
  <Subject, Reply, Asked extends Request>(
    db: Db,
    options: RefundingOptions<Subject, Reply>,
    judge: (tx: Transaction, request: Asked) => Promise<Outcome<Judged<Subject>, Code>>,
  ) =>
  async (request: Asked): Promise<Outcome<Reply, Code>> => {
    const { signer, own, checkHandSent, present, presentBefore, onRecorded } = options
    const { body, now } = request
    const byHand = signer === null || body.sent_by_hand === true

    const answerKnown = (subject: Subject, status: string, known: SignedRefund) => {
      if (!isSameRefund(known, body, byHand))
        return refuse('invalid_state', [{ from: status, to: 'refunded', refund_id: known.id }])
      const shown = present(subject, known)
      return withBefore(reply(shown), shown)
    }

    const record = async (tx: Transaction, subject: Subject, source: RefundSource, sent: HandSent) => {
      const id = newIdAt('refund', now.getTime())
      await insertRefund(tx, {
        id,
        orderId: source.orderId,
        unattributedMoneyId: source.unattributedMoneyId,
        network: source.network,
        asset: source.asset,
        keyIndex: source.keyIndex,
        fromAddress: source.fromAddress,
        toAddress: body.to_address,
        amount: source.amount,
        coins: JSON.stringify(source.coins),
        sentByHand: byHand,
        status: byHand ? 'confirmed' : 'requested',
        ...sent,
        now,
        dueAt: byHand ? null : new Date(now.getTime() + ASK_AGAIN_MS),
      })
      const refund = await findRefundById(tx, { id })
      if (refund === null) throw new Error(`Refund ${id} was inserted and cannot be found`)
      const after = await onRecorded(tx, subject, refund, now, source)
      return withBefore(reply(present(after, refund)), presentBefore(subject))
    }

    const fault = refuseBody(body, signer !== null)
    if (fault !== null) return fault
    const first = await db.transaction((tx) => judge(tx, request))
    if (!first.ok) return first
    const { subject, status, known, source } = first.value
    if (known !== null) return answerKnown(subject, status, known)
    const refusal =
      (await refuseRecipient(db, own, source.network, body.to_address)) ?? refuseUnexpected(body, source)
    if (refusal !== null) return refusal
    const ready = byHand
      ? await checkHandSent(source, body)
      : await askEstimate(signer, source, body.to_address)
    if (!ready.ok) return ready
    const checked = 'paid' in ready.value ? ready.value : NOT_SENT
    return db.transaction(async (tx) => {
      const again = await judge(tx, request)
      if (!again.ok) return again
      const judged = again.value
      if (judged.known !== null) return answerKnown(judged.subject, judged.status, judged.known)
      const changed = refuseUnexpected(
        { ...body, expected: { amount: source.amount, from_address: source.fromAddress } },
        judged.source,
      )
      if (changed !== null) return changed
      const used = await refuseUsedTransaction(tx, judged.source, body, checked)
      return used ?? record(tx, judged.subject, judged.source, checked.sent)
    })
  }
