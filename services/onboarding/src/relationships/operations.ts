import {
  implement,
  refuse,
  reply,
  withBefore,
  type Db,
  type Implementation,
  type Vault,
} from '@causeway/chassis'
import { relationships } from '@causeway/contracts'
import { moveTo, stateOf, type RelationshipStatus } from '../relationship-state/relationship.ts'
import * as customerStore from '../customers/store.ts'
import { setEnd } from '../personal-data/store.ts'
import * as store from '../relationship-state/store.ts'
import { announce } from '../relationship-state/emit.ts'
import { confirmLink } from './link-confirmation.ts'
import { holdRelationship } from '../relationship-state/lock.ts'
import { presentCustomer } from '../customers/presentation.ts'

type Parts = Readonly<{ db: Db; vault: Vault }>

/** `onboarding.relationships`: what other services project, and what staff do to one (decisions §14). */
export const relationshipOperations = (parts: Parts): Implementation[] =>
  implement(relationships, {
    async resolve({ body }) {
      const [relationship] = await parts.db.query(store.readOfPartner, [
        body.partner_id,
        body.partner_customer_id,
      ])
      return relationship ? reply(stateOf(relationship)) : refuse('resource_not_found')
    },
    async describe({ body }) {
      const [customer] = await parts.db.query(customerStore.readName, [
        body.partner_id,
        body.partner_customer_id,
      ])
      return customer ? reply({ name: customer.name }) : refuse('resource_not_found')
    },
    confirmLink: ({ params: { partnerCustomerId: id }, now }) =>
      parts.db.transaction(async (tx) => {
        const confirmed = await confirmLink(tx, id, now)
        if (!confirmed.ok) return confirmed
        const [customer] = await tx.query(customerStore.readOne, [id])
        if (!customer) throw new Error('A held relationship is gone')
        const found = { partner_customer_id: id, link_confirmed: false }
        return withBefore(reply({ customer: presentCustomer(customer, parts.vault) }), found)
      }),
    revoke: ({ params, now }) => move(parts, params.partnerCustomerId, 'revoked', now),
    reinstate: ({ params, now }) => move(parts, params.partnerCustomerId, 'active', now),
  })

const move = async ({ db, vault }: Parts, id: string, to: RelationshipStatus, now: Date) =>
  db.transaction(async (tx) => {
    const before = await holdRelationship(tx, id)
    if (!before) return refuse('resource_not_found')
    const moved = moveTo(before, to)
    if (!moved.ok) return moved
    const [lives] = await tx.query(setEnd, [id, to === 'revoked' ? now : null])
    if (!lives) return refuse('invalid_state', [{ from: 'erased', to }])
    const [after] = await tx.query(store.update, [id, moved.value.status, before.granted])
    const [customer] = await tx.query(customerStore.readOne, [id])
    if (!after || !customer) throw new Error('A held relationship is gone')
    announce(tx, before, after, now)
    const found = { partner_customer_id: id, relationship_status: before.status }
    return withBefore(reply({ customer: presentCustomer(customer, vault) }), found)
  })
