import {
  fingerprintOf,
  implement,
  newId,
  refuse,
  reply,
  withIdempotency,
  type Db,
  type Implementation,
  type OperationRequest,
  type ServiceClient,
  type Transaction,
} from '@causeway/chassis'
import { withdrawals, type WithdrawalRequest } from '@causeway/contracts'
import { parseTransferText } from '@causeway/rails/bank'
import { insert } from '../payouts/announced-store.ts'
import { readPayoutFees } from '../payouts/fees.ts'
import { payOut } from '../payouts/pay-out.ts'
import { presentCustomerPayout } from '../payouts/present.ts'
import { emitPayout } from '../payouts/steps.ts'
import { readSummary } from '../payouts/summary.ts'
import { partsOfAmount, presentAmount } from '../posting/amounts.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { lockDestination, type DestinationRow } from './store.ts'

const invalid = (field: string, expected: string) =>
  refuse('invalid_request', [{ field, reason: 'invalid_value', expected }])

/** The amount in the unit's smallest part; null for more decimals than the asset has. */
const amountOf = ({ unit, amount_cents, amount }: WithdrawalRequest): bigint | null => {
  try {
    return partsOfAmount(unit, amount ?? amount_cents ?? '')
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const statusOf = ({ status, deletedAt }: DestinationRow): string => (deletedAt === null ? status : 'deleted')

/**
 * Pays out in the transaction of its idempotency key. The row of the destination is locked first: a deletion waits for the
 * payout, or the payout sees it. The books then read the balance under the lock of the journal's end.
 */
export const withdraw = async (
  tx: Transaction,
  { payoutId, fee }: Readonly<{ payoutId: string; fee: bigint }>,
  {
    caller,
    params,
    body,
    now,
  }: Pick<OperationRequest<typeof withdrawals.create>, 'caller' | 'params' | 'body' | 'now'>,
) => {
  const { unit, payout_wallet_id: payoutWalletId, reference = null } = body
  const amount = amountOf(body)
  if (amount === null) return invalid('amount', 'no more decimals than the asset has')
  const ownerId = params.customerId
  const destination = await lockDestination(tx, {
    partnerId: caller.partnerId,
    partnerCustomerId: ownerId,
    payoutWalletId,
  })
  if (destination === null) return refuse('resource_not_found')
  if (destination.unit !== unit) return invalid('unit', destination.unit)
  const status = statusOf(destination)
  if (status !== 'active') return refuse('invalid_state', [{ payout_wallet_status: status }])
  const { paid, available } = await payOut(tx, { payoutId, ownerId, unit, amount, fee }, now)
  if (paid === null)
    return refuse('amount_exceeds_available', [
      {
        available: presentAmount(unit, available),
        ...(fee > 0n && { payout_fee: presentAmount(unit, fee) }),
      },
    ])
  const row = await insert(tx, {
    ...{ payoutId, merchantId: destination.merchantId, ownerId, amount: String(amount), unit },
    ...{ payoutWalletId, reference, scheduledFor: now, createdAt: now, runId: null, schedule: null },
  })
  if (row === null) throw new Error(`${payoutId} exists`)
  await emitPayout(tx, 'payout.upcoming', row, now)
  return reply({ payout: presentCustomerPayout(row, await readSummary(tx, row)) })
}

type Dependencies = Readonly<{ db: Db; ask: ServiceClient; relationships: Relationships }>

/** `ledger.withdrawals` (decisions §50). */
export const withdrawalOperations = ({ db, ask, relationships }: Dependencies): Implementation[] =>
  implement(withdrawals, {
    async create(request) {
      const { caller, params, body, idempotencyKey: key, requestId, now } = request
      const { partnerId } = caller
      const customer = { partnerId, partnerCustomerId: params.customerId }
      const refusal = await relationships.refuseUnavailable(customer, 'withdrawals')
      if (refusal) return refusal
      if (body.reference !== undefined && parseTransferText(body.reference) === null)
        return invalid('reference', "Latin letters, digits, spaces and / - ? : ( ) . , ' +, accents aside")
      const use = {
        ...{ partnerId, operation: withdrawals.create.subject, key: key ?? '', requestId, now },
        fingerprint: fingerprintOf(params, body),
      }
      const balance = { ownerId: params.customerId, unit: body.unit }
      const feeOf = await readPayoutFees(ask, [balance])
      return withIdempotency(db, use, (tx) =>
        withdraw(tx, { payoutId: newId('payout'), fee: feeOf(balance) }, request),
      )
    },
  })
