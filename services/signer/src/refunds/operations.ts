import {
  implement,
  refuse,
  reply,
  type Db,
  type Implementation,
  type KeylessServiceContext,
  type OperationRequest,
} from '@causeway/chassis'
import { signerRefunds, type Refusal, type SignerRefund } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { TransferError, type SignedTransfer, type Transfers } from '@causeway/rails/transfers'
import type { SignerConfig } from '../config.ts'
import type { Limits } from '../limits/limits.ts'
import { checkLimits } from '../limits/spending.ts'
import type { SigningNetworks } from '../networks.ts'
import { appendRecord } from '../record/store.ts'
import type { OpenApproval } from '../refund-approvals/approvals.ts'
import { readApprovals } from '../record/approvals.ts'
import { findTransfer, insertRefund } from '../transfers/store.ts'
import { coinsOf, isRefund, PASSING, type TransferRecord } from '../transfers/transfer.ts'
import { treasuryAddressOf } from '../treasury/treasury.ts'
import { judgeApproved, judgeRecipient, judgeRepeat, judgeSource, type RefundRequest } from './policy.ts'

/** Nodes have this long to answer for an estimate; payments and staff wait for it. */
const ESTIMATE_MS = 5_000

type Create = OperationRequest<(typeof signerRefunds)['create']>
type Refused = Refusal<(typeof signerRefunds)['create']['refusals'][number]>

const toRequest = (
  body: Omit<Create['body'], 'refund_id'> & Readonly<{ refund_id?: string }>,
): RefundRequest => ({
  id: body.refund_id ?? '',
  network: body.network,
  asset: body.asset,
  toAddress: body.to_address,
  orderId: body.order_id,
  unattributedMoneyId: body.unattributed_money_id ?? null,
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

/** The code for a reason for which nothing is signed. */
const refusalFor = (reason: string | null): Refused => {
  const details = [{ reason }]
  if (reason === 'insufficient_funds') return refuse('amount_exceeds_remaining', details)
  if (reason === 'below_dust') return refuse('nothing_to_refund', details)
  if (reason === 'limit_reached') return refuse('limit_reached', details)
  return refuse('not_refundable', details)
}

/** A transfer that was not signed is answered with why; of one that was, the chain said why it failed. */
const answer = (transfer: TransferRecord) =>
  transfer.status === 'failed' && transfer.signed === null
    ? refusalFor(transfer.failure)
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
      network: request.network,
      asset: request.asset,
      from_address: request.address,
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
        unattributed_money_id: request.unattributedMoneyId,
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

type Options = Readonly<{
  networks: SigningNetworks
  limits: Limits
  openApproval: OpenApproval
  sweepAddresses: SignerConfig['sweepAddresses']
  onRequested: () => void
}>

/** Why nothing of this can be paid, by what needs no approval; or the network that pays it. */
const judge = async (
  db: Db,
  { networks, limits, sweepAddresses }: Options,
  request: RefundRequest,
  now: Date,
): Promise<Readonly<{ refusal: Refused }> | Readonly<{ refusal: null; transfers: Transfers }>> => {
  const transfers = networks.get(request.network)
  if (transfers === undefined)
    return { refusal: refuse('not_refundable', [{ reason: 'network_without_node' }]) }
  if (!transfers.canSend) return { refusal: refuse('not_refundable', [{ reason: 'unsupported' }]) }
  const refusal =
    judgeSource(request, transfers.addressOf(request.keyIndex)) ??
    judgeRecipient(request, [
      ...[sweepAddresses[request.network], transfers.gasAddress, treasuryAddressOf(transfers)],
    ]) ??
    (await checkLimits(db, request, limits, now))
  return refusal === null ? { refusal, transfers } : { refusal }
}

const createEstimate =
  ({ db }: Pick<KeylessServiceContext, 'db'>, options: Options) =>
  async ({ body, now }: OperationRequest<(typeof signerRefunds)['estimate']>) => {
    const request = toRequest(body)
    const judged = await judge(db, options, request, now)
    if (judged.refusal !== null) return judged.refusal
    try {
      const estimate = await judged.transfers.estimate(
        {
          fromIndex: request.keyIndex,
          asset: request.asset,
          toAddress: request.toAddress,
          amount: request.amount,
          ...coinsOf(request),
        },
        AbortSignal.timeout(ESTIMATE_MS),
      )
      const { amount, networkFee, feeAsset } = estimate
      return reply({ amount, network_fee: networkFee, fee_asset: feeAsset, waits_for: null })
    } catch (error) {
      if (error instanceof TransferError)
        return PASSING.has(error.refusal)
          ? reply({ amount: null, network_fee: null, fee_asset: null, waits_for: error.refusal })
          : refusalFor(error.refusal)
      if (error instanceof RailError) return refuse('temporarily_unavailable')
      throw error
    }
  }

/** `signer.refunds` (decisions §20). */
export const refundOperations = (
  context: Pick<KeylessServiceContext, 'db' | 'log'>,
  options: Options,
): Implementation[] => {
  const { db, log } = context
  const { openApproval, onRequested } = options
  const { refuseAndRecord, repeat, insert } = createRequests(context)
  return implement(signerRefunds, {
    async create({ body, now }) {
      const request = toRequest(body)
      const known = await repeat(request, now)
      if (known !== null) return known
      const approvals = await readApprovals(db, openApproval, request.id)
      const refusal = judgeApproved(request, approvals, now)
      if (refusal !== null && approvals.length === 0) {
        // Payments asks every two seconds until the gateway has said so: the record keeps what differs from an approval.
        log.info({ event: 'signer.not_approved', refundId: request.id }, 'A refund is not approved')
        return refusal
      }
      const refused = refusal ?? (await judge(db, options, request, now)).refusal
      if (refused !== null) return refuseAndRecord(request, refused, now)
      if (await insert(request, now)) onRequested()
      const stored = await repeat(request, now)
      if (stored === null) throw new Error(`Refund ${request.id} was inserted but cannot be found`)
      return stored
    },
    estimate: createEstimate(context, options),
  })
}
