import {
  implement,
  notAsExpected,
  refuse,
  refuseChanged,
  reply,
  withBefore,
  type Db,
  type Implementation,
} from '@causeway/chassis'
import { capabilities, type CapabilityName } from '@causeway/contracts'
import * as merchantStore from '../merchants/store.ts'
import { capabilitiesOf, capabilityOf, inOrder, withGrant } from '../relationship-state/capabilities.ts'
import { updateMerchant, updateRelationship } from '../relationship-state/changes.ts'
import { getOwnRelationship, lockRelationship } from '../relationship-state/access.ts'

/** Refuses a suspension that replaces another list than its caller has read. */
const refuseUnexpected = (
  expected: readonly CapabilityName[] | undefined,
  suspended: readonly CapabilityName[],
) =>
  expected === undefined || String(inOrder(expected)) === String(inOrder(suspended))
    ? null
    : notAsExpected({ capabilities: suspended })

/** `onboarding.capabilities` (spec: Capabilities; decisions §4 and §14). */
export const capabilityOperations = ({ db }: Readonly<{ db: Db }>): Implementation[] =>
  implement(capabilities, {
    async list({ caller: { partnerId }, params: { customerId: partnerCustomerId } }) {
      const relationship = await getOwnRelationship(db, partnerId, partnerCustomerId)
      return relationship
        ? reply({ capabilities: capabilitiesOf(relationship) })
        : refuse('resource_not_found')
    },

    async grant({ params: { partnerCustomerId, capability }, body, now }) {
      return db.transaction(async (tx) => {
        const relationship = await lockRelationship(tx, partnerCustomerId)
        if (!relationship) return refuse('resource_not_found')
        const before = { capability: capabilityOf(capability, relationship) }
        if (relationship.granted.includes(capability) === body.enabled)
          return withBefore(reply(before), before)
        const granted = withGrant(relationship.granted, capability, body.enabled)
        const after = await updateRelationship(tx, relationship, { granted }, now)
        return withBefore(reply({ capability: capabilityOf(capability, after) }), before)
      })
    },

    async prepareSuspension({ params: { customerId: merchantId }, body }) {
      const merchant = await merchantStore.findMerchant(db, { merchantId })
      if (!merchant) return refuse('resource_not_found')
      const { suspended } = merchant
      const lifts = suspended.some((capability) => !body.capabilities.includes(capability))
      return (
        refuseUnexpected(body.expected, suspended) ??
        reply({ before: { capabilities: suspended }, groups: lifts ? ['reinstatement' as const] : [] })
      )
    },

    async suspend({ params: { customerId: merchantId }, body, expected, now }) {
      const suspended = inOrder(body.capabilities)
      return db.transaction(async (tx) => {
        const merchant = await merchantStore.lockMerchant(tx, { merchantId })
        if (!merchant) return refuse('resource_not_found')
        const refusal =
          refuseUnexpected(body.expected, merchant.suspended) ??
          refuseChanged(expected, { capabilities: merchant.suspended })
        if (refusal) return refusal
        const before = { customer_id: merchantId, capabilities: merchant.suspended }
        const answer = withBefore(reply({ customer_id: merchantId, capabilities: suspended }), before)
        if (String(merchant.suspended) === String(suspended)) return answer
        await updateMerchant(tx, merchantId, now, () =>
          merchantStore.updateSuspension(tx, { merchantId, suspended }),
        )
        return answer
      })
    },
  })
