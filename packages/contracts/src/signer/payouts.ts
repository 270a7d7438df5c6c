import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { CryptoRefundStatus } from '../payments/crypto-refunds.ts'
import { Asset, Network } from '../payments/networks.ts'
import { DecimalString, idOf } from '../primitives.ts'

/** A payout as the signer has it. */
export const SignerPayout = z.object({
  payout_id: idOf('payout'),
  status: CryptoRefundStatus,
  /** Null until it is signed. It may change until the payout is confirmed (ADR 0087). */
  tx_id: z.string().nullable(),
  /** Amount that arrives, a decimal; null until it is signed. */
  arrives: DecimalString.nullable(),
  /** Why it failed, or what it waits for. */
  reason: z.string().nullable(),
})
export type SignerPayout = z.infer<typeof SignerPayout>

/** A transfer from the treasury. */
export const TreasuryTransfer = z.object({
  network: Network,
  asset: Asset,
  to_address: z.string().max(128),
  /** Amount that leaves the treasury, including the network fee if it is paid in the asset. */
  amount: z.string().regex(/^\d{1,30}(\.\d{1,18})?$/),
})
export type TreasuryTransfer = z.infer<typeof TreasuryTransfer>

const ofLedger = { caller: 'service', services: ['ledger'] } as const

/** `signer.payouts`: the ledger asks the signer to send approved payouts of crypto, and how far they are. */
export const signerPayouts = resource('signer.payouts', {
  check: operation({
    summary: 'Say whether a payout could be sent, apart from its approval and the balance of the treasury',
    ...ofLedger,
    body: TreasuryTransfer,
    reply: z.object({}),
    refusals: ['invalid_request', 'invalid_state', 'limit_reached'],
  }),
  create: operation({
    summary: 'Send an approved payout; a repeated call returns its progress',
    ...ofLedger,
    body: TreasuryTransfer.extend({ payout_id: idOf('payout') }),
    reply: z.object({ payout: SignerPayout }),
    refusals: ['invalid_request', 'invalid_state', 'limit_reached'],
  }),
  cancel: operation({
    summary: 'Rule out that a payout is ever sent; refused once it is signed',
    ...ofLedger,
    body: TreasuryTransfer.extend({ payout_id: idOf('payout') }),
    reply: z.object({}),
    refusals: ['invalid_state'],
  }),
})
