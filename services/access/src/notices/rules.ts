import type { DomainEvent, NoticeKind } from '@causeway/contracts'
import { z } from 'zod'

/** The partner of an event: it was emitted for it, so the partner may read what happened. */
type PartnerOf = Readonly<{
  partnerId: string
  partnerCustomerId: string
  /** False: the partner caused it. */
  isNotified: boolean
}>

/** An event as far as notices need it. */
export type Occurrence = Readonly<{
  kind: NoticeKind
  partner: PartnerOf | null
  /** Null: only onboarding knows the merchant of the relationship. */
  merchantId: string | null
  /** Payout or card order that the merchant's page shows; null where the event names neither. */
  target: string | null
}>

type EventKind = Exclude<NoticeKind, 'webhook_failing'>

/** The event of which each kind notifies. Webhooks emits no event when a webhook fails. */
export const EVENT_OF: Readonly<Record<EventKind, DomainEvent['name']>> = {
  requirement: 'requirement.created',
  rejection: 'verification.rejected',
  payout_sent: 'payout.sent',
  payout_returned: 'payout.returned',
  dispute: 'payment.chargeback',
}
const KINDS: ReadonlyMap<string, EventKind> = new Map(
  Object.entries(EVENT_OF).map(([kind, name]) => [name, kind as EventKind]),
)

const Raised = z.object({ raised_by: z.literal('you') })
const PayoutBody = z.object({ order: z.object({ id: z.string() }) })
const CardOrder = z.object({ order_key: z.string() })

const targetOf = ({ partners: [copy], merchant }: Pick<DomainEvent, 'partners' | 'merchant'>) =>
  PayoutBody.safeParse(merchant?.body).data?.order.id ??
  CardOrder.safeParse(copy?.data).data?.order_key ??
  null

/** The occurrence of an event; null for one of which nobody is notified. Each such event is for at most one partner. */
export const occurrenceOf = ({
  name,
  partners,
  merchant,
}: Pick<DomainEvent, 'name' | 'partners' | 'merchant'>): Occurrence | null => {
  const kind = KINDS.get(name)
  if (kind === undefined) return null
  const [copy] = partners
  return {
    kind,
    partner:
      copy === undefined
        ? null
        : {
            partnerId: copy.partner_id,
            partnerCustomerId: copy.partner_customer_id,
            isNotified: !Raised.safeParse(copy.data).success,
          },
    merchantId: merchant?.merchant_id ?? null,
    target: targetOf({ partners, merchant }),
  }
}

const HOUR_MS = 3_600_000
/** A webhook that fails stays so until somebody repairs it. */
const REST_MS: Readonly<Partial<Record<NoticeKind, number>>> = { webhook_failing: 24 * HOUR_MS }
/** Time after a notice in which a person gets no other one of the kind about the same thing. */
export const restMsOf = (kind: NoticeKind): number => REST_MS[kind] ?? HOUR_MS

const LONGEST_NAME = 100
/** Line breaks and other control characters would change the layout, an address would become a link. */
const UNSAFE_IN_MAIL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|:\/\/|\bwww\./iu

/** The name of a merchant in a mail: its id in place of a name that is unknown or could pass for text of the platform. */
export const shownName = (name: string | null, merchantId: string): string =>
  name === null || name.length > LONGEST_NAME || UNSAFE_IN_MAIL.test(name)
    ? `the merchant ${merchantId}`
    : `“${name}” (${merchantId})`
