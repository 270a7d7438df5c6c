import { z } from 'zod'

/** Roles of a partner's or a merchant's people in the portal (decisions §56). */
export const PORTAL_ROLES = ['owner', 'developer', 'finance', 'viewer'] as const
export const PortalRole = z.enum(PORTAL_ROLES)
export type PortalRole = z.infer<typeof PortalRole>

const EVERY_ROLE: readonly PortalRole[] = PORTAL_ROLES
const DEVELOPERS: readonly PortalRole[] = ['owner', 'developer']
const OWNERS: readonly PortalRole[] = ['owner']
const NOBODY: readonly PortalRole[] = []

/** The roles that may call each operation of the portal, by its subject. A test holds the table complete. */
export const ROLES_OF_OPERATIONS: Readonly<Record<string, readonly PortalRole[]>> = {
  'payments.order-deposits.list-by-merchant': EVERY_ROLE,
  'payments.orders.list-by-merchant': EVERY_ROLE,
  'payments.orders.list-of-partner': EVERY_ROLE,
  'ledger.wallets.list-by-merchant': EVERY_ROLE,
  'ledger.balance-entries.list-by-merchant': EVERY_ROLE,
  'ledger.statements.get': EVERY_ROLE,
  'ledger.daily-totals.list-by-merchant': EVERY_ROLE,
  'ledger.daily-totals.list-of-partner': EVERY_ROLE,
  'ledger.paid-out.list-by-merchant': EVERY_ROLE,
  'ledger.paid-out.get-by-merchant': EVERY_ROLE,
  'ledger.paid-out.list-entries-by-merchant': EVERY_ROLE,
  'ledger.order-settlements.list-by-merchant': EVERY_ROLE,
  'gateway.own-api-keys.list': EVERY_ROLE,
  'gateway.own-api-keys.revoke': DEVELOPERS,
  // A link has the rights of no role: a person could escape theirs by one.
  'gateway.portal-links.create-own': NOBODY,
  'webhooks.registrations.list': EVERY_ROLE,
  'webhooks.registrations.create': DEVELOPERS,
  'webhooks.registrations.update': DEVELOPERS,
  'webhooks.registrations.delete': DEVELOPERS,
  'webhooks.registrations.rotate-secret': DEVELOPERS,
  'webhooks.registrations.test': DEVELOPERS,
  'webhooks.deliveries.list-own': EVERY_ROLE,
  'webhooks.deliveries.redeliver-own': DEVELOPERS,
  'webhooks.events.list-own': EVERY_ROLE,
  'webhooks.events.get-own': EVERY_ROLE,
  'webhooks.events.list-of-own-destination': EVERY_ROLE,
  'webhooks.events.resend-own': DEVELOPERS,
  'webhooks.redeliveries.create-own': DEVELOPERS,
  'webhooks.redeliveries.list-own': EVERY_ROLE,
  'webhooks.redeliveries.get-own': EVERY_ROLE,
  'webhooks.redeliveries.cancel-own': DEVELOPERS,
  'onboarding.brands.get-by-staff': EVERY_ROLE,
  // Who sets the support address decides whom buyers write to.
  'onboarding.brands.put-by-staff': OWNERS,
  'onboarding.brands.put-logo-by-staff': OWNERS,
  'onboarding.brands.delete-logo-by-staff': OWNERS,
  'webhooks.destinations.create': DEVELOPERS,
  'webhooks.destinations.list': EVERY_ROLE,
  'webhooks.destinations.update': DEVELOPERS,
  'webhooks.destinations.delete': DEVELOPERS,
  'webhooks.destinations.rotate-secret': DEVELOPERS,
  'webhooks.destinations.test': DEVELOPERS,
  'webhooks.deliveries.list': EVERY_ROLE,
  'webhooks.deliveries.redeliver': DEVELOPERS,
  'webhooks.events.list': EVERY_ROLE,
  'webhooks.events.get': EVERY_ROLE,
  'webhooks.events.list-of-destination': EVERY_ROLE,
  'webhooks.events.resend': DEVELOPERS,
  'webhooks.redeliveries.create': DEVELOPERS,
  'webhooks.redeliveries.list': EVERY_ROLE,
  'webhooks.redeliveries.get': EVERY_ROLE,
  'webhooks.redeliveries.cancel': DEVELOPERS,
}

/** True if a role may call an operation in the portal; an operation that the table lacks is for no role. */
export const mayCallInPortal = (role: PortalRole, subject: string): boolean =>
  ROLES_OF_OPERATIONS[subject]?.includes(role) === true
