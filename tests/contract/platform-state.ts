import { eventually } from '@causeway/chassis/testing'
import { dataOf } from '../../scripts/demo/api-client.ts'
import type { TestPlatform } from '../journeys/platform.ts'
import { differenceOf, type Databases, type Rows } from './database.ts'
import { platformIds } from './parameters.ts'

/** Publishes the one agreement that the tenants accept. */
const publishAgreement = async (platform: TestPlatform): Promise<void> => {
  const { agreement } = dataOf<{ agreement: { agreement_id: string } }>(
    await platform.staff.post('/api/operator/agreements', {
      title: 'Terms',
      version: '1.0',
      effective_date: '2026-01-01',
      parties: [{ role: 'provider', name: 'Causeway' }],
      disclosure: 'You agree.',
      content_base64: 'VGVybXM=',
    }),
  )
  platformIds.agreement = agreement.agreement_id
}

/** A staff key that nobody uses. @returns its id */
export const createStaffKey = async (platform: TestPlatform): Promise<string> => {
  const made = await platform.staff.post('/api/operator/staff-keys', { name: 'Unused', role: 'viewer' })
  return dataOf<{ staff_key: { staff_key_id: string } }>(made).staff_key.staff_key_id
}

/** Makes what belongs to no tenant, and remembers it for the paths that name it. */
export const preparePlatform = async (platform: TestPlatform, databases: Databases): Promise<void> => {
  await publishAgreement(platform)
  platformIds.difference = await newDifference(databases)
  platformIds.staffKey = await createStaffKey(platform)
}

/** Puts a difference between the platform and a processor there: only a processor that is wrong would make one. */
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

const SETTLING_MS = 60_000

/** A redelivery has its turn once a second: between two of them nothing moves. */
const isSendingAgain = (rows: Rows): boolean =>
  (rows.get('webhooks.redeliveries') ?? []).some((row) => row.includes(',running,'))

/** Every row, once what was under way has ended: two readings in a row are the same. */
export const settled = async (databases: Databases, leftOut: readonly string[]): Promise<Rows> => {
  let last = await databases.rows(leftOut)
  return eventually(
    async () => {
      const now = await databases.rows(leftOut)
      const isSame = Object.keys(differenceOf(last, now)).length === 0
      last = now
      return isSame && !isSendingAgain(now) && now
    },
    { withinMs: SETTLING_MS },
  )
}
