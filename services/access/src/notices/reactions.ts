import { claimNew, consume, NotDoneError, type ServiceClient } from '@causeway/chassis'
import { relationships, type DomainEvent } from '@causeway/contracts'
import type { AccessContext } from '../context.ts'
import type { Owner } from '../people/store.ts'
import { queueNotices } from './queue.ts'
import { occurrenceOf, shownName, type Occurrence } from './rules.ts'

const CONSUMER = 'access-notices'
const BATCH = 32
/** Age at which an event is no news: the deadline of its mail. */
const NEWS_MS = 24 * 3_600_000

type Dependencies = Pick<AccessContext, 'bus' | 'db' | 'clock' | 'log' | 'vault' | 'mailAlarm'> &
  Readonly<{ ask: ServiceClient; publicBaseUrl: string; sendsMail: boolean }>

/** The merchant of an occurrence, and whose people are notified. */
type Audience = Readonly<{ merchantId: string; name: string | null; owners: readonly Owner[] }>

/**
 * Reads the merchant of the partner's relationship. Under a link that is not confirmed the partner is notified alone: it has
 * only claimed that the merchant is its customer (decisions §18).
 * @throws NotDoneError when onboarding is unavailable: the event is retried and never parked for it
 */
async function readAudience(ask: ServiceClient, occurrence: Occurrence): Promise<Audience | null> {
  const { partner, merchantId } = occurrence
  const ofMerchant = (ownerId: string): Owner => ({ ownerKind: 'merchant', ownerId })
  const known = merchantId === null ? null : { merchantId, name: null, owners: [ofMerchant(merchantId)] }
  if (partner === null) return known
  const { partnerId, partnerCustomerId, isNotified } = partner
  const found = await ask(relationships.getForNotice, {
    partner_id: partnerId,
    partner_customer_id: partnerCustomerId,
  })
  if (!found.ok) {
    if (found.code !== 'resource_not_found') throw new NotDoneError(`Onboarding returned ${found.code}`)
    return known
  }
  const { customer_id: id, name, relationship_status: status, link_confirmed: isConfirmed } = found.value
  const isPartnerNotified = isNotified && status === 'active'
  const owners = [
    ...(isPartnerNotified ? [{ ownerKind: 'partner' as const, ownerId: partnerId }] : []),
    ...(isConfirmed ? [ofMerchant(id)] : []),
  ]
  return { merchantId: id, name, owners }
}

/** Queues the mails of an event in the transaction that records it, so that a redelivered event queues none. */
async function notify(dependencies: Dependencies, event: DomainEvent): Promise<void> {
  const { db, clock, vault, ask, publicBaseUrl, mailAlarm } = dependencies
  const expiresAt = new Date(Date.parse(event.created_at) + NEWS_MS)
  const occurrence = expiresAt > clock.now() ? occurrenceOf(event) : null
  const audience = occurrence && (await readAudience(ask, occurrence))
  if (audience === null || occurrence === null) return
  const { kind, target } = occurrence
  const { merchantId, name, owners } = audience
  await db.transaction(async (tx) => {
    const now = clock.now()
    if ((await claimNew(tx, CONSUMER, [event.id], now)).size === 0) return
    const merchant = shownName(name, merchantId)
    const notice = { kind, merchant, target, publicBaseUrl, subject: merchantId, now, expiresAt }
    for (const owner of owners) await queueNotices(tx, vault, { ...notice, owner })
  })
  mailAlarm.ring()
}

/**
 * Notifies people by e-mail of events that concern them (decisions §58). A platform that sends no mail acknowledges the
 * events, so that a mail server that is set up later sends nothing old.
 */
export const consumeNotices = (dependencies: Dependencies): Readonly<{ stop: () => Promise<void> }> => {
  const { bus, db, clock, log, sendsMail } = dependencies
  return consume(bus, {
    service: 'access',
    durable: CONSUMER,
    batch: BATCH,
    db,
    clock,
    log,
    handle: async (events) => {
      if (sendsMail) for (const { event } of events) await notify(dependencies, event)
    },
  })
}
