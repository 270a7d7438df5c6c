import { z } from 'zod'
import type { PortalRole } from './portal-roles.ts'

/** Kinds of notices by e-mail, each of which a person can switch off (decisions §58). */
export const NOTICE_KINDS = [
  'requirement',
  'rejection',
  'payout_sent',
  'payout_returned',
  'dispute',
  'webhook_failing',
] as const
export const NoticeKind = z.enum(NOTICE_KINDS)
export type NoticeKind = z.infer<typeof NoticeKind>

type Receivers = Readonly<Record<'partner' | 'merchant', readonly PortalRole[]>>

const OWNERS: readonly PortalRole[] = ['owner']
const MONEY: readonly PortalRole[] = ['owner', 'finance']
const DEVELOPERS: readonly PortalRole[] = ['owner', 'developer']
const NOBODY: readonly PortalRole[] = []

/** The roles of a partner's and of a merchant's people that receive each kind. */
const RECEIVERS: Readonly<Record<NoticeKind, Receivers>> = {
  requirement: { partner: OWNERS, merchant: OWNERS },
  rejection: { partner: OWNERS, merchant: OWNERS },
  // A partner with a thousand merchants reads their payouts in its own systems.
  payout_sent: { partner: NOBODY, merchant: MONEY },
  payout_returned: { partner: MONEY, merchant: MONEY },
  dispute: { partner: MONEY, merchant: MONEY },
  webhook_failing: { partner: DEVELOPERS, merchant: DEVELOPERS },
}

/** The roles of the people of an owner that receive a kind of notice. */
export const rolesOfNotice = (kind: NoticeKind, owner: 'partner' | 'merchant'): readonly PortalRole[] =>
  RECEIVERS[kind][owner]

/** The kinds that a person with a role can receive. */
export const noticeKindsOf = (owner: 'partner' | 'merchant', role: PortalRole): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => rolesOfNotice(kind, owner).includes(role))
