import { deliveries, events, redeliveries } from '@causeway/contracts'
import type { ConsolePath, StaffRequest } from '../frame.ts'
import { MERCHANTS_PATH } from '../merchants/view.ts'
import { PARTNERS_PATH } from '../partners/list-view.ts'

const OF_PARTNER = {
  parameter: 'partnerId',
  path: PARTNERS_PATH,
  title: 'Partner',
  listEvents: events.list,
  getEvent: events.get,
  listEventsOfDestination: events.listOfDestination,
  resend: events.resend,
  listDeliveries: deliveries.list,
  redeliver: deliveries.redeliver,
  createRedelivery: redeliveries.create,
  listRedeliveries: redeliveries.list,
  getRedelivery: redeliveries.get,
  cancelRedelivery: redeliveries.cancel,
} as const

const OF_MERCHANT = {
  parameter: 'customerId',
  path: MERCHANTS_PATH,
  title: 'Merchant',
  listEvents: events.listOfMerchant,
  getEvent: events.getOfMerchant,
  listEventsOfDestination: events.listOfMerchantDestination,
  resend: events.resendOfMerchant,
  listDeliveries: deliveries.listOfMerchant,
  redeliver: deliveries.redeliverOfMerchant,
  createRedelivery: redeliveries.createOfMerchant,
  listRedeliveries: redeliveries.listOfMerchant,
  getRedelivery: redeliveries.getOfMerchant,
  cancelRedelivery: redeliveries.cancelOfMerchant,
} as const

/** Whose events and deliveries pages show: the same pages serve both, and staff have operations for each. */
export const LOG_OWNERS = [OF_PARTNER, OF_MERCHANT] as const
export type LogOwner = (typeof LOG_OWNERS)[number]

/** The owner's part of an operation's parameters: one of the two, which its operations know. */
type OwnerParams = Readonly<{ partnerId: string; customerId: string }>

export const ownerParams = (owner: LogOwner, { params }: StaffRequest): OwnerParams =>
  ({ [owner.parameter]: params[owner.parameter] ?? '' }) as OwnerParams

/** Whose log a page is of, as its pages name it. */
export type LogPlace = Readonly<{ title: string; current: ConsolePath; path: string }>

export const placeOf = (owner: LogOwner, { params }: StaffRequest): LogPlace => ({
  title: owner.title,
  current: owner.path,
  path: `${owner.path}/${params[owner.parameter] ?? ''}`,
})
