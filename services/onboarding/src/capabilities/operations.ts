import { implement, refuse, reply, withBefore, type Db, type Implementation } from '@causeway/chassis'
import { capabilities } from '@causeway/contracts'
import { capabilitiesOf, capabilityOf, inOrder, withGrant } from '../relationship-state/capabilities.ts'
import * as merchantStore from '../merchants/store.ts'
import * as store from '../relationship-state/store.ts'
import { announce } from '../relationship-state/emit.ts'
import { changeStanding } from '../relationship-state/change.ts'
import { holdRelationship } from '../relationship-state/lock.ts'

/** `onboarding.capabilities` (spec: Capabilities; decisions §4 and §14). */
export const capabilityOperations = ({ db }: { db: Db }): Implementation[] =>
  implement(capabilities, {
    async list({ caller, params }) {
      const [relationship] = await db.query(store.readOfPartner, [caller.partnerId, params.customerId])
      if (relationship?.status !== 'active') return refuse('resource_not_found')
      return reply({ capabilities: capabilitiesOf(relationship) })
    },

    async grant({ params, body, now }) {
      const { partnerCustomerId, capability } = params
      return db.transaction(async (tx) => {
        const before = await holdRelationship(tx, partnerCustomerId)
        if (!before) return refuse('resource_not_found')
        const found = { capability: capabilityOf(capability, before) }
        if (before.granted.includes(capability) === body.enabled) return withBefore(reply(found), found)
        const granted = withGrant(before.granted, capability, body.enabled)
        const [after] = await tx.query(store.update, [partnerCustomerId, before.status, granted])
        if (!after) throw new Error('A held relationship is gone')
        announce(tx, before, after, now)
        return withBefore(reply({ capability: capabilityOf(capability, after) }), found)
      })
    },

    async suspend({ params, body, now }) {
      const { customerId } = params
      const suspended = inOrder(body.capabilities)
      return db.transaction(async (tx) => {
        const [merchant] = await tx.query(merchantStore.hold, [customerId])
        if (!merchant) return refuse('resource_not_found')
        const found = { customer_id: customerId, capabilities: merchant.suspended }
        const answer = withBefore(reply({ customer_id: customerId, capabilities: suspended }), found)
        if (String(merchant.suspended) === String(suspended)) return answer
        await changeStanding(tx, customerId, now, () =>
          tx.query(merchantStore.suspend, [customerId, suspended]),
        )
        return answer
      })
    },
  })
