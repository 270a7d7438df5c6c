import {
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  refuseChanged,
  reply,
  withBefore,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Vault,
} from '@causeway/chassis'
import { relationships, type RelationshipStatus } from '@causeway/contracts'
import { presentCustomer, presentToStaff } from '../customers/presentation.ts'
import * as customerStore from '../customers/store.ts'
import { updateRelationship } from '../relationship-state/changes.ts'
import { lockRelationship } from '../relationship-state/access.ts'
import { capabilitiesOf } from '../relationship-state/capabilities.ts'
import { stateOf, type Relationship } from '../relationship-state/relationship.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { presentShared } from '../verifications/presentation.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import * as verificationStore from '../verifications/store.ts'
import { checkStatusChange } from './domain.ts'
import { confirmLink } from './link-confirmation.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault; cursors: Cursors }>

/** `onboarding.relationships`: what other services project, and what staff do to one (decisions §14). */
export const relationshipOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault } = dependencies
  return implement(relationships, {
    async getState({ body: { partner_id: partnerId, partner_customer_id: partnerCustomerId } }) {
      const relationship = await relationshipStore.getLive(db, { partnerId, partnerCustomerId })
      return relationship ? reply(stateOf(relationship)) : refuse('resource_not_found')
    },

    async getName({ body: { partner_id: partnerId, partner_customer_id: partnerCustomerId } }) {
      const customer = await customerStore.getName(db, { partnerId, partnerCustomerId })
      return customer ? reply({ name: customer.name }) : refuse('resource_not_found')
    },

    async getForNotice({ body: { partner_id: partnerId, partner_customer_id: partnerCustomerId } }) {
      const relationship = await relationshipStore.getLive(db, { partnerId, partnerCustomerId })
      if (relationship === null) return refuse('resource_not_found')
      const customer = await customerStore.getName(db, { partnerId, partnerCustomerId })
      return reply({
        customer_id: relationship.merchantId,
        name: customer?.name ?? null,
        relationship_status: relationship.status,
        link_confirmed: relationship.linkConfirmed,
      })
    },

    getByStaff: ({ params }) => getFile(dependencies, params.partnerCustomerId),

    listByStaff: ({ query }) => listCustomers(dependencies, query),

    confirmLink: ({ params: { partnerCustomerId }, now }) =>
      db.transaction(async (tx) => {
        const confirmed = await confirmLink(tx, partnerCustomerId, now)
        if (!confirmed.ok) return confirmed
        const customer = await customerStore.get(tx, { partnerCustomerId })
        if (!customer) throw new Error('A locked merchant has no row of its relationship')
        const before = { partner_customer_id: partnerCustomerId, link_confirmed: false }
        return withBefore(reply({ customer: presentCustomer(customer, vault) }), before)
      }),

    revoke: ({ params, now }) => changeStatus(dependencies, params, { to: 'revoked', now }),

    async prepareReinstatement({ params }) {
      const relationship = await relationshipStore.get(db, params)
      if (!relationship) return refuse('resource_not_found')
      const refusal = checkStatusChange(relationship, 'active')
      return refusal ?? reply({ before: statusOf(relationship), groups: ['reinstatement' as const] })
    },

    reinstate: ({ params, expected, now }) =>
      changeStatus(dependencies, params, { to: 'active', expected, now }),
  })
}

/** A customer of any partner with its capabilities and its merchant's case, for staff (decisions §45). */
const getFile = async ({ db, vault }: Dependencies, partnerCustomerId: string) => {
  const customer = await customerStore.get(db, { partnerCustomerId })
  const known = await relationshipStore.get(db, { partnerCustomerId })
  const relationship =
    known && (await relationshipStore.getLive(db, { partnerId: known.partnerId, partnerCustomerId }))
  if (!customer || !relationship) return refuse('resource_not_found')
  const { merchantId } = relationship
  const progress = await verificationStore.getProgress(db, { merchantId })
  return reply({
    customer: {
      ...presentToStaff(customer, vault),
      partner_id: relationship.partnerId,
      link_confirmed: relationship.linkConfirmed,
      capabilities: capabilitiesOf(relationship),
      suspended_capabilities: relationship.suspended,
      verification: progress && presentShared(progress),
    },
  })
}

/** One page of the customers of all partners, newest first, for staff (decisions §45). */
const listCustomers = async (
  { db, vault, cursors }: Dependencies,
  { limit, cursor, ...filter }: OperationRequest<typeof relationships.listByStaff>['query'],
) => {
  const { partner_id: partnerId, relationship_status: status, since, until } = filter
  const name = ['all-customers', partnerId, status, since, until].join('|')
  const start = until === undefined ? NEWEST_FIRST.start : { at: new Date(until), id: '' }
  const list = keysetList(cursors, { name, order: { ...NEWEST_FIRST, start } })
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const asked = {
    ...after,
    active: status !== 'revoked',
    revoked: status !== 'active',
    limit: limit + 1,
  }
  const rows = await (partnerId === undefined
    ? customerStore.listNewest(db, asked)
    : customerStore.listNewestOfPartner(db, { ...asked, partnerId }))
  // Not a condition of the statements: with it the planner expects few rows, and may sort them instead of reading in order.
  const earliest = since === undefined ? 0 : Date.parse(since)
  const page = list.page({
    rows: rows.filter(({ createdAt }) => createdAt.getTime() >= earliest),
    limit,
    present: (row) => ({
      ...presentToStaff(row, vault),
      partner_id: row.partnerId,
      link_confirmed: row.linkConfirmed,
      verification_status: row.verificationStatus,
    }),
    positionOf: (row) => ({ at: row.createdAt, id: row.partnerCustomerId }),
  })
  return reply({ customers: page.items, next_cursor: page.nextCursor })
}

const statusOf = ({ status }: Pick<Relationship, 'status'>) => ({ relationship_status: status })

type StatusChange = Readonly<{
  to: RelationshipStatus
  expected?: ReturnType<typeof statusOf> | undefined
  now: Date
}>

const changeStatus = async (
  { db, vault }: Dependencies,
  { partnerCustomerId }: Readonly<{ partnerCustomerId: string }>,
  { to, expected, now }: StatusChange,
) =>
  db.transaction(async (tx) => {
    const relationship = await lockRelationship(tx, partnerCustomerId)
    if (!relationship) return refuse('resource_not_found')
    const refusal = checkStatusChange(relationship, to) ?? refuseChanged(expected, statusOf(relationship))
    if (refusal) return refusal
    const endedAt = to === 'revoked' ? now : null
    const stored = await relationshipStore.updateEnd(tx, { partnerCustomerId, endedAt })
    if (!stored) return refuse('invalid_state', [{ from: 'erased', to }])
    await updateRelationship(tx, relationship, { status: to }, now)
    await incrementVersion(tx, { merchantId: relationship.merchantId, editedAt: null })
    const customer = await customerStore.get(tx, { partnerCustomerId })
    if (!customer) throw new Error('A locked merchant has no row of its relationship')
    const before = { partner_customer_id: partnerCustomerId, relationship_status: relationship.status }
    return withBefore(reply({ customer: presentCustomer(customer, vault) }), before)
  })
