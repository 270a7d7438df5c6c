import { z } from 'zod'
import { RelationshipState } from '../onboarding/relationships.ts'
import { DisputeThresholdStatus } from '../payments/chargebacks.ts'
import { DepositMove } from '../payments/deposit-moves.ts'
import { IntegrationState } from '../payments/integrations.ts'
import { LatePayment } from '../payments/late-payments.ts'
import { CountedRefund } from '../payments/refundable-orders.ts'

/** A fact that other services project. Never delivered outside. */
export const Fact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('relationship'), relationship: RelationshipState }),
  z.object({ kind: z.literal('integration'), integration: IntegrationState }),
  z.object({ kind: z.literal('late_payment'), late_payment: LatePayment }),
  z.object({ kind: z.literal('deposit_move'), deposit_move: DepositMove }),
  z.object({ kind: z.literal('refund'), refund: CountedRefund }),
  // Stored events have these two names: they cannot be changed.
  z.object({ kind: z.literal('dispute_standing'), standing: DisputeThresholdStatus }),
])
export type Fact = z.infer<typeof Fact>
