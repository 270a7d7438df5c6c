import { refuse, type Db, type OperationRequest } from '@causeway/chassis'
import { idOf, type fiatOrders } from '@causeway/contracts'
import type { Relationships } from '../relationships/relationships.ts'
import { listNotActive } from '../relationships/store.ts'
import type { FiatOrderRecord } from './domain.ts'
import type { FiatAmounts } from './service-fee.ts'
import { faultOfShares } from './shares.ts'

type CreateRequest = Pick<OperationRequest<(typeof fiatOrders)['create']>, 'caller' | 'params' | 'body'>

/** Returns the shares that a request asks for, as they are stored. */
export const requestedShares = ({
  body: { partner_fee_cents: partnerFeeCents = 0, splits = [] },
}: CreateRequest): Pick<FiatOrderRecord, 'partnerFeeCents' | 'splits'> => ({
  partnerFeeCents,
  splits: splits.map(({ reference = null, ...split }) => ({ ...split, reference })),
})

const RelationshipId = idOf('relationship')
const fieldOf = (place: number): string => `splits.${place}.partner_customer_id`

/** Refuses a split for the order's own customer, which has what the shares leave. */
export const refuseOwnShare = ({ params: { customerId }, body: { splits = [] } }: CreateRequest) => {
  const place = splits.findIndex(({ partner_customer_id: receiver }) => receiver === customerId)
  return place === -1
    ? null
    : refuse('invalid_request', [
        {
          field: fieldOf(place),
          reason: 'invalid_value',
          expected: 'another customer than that of the order',
        },
      ])
}

/**
 * Refuses splits with a receiver that is no active relationship of the caller. The projection may lag, so onboarding is
 * asked before a refusal, which names the first unknown receiver.
 */
export const refuseReceivers = async (
  { db, relationships }: Readonly<{ db: Db; relationships: Relationships }>,
  { caller: { partnerId }, body: { splits = [] } }: CreateRequest,
) => {
  if (splits.length === 0) return null
  const receivers = splits.map(({ partner_customer_id: receiver }) => receiver)
  for (const { id } of await listNotActive(db, { partnerId, partnerCustomerIds: receivers })) {
    const isWellFormed = RelationshipId.safeParse(id).success
    const known = isWellFormed ? await relationships.refresh(partnerId, id, 'payments.fiat_card') : null
    if (known?.status !== 'active')
      return refuse('resource_not_found', [{ field: fieldOf(receivers.indexOf(id)) }])
  }
  return null
}

/** Refuses a partner fee above the plan's maximum, and shares above the merchant's amount. */
export const refuseShares = (
  request: CreateRequest,
  { amountCents }: FiatAmounts,
  partnerFeeMaxPercent: number,
) => {
  const of = { priceCents: request.body.amount_cents, amountCents, maxPercent: partnerFeeMaxPercent }
  const fault = faultOfShares(requestedShares(request), of)
  return fault && refuse('invalid_request', [fault])
}
