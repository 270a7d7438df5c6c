import { createStatementSigner, loadSettings, newId, verifyingKeyOf } from '@causeway/chassis'
import { eventually, openTestService } from '@causeway/chassis/testing'
import {
  ASSETS,
  PAYOUT_APPROVAL_PURPOSE,
  payoutApprovals,
  REFUND_APPROVAL_PURPOSE,
  refundApprovals,
  signerPayouts,
  signerRefunds,
  treasury,
  type Caller,
  type PayoutApproval,
  type RefundApproval,
} from '@causeway/contracts'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { TRANSFER_SETTINGS } from '@causeway/rails/transfers'
import type { z } from 'zod'
import type { AssetAmounts, Limits } from '../src/limits/limits.ts'
import type { SignerConfig } from '../src/config.ts'
import { openNetworks, type SigningNetworks } from '../src/networks.ts'
import { startSigner } from '../src/service.ts'

export type PayoutBody = z.input<(typeof signerPayouts.create)['body']>
export type RefundBody = z.input<(typeof signerRefunds.create)['body']>

/** The words whose keys everybody knows (BIP-39 test vectors). */
export const TEST_SEED = `${'abandon '.repeat(11)}about`
export const DEPTH = 3
/** The gateway's signing key, of which the signer has the other half. */
const SIGNING_KEY = Buffer.alloc(32, 7)
const VALID_MS = 3_600_000
const signStatement = createStatementSigner(REFUND_APPROVAL_PURPOSE, SIGNING_KEY)

/** The same limit for each asset. */
export const limitOf = (amount: string): AssetAmounts =>
  Object.fromEntries(ASSETS.map((asset) => [asset, amount])) as AssetAmounts
const UNLIMITED: Limits = {
  perTransfer: limitOf('1000000'),
  perDay: limitOf('1000000'),
  perAddressAndDay: limitOf('1000000'),
}
/** Blocks after which a transfer is replaced. */
const REPLACE_AFTER = { BTC: 3, LTC: 3, ETH: 3, SOL: 0, XRP: 0 }
const POLL_MS = 100
const PAYMENTS: Caller = { kind: 'service', service: 'payments' }
const LEDGER: Caller = { kind: 'service', service: 'ledger' }
const ACCESS: Caller = { kind: 'service', service: 'access' }
const signPayout = createStatementSigner(PAYOUT_APPROVAL_PURPOSE, SIGNING_KEY)

/** A request that its order's address, `address-<n>` on the fake chain, can pay. */
let orders = 0
export const newRefund = (change: Partial<RefundBody> = {}): RefundBody => {
  const index = (orders += 1)
  return {
    refund_id: newId('refund'),
    order_id: newId('cryptoOrder'),
    network: 'ETH',
    asset: 'ETH',
    key_index: index,
    address: `address-${index}`,
    to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    amount: '0.5',
    coins: [],
    ...change,
  }
}

/** A request of the ledger to pay from the treasury. */
export const newPayout = (change: Partial<PayoutBody> = {}): PayoutBody => ({
  payout_id: newId('payout'),
  ...{ network: 'ETH', asset: 'ETH', amount: '0.5' },
  to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ...change,
})

/** The signer on its own database, on networks that the test brings or those of its settings. */
export const startForTests = async (networks: SigningNetworks | null, change: Partial<SignerConfig> = {}) => {
  const service = await openTestService('signer')
  const { clock, ask } = service
  const config: SignerConfig = {
    ...service.config,
    seed: TEST_SEED,
    nodes: loadSettings({ ...NODE_SETTINGS, ...TRANSFER_SETTINGS }, {}),
    chainUrl: undefined,
    confirmations: { ...CONFIRMATION_DEPTHS, ETH: DEPTH, LTC: DEPTH, BTC: DEPTH },
    pollEveryMs: POLL_MS,
    approvalKeys: [verifyingKeyOf(SIGNING_KEY)],
    limits: UNLIMITED,
    payoutLimits: { 'ETH/ETH': '1000000', 'ETH/USDC': '1000000' },
    replacements: { afterBlocks: REPLACE_AFTER, max: 2, feeMaxPercent: 10 },
    sweepAddresses: {},
    sweepEveryMs: null,
    ...change,
  }
  const open: typeof openNetworks = networks === null ? openNetworks : () => Promise.resolve(networks)
  await service.addReplica(startSigner(config, open))
  /** Makes staff's approval of a request, with the changes that a test names. */
  const approvalOf = (body: RefundBody, other: Partial<RefundApproval> = {}): RefundApproval => ({
    refund_id: body.refund_id,
    order_id: body.order_id,
    unattributed_money_id: body.unattributed_money_id ?? null,
    network: body.network,
    asset: body.asset,
    from_address: body.address,
    to_address: body.to_address,
    amount: body.amount,
    approved_by: 'staff',
    confirmed_by: null,
    approved_at: clock.now().toISOString(),
    expires_at: new Date(clock.nowMs() + VALID_MS).toISOString(),
    ...other,
  })
  const sendApproval = (statement: string, signature: string) =>
    ask(refundApprovals.create, { kind: 'operator', actor: 'staff' }, { body: { statement, signature } })
  const approve = (body: RefundBody, other: Partial<RefundApproval> = {}) => {
    const statement = JSON.stringify(approvalOf(body, other))
    return sendApproval(statement, signStatement(statement))
  }
  /** Makes staff's approval of a payout, with the changes that a test names. */
  const payoutApprovalOf = (body: PayoutBody, other: Partial<PayoutApproval> = {}): PayoutApproval => ({
    ...{ payout_id: body.payout_id, network: body.network, asset: body.asset, to_address: body.to_address },
    amount: body.amount,
    ...{ approved_by: 'staff', confirmed_by: null, approved_at: clock.now().toISOString() },
    expires_at: new Date(clock.nowMs() + VALID_MS).toISOString(),
    ...other,
  })
  const sendPayoutApproval = (statement: string, signature: string) =>
    ask(payoutApprovals.create, ACCESS, { body: { statement, signature } })
  const approvePayout = (body: PayoutBody, other: Partial<PayoutApproval> = {}) => {
    const statement = JSON.stringify(payoutApprovalOf(body, other))
    return sendPayoutApproval(statement, signPayout(statement))
  }
  const payout = (body: PayoutBody) => ask(signerPayouts.create, LEDGER, { body })
  const refund = (body: RefundBody) => ask(signerRefunds.create, PAYMENTS, { body })
  return {
    ...service,
    config,
    approvalOf,
    approve,
    sendApproval,
    refund,
    payoutApprovalOf,
    sendPayoutApproval,
    signPayout,
    approvePayout,
    /** The ledger asks for a payout. */
    payout,
    cancelPayout: (body: PayoutBody) => ask(signerPayouts.cancel, LEDGER, { body }),
    checkPayout: ({ payout_id: _none, ...body }: PayoutBody) => ask(signerPayouts.check, LEDGER, { body }),
    listTreasury: () => ask(treasury.list, { kind: 'operator', actor: 'staff' }),
    /** Waits until asking for the same payout again answers with this status. */
    payoutBecomes: (body: PayoutBody, status: string) =>
      eventually(async () => {
        const answer = await payout(body)
        if (answer.ok && answer.value.payout.status === status) return answer.value.payout
        throw new Error(`Not ${status}: ${JSON.stringify(answer)}`)
      }),
    estimate: ({ refund_id: _none, ...body }: RefundBody) => ask(signerRefunds.estimate, PAYMENTS, { body }),
    /** Staff approve of a refund, and payments asks for it. */
    request: async (body: RefundBody) => {
      await approve(body)
      return refund(body)
    },
    /** Waits until asking for the same refund again answers with this status. */
    becomes: (body: RefundBody, status: string) =>
      eventually(async () => {
        const answer = await refund(body)
        if (answer.ok && answer.value.refund.status === status) return answer.value.refund
        throw new Error(`Not ${status}: ${JSON.stringify(answer)}`)
      }),
  }
}
export type RunningSigner = Awaited<ReturnType<typeof startForTests>>
