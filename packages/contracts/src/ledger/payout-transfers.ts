import { z } from 'zod'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, text } from '../primitives.ts'
import { TreasuryTransfer } from '../signer/payouts.ts'
import { Payout } from './payouts.ts'
import { LedgerUnit } from './units.ts'

const MAX_ADDRESS_LENGTH = 128
const payoutParams = z.object({ payoutId: idOf('payout') })

/** The values that staff saw and confirm. Access signs these values, not those that the ledger has (ADR 0089). */
export const SendPayoutRequest = z.strictObject({
  expected: z.strictObject({
    unit: LedgerUnit,
    amount: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,18})?$/)
      .meta({ description: '`amount` of the payout' }),
    address: text(MAX_ADDRESS_LENGTH).meta({ description: '`address` of the payout: compare all of it' }),
  }),
})
export type SendPayoutRequest = z.infer<typeof SendPayoutRequest>

/** `ledger.payout-transfers`: payouts of crypto that the signer sends (decisions §50). */
export const payoutTransfers = resource('ledger.payout-transfers', {
  send: operation({
    operationId: 'sendPayout',
    http: post('/payouts/:payoutId/send', { approvesPayout: true }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    repeatable: true,
    summary: 'Have the signer send a payout of crypto',
    description:
      'State in `expected` what you saw and compared: the signer sends this amount to this address, or nothing. On BTC, LTC and ETH the network fee is taken from the amount. The payout becomes `sent` when the network has the transfer, and `settled` once it is confirmed. Repeat the call if it was not answered: a payout is sent once.',
    caller: 'operator',
    params: payoutParams,
    body: SendPayoutRequest,
    reply: z.object({ payout: Payout }),
    refusals: [
      'invalid_request',
      'resource_not_found',
      'invalid_state',
      'limit_reached',
      'temporarily_unavailable',
    ],
    /** It waits for the signer. */
    waitsMs: 4_000,
  }),
  get: operation({
    summary: 'Get the transfer of a payout that staff asked to send',
    caller: 'service',
    services: ['access'],
    body: z.object({ payout_id: idOf('payout') }),
    reply: z.object({ transfer: TreasuryTransfer }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
