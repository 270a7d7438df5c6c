import { implement, refuse, reply, type Implementation, type KeylessServiceContext } from '@causeway/chassis'
import { signerPayouts, type Network, type Refusal, type SignerPayout } from '@causeway/contracts'
import { TREASURY_NUMBER, type SignedTransfer } from '@causeway/rails/transfers'
import type { SigningNetworks } from '../networks.ts'
import {
  judgePayoutApprovals,
  type OpenPayoutApproval,
  type PayoutRequest,
} from '../payout-approvals/approvals.ts'
import { readApprovals } from '../record/approvals.ts'
import { appendRecord } from '../record/store.ts'
import { judgeRecipient } from '../refunds/policy.ts'
import { findTransfer } from '../transfers/store.ts'
import { isPayout, type TransferRecord } from '../transfers/transfer.ts'
import { treasuryAddressOf } from '../treasury/treasury.ts'
import { judgeAlone, type PayoutLimits } from '../payout-limits/limit.ts'
import { judgeAmount, judgeRepeat } from './policy.ts'
import * as store from './store.ts'

type Context = Pick<KeylessServiceContext, 'db' | 'log'>
type Options = Readonly<{
  networks: SigningNetworks
  payoutLimits: PayoutLimits
  openPayoutApproval: OpenPayoutApproval
  sweepAddresses: Readonly<Partial<Record<Network, string>>>
  onRequested: () => void
}>
type Refused = Refusal<'invalid_request' | 'invalid_state' | 'limit_reached'>

type Body = Readonly<{
  payout_id?: string
  network: PayoutRequest['network']
  asset: PayoutRequest['asset']
  to_address: string
  amount: string
}>
const toRequest = ({ payout_id = '', network, asset, to_address, amount }: Body): PayoutRequest => ({
  ...{ id: payout_id, network, asset, amount },
  toAddress: to_address,
})

const present = ({ id, status, failure, signed }: TransferRecord): SignerPayout => {
  const sent = signed === null ? null : (JSON.parse(signed) as SignedTransfer)
  return {
    ...{ payout_id: id, status, reason: failure },
    tx_id: sent?.txId ?? null,
    arrives: sent?.amount ?? null,
  }
}

/** Why a payout can never be sent, even if it is approved; or null. */
const judge = (
  { networks, payoutLimits, sweepAddresses }: Options,
  request: PayoutRequest,
): Refused | null => {
  const transfers = networks.get(request.network)
  const address = transfers === undefined ? null : treasuryAddressOf(transfers)
  if (transfers === undefined || address === null)
    return refuse('invalid_state', [{ reason: 'unsupported', network: request.network }])
  return (
    judgeAmount(request) ??
    judgeRecipient(request, [address, sweepAddresses[request.network], transfers.gasAddress]) ??
    judgeAlone(request, payoutLimits)
  )
}

const recorded = ({ network, asset, toAddress, amount }: PayoutRequest) => ({
  ...{ network, asset, amount },
  to_address: toAddress,
})

const createRequests = ({ db, log }: Context) => {
  const refuseAndRecord = async (request: PayoutRequest, refusal: Refused, now: Date): Promise<Refused> => {
    log.warn(
      { event: 'signer.payout_refused', payoutId: request.id, code: refusal.code },
      'A payout was refused by the policy',
    )
    const { code, details } = refusal
    await appendRecord(db, { kind: 'refused', subject: request.id, now, ...recorded(request), code, details })
    return refusal
  }

  /** The same payout again; null when the id is new. */
  const repeat = async (request: PayoutRequest, now: Date) => {
    const first = await findTransfer(db, { id: request.id })
    if (first === null) return null
    const refusal = isPayout(first) ? judgeRepeat(request, first) : refuse('invalid_state')
    return refusal === null ? reply({ payout: present(first) }) : refuseAndRecord(request, refusal, now)
  }

  /** Stores a request. The protected record has each payout requested once, whatever becomes of the row. */
  const insert = (request: PayoutRequest, now: Date): Promise<boolean> =>
    db.transaction(async (tx) => {
      const row = { ...request, keyIndex: TREASURY_NUMBER, status: 'requested', failure: null, now }
      if ((await store.insertPayout(tx, { ...row, dueAt: now })) === null) return false
      await appendRecord(tx, { kind: 'requested', subject: request.id, now, ...recorded(request) })
      return true
    })

  /** Ends a payout that is not signed, known or not, so that it is never sent. */
  const ruleOut = (request: PayoutRequest, now: Date) =>
    db.transaction(async (tx) => {
      const row = { ...request, keyIndex: TREASURY_NUMBER, status: 'failed', failure: 'cancelled', now }
      const isNew = (await store.insertPayout(tx, { ...row, dueAt: null })) !== null
      if (isNew) await appendRecord(tx, { kind: 'requested', subject: request.id, now, ...recorded(request) })
      else if ((await store.ruleOut(tx, { id: request.id, now })) === null) return false
      await appendRecord(tx, { kind: 'failed', subject: request.id, now, failure: 'cancelled' })
      return true
    })
  return { refuseAndRecord, repeat, insert, ruleOut }
}

/** `signer.payouts` (decisions §50, ADR 0089). */
export const signerPayoutOperations = (context: Context, options: Options): Implementation[] => {
  const { db, log } = context
  const { openPayoutApproval, onRequested } = options
  const { refuseAndRecord, repeat, insert, ruleOut } = createRequests(context)
  return implement(signerPayouts, {
    check: ({ body }) => Promise.resolve(judge(options, toRequest(body)) ?? reply({})),

    async create({ body, now }) {
      const request = toRequest(body)
      const known = await repeat(request, now)
      if (known !== null) return known
      const refused = judge(options, request)
      if (refused !== null) return refuseAndRecord(request, refused, now)
      const approvals = await readApprovals(db, openPayoutApproval, request.id)
      const missing = judgePayoutApprovals(approvals, request, now)
      if (missing !== null) {
        const refusal = refuse('invalid_state', [missing])
        // The ledger asks every few seconds until access has said so: the record keeps what differs from an approval.
        if (approvals.length > 0) return refuseAndRecord(request, refusal, now)
        log.info({ event: 'signer.not_approved', payoutId: request.id }, 'A payout is not approved')
        return refusal
      }
      if (await insert(request, now)) onRequested()
      const stored = await repeat(request, now)
      if (stored === null) throw new Error(`Payout ${request.id} was inserted but cannot be found`)
      return stored
    },

    async cancel({ body, now }) {
      const request = toRequest(body)
      if (await ruleOut(request, now)) return reply({})
      const known = await findTransfer(db, { id: request.id })
      if (known?.status === 'failed' && known.signed === null) return reply({})
      return refuse('invalid_state', [{ transfer: known?.status ?? null }])
    },
  })
}
