import {
  createServiceClient,
  createStatementSigner,
  refuse,
  type Bus,
  type Clock,
  type Logger,
} from '@causeway/chassis'
import {
  PAYOUT_APPROVAL_PURPOSE,
  payoutApprovals,
  payoutTransfers,
  SendPayoutRequest,
  type PayoutApproval,
  type Refusal,
  type TreasuryTransfer,
} from '@causeway/contracts'
import { z } from 'zod'

/** How long the signer may wait with it, for funds, a lower fee or a node: as an approval of a refund. */
const VALID_MS = 72 * 3_600_000

type Options = Readonly<{
  bus: Bus
  clock: Clock
  log: Logger
  timeoutMs: number
  /** APPROVAL_SIGNING_KEY; null: there is no signer. */
  approvalKey: Uint8Array | null
}>

const Params = z.object({ payoutId: z.string() })

type Expected = SendPayoutRequest['expected']

/** A decimal number without zeros that say nothing: numbers that are equal have equal texts. */
const canonical = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.')
  const rest = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`
}

/** The first field in which the ledger's transfer differs from what staff confirmed; null where it is that. */
const differenceOf = (expected: Expected, transfer: TreasuryTransfer): keyof Expected | null => {
  const { network, asset, to_address, amount } = transfer
  if (expected.unit !== `${network}/${asset}`) return 'unit'
  if (expected.address !== to_address) return 'address'
  return canonical(expected.amount) === canonical(amount) ? null : 'amount'
}

/**
 * A request of staff to send a payout, which the ledger has accepted.
 * @param confirmedBy the second person, of a request that waited for one
 */
export type SendRequest = Readonly<{
  requestId: string
  actor: string
  confirmedBy: string | null
  paramsJson: string | undefined
  bodyJson: string | undefined
}>

/**
 * Approves payouts that staff had the signer send (ADR 0089). Access reads the transfer from the ledger itself and signs it
 * only if it is what staff confirmed: neither the gateway, which passes the request on, nor the ledger can choose where money
 * goes, or how much. A repeated call approves the same payout again.
 */
export const createPayoutApproval = ({ approvalKey, ...options }: Options) => {
  const { clock, log } = options
  const sign = approvalKey && createStatementSigner(PAYOUT_APPROVAL_PURPOSE, approvalKey)
  const ask = createServiceClient({ ...options, service: 'access', timeoutFactor: 1 })

  const refuseAndLog = (payoutId: string, code: string) => {
    log.error(
      { event: 'payout.not_approved', payoutId, code },
      'A payout was not approved; the same request again repeats it',
    )
    return refuse('temporarily_unavailable')
  }

  /** @returns why the payout was not approved; null where it was */
  return async ({
    requestId,
    actor,
    confirmedBy,
    ...request
  }: SendRequest): Promise<Refusal<'invalid_state' | 'temporarily_unavailable'> | null> => {
    const { payoutId } = Params.parse(JSON.parse(request.paramsJson ?? '{}'))
    const { expected } = SendPayoutRequest.parse(JSON.parse(request.bodyJson ?? '{}'))
    if (sign === null) return refuseAndLog(payoutId, 'no_signing_key')
    const found = await ask(payoutTransfers.get, { payout_id: payoutId })
    if (!found.ok) return refuseAndLog(payoutId, found.code)
    const { transfer } = found.value
    const difference = differenceOf(expected, transfer)
    if (difference !== null) {
      log.error(
        { event: 'payout.not_as_requested', payoutId, requestId, field: difference },
        'The ledger has another payout than staff asked for; it is not approved',
      )
      return refuse('invalid_state', [{ reason: 'not_as_expected', field: difference }])
    }
    const now = clock.now()
    const { network, asset } = transfer
    const approval: PayoutApproval = {
      ...{ payout_id: payoutId, network, asset, to_address: expected.address },
      amount: canonical(expected.amount),
      ...{ approved_by: actor, confirmed_by: confirmedBy, approved_at: now.toISOString() },
      expires_at: new Date(now.getTime() + VALID_MS).toISOString(),
    }
    const statement = JSON.stringify(approval)
    const approved = await ask(payoutApprovals.create, { statement, signature: sign(statement) })
    return approved.ok ? null : refuseAndLog(payoutId, approved.code)
  }
}

export type ApprovePayout = ReturnType<typeof createPayoutApproval>
