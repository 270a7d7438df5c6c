import { createStatementSigner, loadSettings, newId, verifyingKeyOf } from '@causeway/chassis'
import { eventually, openTestService } from '@causeway/chassis/testing'
import {
  ASSETS,
  REFUND_APPROVAL_PURPOSE,
  refundApprovals,
  signerRefunds,
  type Caller,
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
const POLL_MS = 100
const PAYMENTS: Caller = { kind: 'service', service: 'payments' }

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
  const refund = (body: RefundBody) => ask(signerRefunds.create, PAYMENTS, { body })
  return {
    ...service,
    config,
    approvalOf,
    approve,
    sendApproval,
    refund,
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
