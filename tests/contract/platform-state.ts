import { eventually } from '@causeway/chassis/testing'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import type { TestPlatform } from '../journeys/platform.ts'
import { differenceOf, type Databases, type Rows } from './database.ts'
import { PARKED_EVENT_ID, platformIds } from './parameters.ts'

const MONTH_MS = 30 * 86_400_000

/** Publishes an agreement. @returns its id */
const publishAgreement = async (platform: TestPlatform, effectiveAt?: Date): Promise<string> => {
  const { agreement } = dataOf<{ agreement: { agreement_id: string } }>(
    await platform.staff.post('/api/operator/agreements', {
      title: 'Terms',
      version: '1.0',
      effective_date: '2026-01-01',
      parties: [{ role: 'provider', name: 'Causeway' }],
      disclosure: 'You agree.',
      content_base64: 'VGVybXM=',
      ...(effectiveAt && { effective_at: effectiveAt.toISOString() }),
    }),
  )
  return agreement.agreement_id
}

/** Creates a staff key that is not used. @returns its id */
export const createStaffKey = async (platform: TestPlatform): Promise<string> => {
  const made = await platform.staff.post('/api/operator/staff-keys', { name: 'Unused', role: 'viewer' })
  return dataOf<{ staff_key: { staff_key_id: string } }>(made).staff_key.staff_key_id
}

/** Opens a session of the portal, for a partner without anything else. @returns its id */
export const openSession = async ({ staff, baseUrl }: TestPlatform): Promise<string> => {
  const made = await staff.post('/api/operator/partners', { name: 'Signed in' })
  const { partner_id: partnerId } = dataOf<{ partner: { partner_id: string } }>(made).partner
  const linked = await staff.post(`/api/operator/partners/${partnerId}/portal-links`)
  const { url } = dataOf<{ portal_link: { url: string } }>(linked).portal_link
  await fetch(`${baseUrl}${new URL(url).pathname}`, { method: 'POST', redirect: 'manual' })
  const listed = await staff.get(`/api/operator/sessions?partner_id=${partnerId}`)
  return dataOf<{ sessions: { session_id: string }[] }>(listed).sessions[0]?.session_id ?? ''
}

/** Creates the objects that belong to no tenant, and stores their ids in `platformIds`. */
export const preparePlatform = async (platform: TestPlatform, databases: Databases): Promise<void> => {
  // The one that the tenants accept, and one that is not in force yet.
  platformIds.agreement = await publishAgreement(platform)
  platformIds.upcomingAgreement = await publishAgreement(platform, new Date(Date.now() + MONTH_MS))
  platformIds.difference = await newDifference(databases)
  platformIds.staffKey = await createStaffKey(platform)
  platformIds.session = await openSession(platform)
  await parkEvent(databases)
}

/** Inserts an event that onboarding could not read. */
export const parkEvent = async (databases: Databases): Promise<void> => {
  await databases.query(
    'onboarding',
    `INSERT INTO parked_events (consumer, event_id, subject, payload, error, parked_at)
     VALUES ('onboarding-disputes', $1, 'events.payments.dispute_standing.changed', 'nonsense', 'Not JSON', now())`,
    [PARKED_EVENT_ID],
  )
}

/** Inserts an open difference of the reconciliation; only a faulty processor would cause one. */
export const newDifference = async (databases: Databases): Promise<string> => {
  const id = `rdf_0${crypto.randomUUID().replaceAll('-', '').slice(0, 25)}`
  await databases.query(
    'refunds',
    `INSERT INTO refund_differences (id, kind, processor, processor_refund_id, found_at, checked_at)
     VALUES ($1, 'missing_here', 'processor', $1, now(), now())`,
    [id],
  )
  return id
}

/** Postpones jobs that would change rows: an onramp order that no notice follows is polled 30 seconds after its creation. */
export const postponePolls = async (databases: Databases): Promise<void> => {
  await databases.query(
    'onramp',
    `UPDATE onramp_orders SET poll_at = '2999-01-01' WHERE poll_at IS NOT NULL`,
    [],
  )
  // Facts of orders that are older than the ledger are made an hour after the start: the clock may have passed that.
  await databases.query(
    'payments',
    `UPDATE past_facts SET due_at = '2999-01-01' WHERE due_at IS NOT NULL`,
    [],
  )
}

/** A job judges each merchant after a dispute: until then its row changes. */
export const whenDisputesAreJudged = (databases: Databases): Promise<true> =>
  eventually(async () => {
    const waiting = await databases.query(
      'payments',
      'SELECT FROM dispute_standings WHERE judge_at IS NOT NULL AND NOT is_over LIMIT 1',
      [],
    )
    return waiting?.rowCount === 0
  })

/** A job ends expired sessions: until then their rows change. */
export const whenSessionsHaveEnded = (databases: Databases, now: Date): Promise<true> =>
  eventually(async () => {
    const waiting = await databases.query(
      'gateway',
      'SELECT FROM sessions WHERE ended_at IS NULL AND expires_at <= $1 LIMIT 1',
      [now],
    )
    return waiting?.rowCount === 0
  })

/** A redelivery runs once a second: between two runs nothing changes. */
const isSendingAgain = (rows: Rows): boolean =>
  (rows.get('webhooks.redeliveries') ?? []).some((row) => row.includes(',running,'))

/** The remains of deleted destinations are purged every five seconds: between two purges nothing changes. */
const isPurging = async (databases: Databases): Promise<boolean> => {
  const left = await databases.query(
    'webhooks',
    `SELECT FROM deliveries d JOIN destinations r ON r.id = d.destination_id WHERE r.removed_at IS NOT NULL LIMIT 1`,
    [],
  )
  return left?.rowCount !== 0
}

/** The ledger's jobs read the journal every few seconds. */
const isReadingJournal = async (databases: Databases): Promise<boolean> => {
  const behind = await databases.query(
    'ledger',
    `SELECT FROM books.head WHERE seq > (SELECT seq FROM settlement_progress)
       OR seq > (SELECT through_seq FROM balance_watch)`,
    [],
  )
  return behind?.rowCount !== 0
}

/** All rows once background work is done: two reads in a row are equal, and nothing was to be purged between them. */
export const rowsWhenIdle = async (
  databases: Databases,
  excludedTables: readonly string[],
): Promise<Rows> => {
  let last = await databases.rows(excludedTables)
  return eventually(async () => {
    const isLeft = (await isPurging(databases)) || (await isReadingJournal(databases))
    const now = await databases.rows(excludedTables)
    const isSame = Object.keys(differenceOf(last, now)).length === 0
    last = now
    return isSame && !isLeft && !isSendingAgain(now) && now
  })
}
