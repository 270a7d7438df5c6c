import type { Membership, PortalRole } from '@causeway/contracts'

/** Roles of people in the portal, with what they may do. */
export const PORTAL_ROLE_TEXTS: Readonly<Record<PortalRole, string>> = {
  owner: 'Owner: can do everything, and manage people',
  developer: 'Developer: can also manage webhooks and keys',
  finance: 'Finance: can read everything, with balances and statements',
  viewer: 'Viewer: can read everything',
}

/** The partner or merchant of a membership, with its id. */
export const ownerText = ({ owner_kind: kind, owner_id: id, owner_name: name }: Membership): string =>
  `${name ?? (kind === 'partner' ? 'Partner' : 'Merchant')} (${id})`
