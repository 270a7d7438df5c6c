import {
  keysetList,
  OLDEST_FIRST,
  refuse,
  reply,
  type Cursors,
  type Db,
  type KeysetList,
  type OperationRequest,
} from '@causeway/chassis'
import { RequirementStatus, type requirements } from '@causeway/contracts'
import { findMerchant } from '../merchants/store.ts'
import { OUTSTANDING_STATUSES, type Party } from './domain.ts'
import { presentRequirement } from './presentation.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; cursors: Cursors }>

const REQUIREMENT_ORDER = OLDEST_FIRST
type RequirementList = KeysetList<typeof REQUIREMENT_ORDER.start>

/** The list of a merchant's requirements for staff, which reviews begin and `listByStaff` continues. */
export const staffListOf = (cursors: Cursors, merchantId: string): RequirementList =>
  keysetList(cursors, { name: `requirements-of:${merchantId}`, order: REQUIREMENT_ORDER })

type Rows = Readonly<{
  rows: readonly store.RequirementRow[]
  limit: number
  reader: Party
  maxBytes?: number
}>

/** A page of requirements as one party sees them. */
export const pageOfRequirements = (list: RequirementList, { reader, ...rows }: Rows) => {
  const page = list.page({
    ...rows,
    present: (row) => presentRequirement(row, reader),
    positionOf: (row) => ({ at: row.createdAt, id: row.requirementId }),
  })
  return { requirements: page.items, next_cursor: page.nextCursor }
}

export const listRequirements = async (
  { db, cursors }: Dependencies,
  { caller, params, query: { status, limit, cursor } }: OperationRequest<typeof requirements.list>,
) => {
  const key = { partnerId: caller.partnerId, partnerCustomerId: params.customerId }
  const name = `requirements:${key.partnerId}:${key.partnerCustomerId}:${status ?? 'all'}`
  const list = keysetList(cursors, { name, order: REQUIREMENT_ORDER })
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const statuses = status === 'open' ? OUTSTANDING_STATUSES : RequirementStatus.options
  const [visible, rows] = await Promise.all([
    store.getVisibleMerchant(db, key),
    store.listPage(db, { ...key, statuses, ...after, limit: limit + 1 }),
  ])
  return visible
    ? reply(pageOfRequirements(list, { rows, limit, reader: key.partnerId }))
    : refuse('resource_not_found')
}

export const listRequirementsByStaff = async (
  { db, cursors }: Dependencies,
  { params, query: { limit, cursor } }: OperationRequest<typeof requirements.listByStaff>,
) => {
  const { customerId: merchantId } = params
  const list = staffListOf(cursors, merchantId)
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const [merchant, rows] = await Promise.all([
    findMerchant(db, { merchantId }),
    store.listPageByStaff(db, { merchantId, ...after, limit: limit + 1 }),
  ])
  return merchant
    ? reply(pageOfRequirements(list, { rows, limit, reader: null }))
    : refuse('resource_not_found')
}
