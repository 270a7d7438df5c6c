import { z } from 'zod'
import { post } from '../http/methods.ts'
import { customerParams } from '../onboarding/customers.ts'
import { operation, resource } from '../operation.ts'
import { idOf, MAX_AMOUNT_CENTS, text } from '../primitives.ts'
import { CustomerPayout } from './payouts.ts'
import { LedgerUnit } from './units.ts'

const MAX_REFERENCE_LENGTH = 140

/** Decimals beyond those of the asset are refused by the ledger. */
const Decimals = z.string().regex(/^\d{1,12}(\.\d{1,18})?$/)
const expected = 'amount_cents for a currency, amount for an asset'
const isAsset = ({ unit }: Readonly<{ unit: string }>): boolean => unit.includes('/')

const body = z
  .strictObject({
    unit: LedgerUnit,
    amount_cents: z
      .number()
      .int()
      .min(1)
      .max(MAX_AMOUNT_CENTS)
      .optional()
      .meta({ description: 'Amount of a currency, in its minor unit' }),
    amount: Decimals.optional().meta({ description: 'Amount of an asset: its decimal number as text' }),
    payout_wallet_id: idOf('payoutWallet'),
    reference: text(MAX_REFERENCE_LENGTH)
      .optional()
      .meta({ description: 'Text for the receiver, in the letters that banks carry' }),
  })
  .refine((given) => isAsset(given) || given.amount_cents !== undefined, {
    path: ['amount_cents'],
    params: { reason: 'required' },
  })
  .refine((given) => !isAsset(given) || given.amount !== undefined, {
    path: ['amount'],
    params: { reason: 'required' },
  })
  .refine((given) => !isAsset(given) || given.amount_cents === undefined, {
    path: ['amount_cents'],
    params: { reason: 'invalid_value', expected },
  })
  .refine((given) => isAsset(given) || given.amount === undefined, {
    path: ['amount'],
    params: { reason: 'invalid_value', expected },
  })
  .refine(({ amount }) => amount === undefined || /[1-9]/.test(amount), {
    path: ['amount'],
    params: { reason: 'invalid_value', expected: 'an amount above 0' },
  })
export type WithdrawalRequest = z.output<typeof body>

/** `ledger.withdrawals`: payouts that a partner asks for (decisions §50). */
export const withdrawals = resource('ledger.withdrawals', {
  create: operation({
    operationId: 'createWithdrawal',
    audited: true,
    http: post('/customers/:customerId/withdrawals', { scopes: ['payouts:write'], status: 201 }),
    tag: 'Balances',
    summary: 'Pay out a stated amount of a customer’s available balance',
    description:
      'It pays the oldest entries, the last one in part, to a destination that is `active`. State `amount_cents` for a currency, `amount` for an asset. The amount arrives in full: a payout fee of the price plan is taken in addition. Both never exceed what is available. It needs the capability `withdrawals`, granted and available.',
    idempotent: true,
    params: customerParams,
    body,
    reply: z.object({ payout: CustomerPayout }),
    refusals: [
      'resource_not_found',
      'capability_not_enabled',
      'capability_unavailable',
      'invalid_request',
      'invalid_state',
      'amount_exceeds_available',
      'idempotency_key_reuse',
      'temporarily_unavailable',
    ],
  }),
})
