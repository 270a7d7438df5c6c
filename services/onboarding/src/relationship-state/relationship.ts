import type { RelationshipState, RelationshipStatus } from '@causeway/contracts'
import { capabilitiesOf, type CapabilityState } from './capabilities.ts'

/** A relationship between a partner and a merchant, with what its capabilities are derived from. */
export type Relationship = CapabilityState &
  Readonly<{
    partnerCustomerId: string
    partnerId: string
    merchantId: string
    status: RelationshipStatus
    /** True once its personal data is erased. */
    isErased: boolean
    /** Commercial choices as approved last; null before the first approval. */
    feeHandling: NonNullable<RelationshipState['fee_handling']> | null
    settlementOption: NonNullable<RelationshipState['settlement_option']> | null
    /** Grows by one with every change that is emitted. */
    version: number
  }>

/** The projection that other services keep. */
export const stateOf = (relationship: Relationship): RelationshipState => ({
  partner_customer_id: relationship.partnerCustomerId,
  partner_id: relationship.partnerId,
  customer_id: relationship.merchantId,
  status: relationship.status,
  capabilities: capabilitiesOf(relationship),
  erased: relationship.isErased,
  fee_handling: relationship.feeHandling,
  settlement_option: relationship.settlementOption,
  version: relationship.version,
})
