import {
  implement,
  refuse,
  reply,
  type Implementation,
  type KeylessServiceContext,
  type OperationRequest,
} from '@causeway/chassis'
import { signerRefunds, type Refusal, type SignerRefund } from '@causeway/contracts'
import type { SignedTransfer } from '@causeway/rails/transfers'
import type { SigningNetworks } from '../networks.ts'
import { appendRecord, findApproved } from '../record/store.ts'
import { findTransfer, insertRefund } from '../transfers/store.ts'
import { isRefund, type TransferRecord } from '../transfers/transfer.ts'
import { judgeRepeat, judgeRequest, type RefundRequest } from './policy.ts'

type Create = OperationRequest<(typeof signerRefunds)['create']>
type Refused = Refusal<(typeof signerRefunds)['create']['refusals'][number]>

const toRequest = ({ body }: Create): RefundRequest => ({
  id: body.refund_id,
  network: body.network,
  asset: body.asset,
  toAddress: body.to_address,
  orderId: body.order_id,
  keyIndex: body.key_index,
  amount: body.amount,
  coins: JSON.stringify(body.coins.map((coin) => ({ txId: coin.tx_id, outputIndex: coin.output_index }))),
  address: body.address,
})

const present = ({ id, status, failure, signed, networkFee }: TransferRecord): SignerRefund => {
  const sent = signed === null ? null : (JSON.parse(signed) as SignedTransfer)
  return {
    refund_id: id,
    status,
    amount: sent?.amount ?? null,
    network_fee: networkFee,
    tx_id: sent?.txId ?? null,
    failure,
  }
}

/** Why nothing was signed, as a refusal; of a transfer that was signed the chain said why, and it is answered. */
const refusalOf = ({ failure }: TransferRecord): Refused => {
  if (failure === 'insufficient_funds') return refuse('amount_exceeds_remaining', [{ reason: failure }])
  if (failure === 'below_dust') return refuse('nothing_to_refund', [{ reason: failure }])
  return refuse('not_refundable', [{ reason: failure }])
}

const answer = (transfer: TransferRecord) =>
  transfer.status === 'failed' && transfer.signed === null
    ? refusalOf(transfer)
    : reply({ refund: present(transfer) })

/** Requests as they are recorded: new, repeated or refused. */
const createRequests = ({ db, log }: Pick<KeylessServiceContext, 'db' | 'log'>) => {
  const refuseAndRecord = async (request: RefundRequest, refusal: Refused, now: Date): Promise<Refused> => {
    log.warn(
      { event: 'signer.refused', refundId: request.id, orderId: request.orderId, code: refusal.code },
      'A refund was refused by the policy',
    )
    await appendRecord(db, {
      kind: 'refused',
      subject: request.id,
      now,
      order_id: request.orderId,
      to_address: request.toAddress,
      amount: request.amount,
      code: refusal.code,
      details: refusal.details,
    })
    return refusal
  }

  /** The same refund again; null when the id is new. */
  const repeat = async (request: RefundRequest, now: Date) => {
    const first = await findTransfer(db, { id: request.id })
    if (first === null || !isRefund(first)) return null
    const refusal = judgeRepeat(request, first)
    return refusal === null ? answer(first) : refuseAndRecord(request, refusal, now)
  }

  const insert = (request: RefundRequest, now: Date): Promise<boolean> =>
    db.transaction(async (tx) => {
      const { address: _address, ...values } = request
      if ((await insertRefund(tx, { ...values, now })) === null) return false
      await appendRecord(tx, {
        kind: 'requested',
        subject: request.id,
        now,
        order_id: request.orderId,
        network: request.network,
        asset: request.asset,
        key_index: request.keyIndex,
        from_address: request.address,
        to_address: request.toAddress,
        amount: request.amount,
      })
      return true
    })
  return { refuseAndRecord, repeat, insert }
}

/** `signer.refunds` (decisions §20). */
export const refundOperations = (
  context: Pick<KeylessServiceContext, 'db' | 'log'>,
  { networks, onRequested }: Readonly<{ networks: SigningNetworks; onRequested: () => void }>,
): Implementation[] => {
  const { db } = context
  const { refuseAndRecord, repeat, insert } = createRequests(context)
  return implement(signerRefunds, {
    async create(call) {
      const { now } = call
      const request = toRequest(call)
      const known = await repeat(request, now)
      if (known !== null) return known
      const transfers = networks.get(request.network)
      if (transfers === undefined)
        return refuseAndRecord(request, refuse('not_refundable', [{ reason: 'network_without_node' }]), now)
      const approval = await findApproved(db, request.orderId)
      const refusal = judgeRequest(request, {
        approvedAddress: approval?.toAddress ?? null,
        ownAddress: transfers.addressOf(request.keyIndex),
      })
      if (refusal !== null) return refuseAndRecord(request, refusal, now)
      if (await insert(request, now)) {
        onRequested()
        const inserted = await findTransfer(db, { id: request.id })
        if (inserted === null) throw new Error(`Refund ${request.id} was inserted and cannot be found`)
        return answer(inserted)
      }
      // Somebody was faster: the same call, or another refund of the order or of its address.
      return (
        (await repeat(request, now)) ??
        refuseAndRecord(request, refuse('nothing_to_refund', [{ reason: 'refunded_before' }]), now)
      )
    },
  })
}
