import {
  implement,
  refuse,
  reply,
  withBefore,
  type Db,
  type Implementation,
  type ServiceClient,
} from '@causeway/chassis'
import {
  payoutTransfers,
  signerPayouts,
  type ErrorCode,
  type ErrorDetail,
  type Refusal,
  type SendPayoutRequest,
} from '@causeway/contracts'
import type { PayoutRow } from '../payouts/announced-store.ts'
import { presentPayout } from '../payouts/present.ts'
import { differenceOf, transferOf } from './transfer.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; ask: ServiceClient }>

const refuseState = ({ status, transferStatus }: PayoutRow, to = 'sent') =>
  refuse('invalid_state', [
    { from: status, to, ...(transferStatus !== null && { transfer: transferStatus }) },
  ])

/** Why the payout is not what staff saw; null where it is. */
const refuseDifference = (
  transfer: NonNullable<ReturnType<typeof transferOf>>,
  { expected }: SendPayoutRequest,
) => {
  try {
    const field = differenceOf(transfer, expected)
    return field && refuse('invalid_state', [{ reason: 'not_as_expected', field }])
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse('invalid_request', [
      {
        field: 'expected.amount',
        reason: 'invalid_value',
        expected: 'no more decimals than the asset has',
      },
    ])
  }
}

/** The answer to staff where the signer could never send a payout, or cannot be asked. */
const refusalOf = ({ code, details }: Readonly<{ code: ErrorCode; details?: readonly ErrorDetail[] }>) => {
  if (code === 'limit_reached') return refuse(code, details)
  const isFinal = code === 'invalid_request' || code === 'invalid_state'
  return isFinal ? refuse('invalid_state', details) : refuse('temporarily_unavailable')
}

/** `ledger.payout-transfers` (decisions §50, ADR 0089). */
export const payoutTransferOperations = ({ db, ask }: Dependencies): Implementation[] =>
  implement(payoutTransfers, {
    /** The signer says first whether it could send it, so that nothing is requested where it never can be. */
    async send({ params: { payoutId }, body, now }) {
      const row = await store.getSendable(db.pooled, { payoutId })
      if (row === null) return refuse('resource_not_found')
      const transfer = transferOf(row)
      if (transfer === null) return refuse('invalid_state', [{ reason: 'no_address' }])
      const { status, transferStatus, walletStatus } = row
      if (status !== 'upcoming' || transferStatus === 'failed') return refuseState(row)
      if (walletStatus === 'refused') return refuse('invalid_state', [{ payout_wallet_status: walletStatus }])
      const refusal = refuseDifference(transfer, body)
      if (refusal !== null) return refusal
      const before = { status, transfer: transferStatus }
      if (transferStatus !== null) return withBefore(reply({ payout: presentPayout(row) }), before)
      const checked = await ask(signerPayouts.check, transfer)
      if (!checked.ok) return refusalOf(checked)
      const requested = await store.request(db, { payoutId, now })
      if (requested === null) return refuse('temporarily_unavailable')
      return withBefore(reply({ payout: presentPayout(requested) }), before)
    },

    async get({ body: { payout_id: payoutId } }) {
      const row = await store.getSendable(db.pooled, { payoutId })
      if (row === null) return refuse('resource_not_found')
      const transfer = transferOf(row)
      if (transfer === null || row.status !== 'upcoming' || row.transferStatus !== 'requested')
        return refuseState(row)
      return reply({ transfer })
    },
  })

/**
 * Rules out that the signer sends a payout, before it is cancelled.
 * @returns why it cannot be ruled out; null where it is, or the signer never had it
 */
export const createRuleOut =
  ({ db, ask }: Dependencies) =>
  async (payoutId: string): Promise<Refusal<'invalid_state' | 'temporarily_unavailable'> | null> => {
    const row = await store.getSendable(db.pooled, { payoutId })
    const transfer = row && transferOf(row)
    if (row === null || transfer === null || row.transferStatus !== 'requested') return null
    const answer = await ask(signerPayouts.cancel, { ...transfer, payout_id: payoutId })
    if (answer.ok) {
      await store.setProgress(db, { payoutId, status: 'failed', problem: 'cancelled', dueAt: null })
      return null
    }
    return answer.code === 'invalid_state' ? refuseState(row, 'cancelled') : refuse('temporarily_unavailable')
  }
