import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { StaffRole } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { operationRoutes } from '@causeway/contracts/http'
import {
  newStaffKey,
  openFixture,
  type Data,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
let other: Replica

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  other = await fixture.startReplica()
})
afterAll(() => fixture.close())

const readWith = (replica: Replica, key: string) =>
  replica.call('GET', '/api/operator/partners?limit=1', { token: key })
const listed = async (): Promise<Data['staff_keys']> =>
  (await gateway.operate('GET', '/staff-keys?limit=100')).data.staff_keys
const entryOf = async (requestId: string) => {
  for (let cursor = ''; ;) {
    const { data } = await gateway.operate('GET', `/audit?limit=100${cursor}`)
    const found = data.entries.find((entry) => entry.request_id === requestId)
    if (found !== undefined || data.next_cursor === null) return found
    cursor = `&cursor=${data.next_cursor}`
  }
}

describe('a staff key', () => {
  test('is shown once, and never in the list or the audit log', async () => {
    const created = await gateway.operate('POST', '/staff-keys', { name: 'Ada', role: 'reviewer' })
    const { staff_key: staffKey, key } = created.data
    expect([created.status, created.data]).toEqual([
      201,
      {
        staff_key: {
          staff_key_id: expect.stringMatching(/^stk_[0-7][0-9a-z]{25}$/),
          name: 'Ada',
          role: 'reviewer',
          created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          last_used_at: null,
        },
        key: expect.stringMatching(/^staff_[\w-]{43}$/),
      },
    ])
    expect((await listed()).at(-1)).toEqual(staffKey)
    const entry = await entryOf(created.json.request_id)
    expect(entry).toMatchObject({
      target: staffKey.staff_key_id,
      before: null,
      after: { staff_key: staffKey },
    })
    expect(JSON.stringify([await listed(), entry])).not.toContain(key)
  })

  test('is named in the audit log', async () => {
    const { id, key } = await newStaffKey(gateway, 'viewer')
    const read = await readWith(gateway, key)
    expect(await entryOf(read.json.request_id)).toMatchObject({ actor: id, action: 'gateway.partners.list' })
  })

  test('is named in the audit log by its name too, also once it is revoked, and is found by it', async () => {
    const created = await gateway.operate('POST', '/staff-keys', { name: 'Alice Ops', role: 'viewer' })
    const { staff_key: staffKey, key } = created.data
    const read = await readWith(gateway, key)
    await gateway.operate('DELETE', `/staff-keys/${staffKey.staff_key_id}`)
    const { entries } = (await gateway.operate('GET', '/audit?actor=alice%20ops')).data
    expect(entries).toMatchObject([
      { actor: staffKey.staff_key_id, actor_name: 'Alice Ops', request_id: read.json.request_id },
    ])
    expect(await entryOf(created.json.request_id)).toMatchObject({ actor_name: null })
  })

  test('has the time of its last use, with one write a minute', async () => {
    const { id, key } = await newStaffKey(gateway, 'viewer')
    const used = async () => (await listed()).find((row) => row.staff_key_id === id)?.last_used_at
    await readWith(gateway, key)
    const first = await used()
    expect(first).toEqual(expect.stringMatching(/Z$/))
    // Within the minute, with 20 s to spare: time passes while these two are answered.
    fixture.clock.advance(40_000)
    await readWith(gateway, key)
    await readWith(other, key)
    expect(await used()).toBe(first)
    fixture.clock.advance(51_000)
    await readWith(gateway, key)
    expect(Date.parse((await used()) ?? '') - Date.parse(first ?? '')).toBeGreaterThanOrEqual(90_000)
  })

  test('is refused on every replica within a second after its revocation, and no other key is', async () => {
    const [kept, revoked] = [await newStaffKey(gateway, 'viewer'), await newStaffKey(gateway, 'viewer')]
    for (const replica of [gateway, other])
      for (const { key } of [kept, revoked]) expect((await readWith(replica, key)).status).toBe(200)
    const path = `/staff-keys/${revoked.id}`
    const answer = await gateway.operate('DELETE', path)
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([204, '', undefined])
    expect((await readWith(gateway, revoked.key)).status).toBe(401)
    // The clock does not move, so the cached credential does not expire: the nudge or the poll invalidates it.
    await eventually(async () => (await readWith(other, revoked.key)).status === 401)
    for (const replica of [gateway, other]) expect((await readWith(replica, kept.key)).status).toBe(200)
    expect((await gateway.operate('DELETE', path)).code).toBe('resource_not_found')
    expect((await listed()).map((row) => row.staff_key_id)).not.toContain(revoked.id)
    expect(await entryOf(String(answer.headers['x-request-id']))).toMatchObject({
      action: 'gateway.staff-keys.revoke',
      target: revoked.id,
      before: { staff_key: { staff_key_id: revoked.id, role: 'viewer' } },
      after: null,
    })
  })

  test('can revoke itself, if it is an admin’s', async () => {
    const { id, key } = await newStaffKey(gateway, 'admin')
    const own = () => gateway.call('DELETE', `/api/operator/staff-keys/${id}`, { token: key })
    expect([(await own()).status, (await own()).status]).toEqual([204, 401])
  })

  test('is stored only as a keyed hash', async () => {
    const { id, key } = await newStaffKey(gateway, 'finance')
    const rows = await fixture.sql('SELECT * FROM staff_keys WHERE staff_key_id = $1', [id])
    expect(rows).toEqual([expect.objectContaining({ key_mac: expect.stringMatching(/^[0-9a-f]{64}$/) })])
    expect(JSON.stringify(rows)).not.toContain(key.slice('staff_'.length))
  })

  test.each([{}, { name: 'Ada' }, { name: '', role: 'viewer' }, { name: 'Ada', role: 'root' }])(
    'is not created from %j',
    async (body) => expect((await gateway.operate('POST', '/staff-keys', body)).status).toBe(400),
  )
})

test('lists keys oldest first, page by page', async () => {
  for (const role of ['viewer', 'finance', 'reviewer'] as const) await newStaffKey(gateway, role)
  const all = (await listed()).map((row) => row.staff_key_id)
  const paged: string[] = []
  for (let cursor = ''; ;) {
    const { data } = await gateway.operate('GET', `/staff-keys?limit=2${cursor}`)
    paged.push(...data.staff_keys.map((row) => row.staff_key_id))
    if (data.next_cursor === null) break
    cursor = `&cursor=${data.next_cursor}`
  }
  expect(paged).toEqual(all)
  expect((await gateway.operate('GET', '/staff-keys?cursor=x')).code).toBe('invalid_cursor')
})

test('allows exactly a thousand keys, even under concurrency', async () => {
  const fill = `
    INSERT INTO staff_keys (staff_key_id, key_mac, name, role, created_at)
    SELECT 'fill' || n, 'fill' || n, 'fill', 'viewer', now()
    FROM generate_series(1, 999 - (SELECT count(*) FROM staff_keys WHERE revoked_at IS NULL)) AS n`
  await fixture.sql(fill)
  const answers = await Promise.all(
    [gateway, other, gateway, other].map((replica) =>
      replica.operate('POST', '/staff-keys', { name: 'Late', role: 'viewer' }),
    ),
  )
  await fixture.sql("DELETE FROM staff_keys WHERE name = 'fill'")
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect([refused?.code, refused?.details]).toEqual([
    'limit_reached',
    [{ resource: 'staff_keys', limit: 1_000 }],
  ])
})

/** Operations of a reviewer and of finance other than reading (decisions §14); everything else needs an admin. */
const REVIEWER =
  /^onboarding\.(capabilities|relationships|reviews|requirements|agreements|documents)\.(?!list|read|get)/
const FINANCE =
  /^(ledger\.payouts\.|ledger\.payout-(runs|transfers|wallets)\.|ledger\.payment-files\.|payments\.(chargebacks|price-plans|unattributed-money)\.|payments\.integrations\.update-processor|payments\.crypto-orders\.refund|ledger\.adjustments\.(create|write-off)|ledger\.reserve-plans\.(set|end)|ledger\.(settlements|bank-statements)\.import-file|ledger\.differences\.close|refunds\.refunds\.create-by-staff|refunds\.reconciliation\.close)/
const neededFor = (method: string, subject: string): StaffRole => {
  if (/^(gateway\.(staff-keys|sessions|people)|onboarding\.personal-data)\./.test(subject)) return 'admin'
  // The pending action decides which role is needed (pending-actions/keys.test.ts).
  if (subject.startsWith('gateway.pending-actions.')) return 'viewer'
  // The URL of a payment file shows accounts and names.
  if (subject === 'ledger.payment-files.get') return 'finance'
  // A search is a read: its words, such as an e-mail address, must not be in a path.
  if (method === 'GET' || subject.endsWith('.search')) return 'viewer'
  // The names of up to 100 ids are a read whose ids are too long for a URL.
  if (subject.endsWith('.list-names')) return 'viewer'
  // A preview is a read of terms that are too long for a URL.
  if (subject === 'payments.price-previews.create') return 'viewer'
  if (REVIEWER.test(subject)) return 'reviewer'
  return FINANCE.test(subject) ? 'finance' : 'admin'
}

describe('roles', () => {
  const staffOperations = operationRoutes.filter((route) => route.operation.caller === 'operator')

  test.each(['viewer', 'reviewer', 'finance'] as const)(
    'let a %s do what decisions §14 says, and nothing else',
    async (role) => {
      const { key } = await newStaffKey(gateway, role)
      const answers = await Promise.all(
        staffOperations.map(async ({ method, path, operation: { subject } }) => {
          const asked = path.replaceAll(/:\w+/g, 'x')
          const answer = await gateway.call(method, asked, { token: key })
          return [subject, answer.code === 'insufficient_scope' ? answer.status : 'allowed']
        }),
      )
      const expected = staffOperations.map(({ method, operation: { subject } }) => {
        const needed = neededFor(method, subject)
        return [subject, needed === 'viewer' || needed === role ? 'allowed' : 403]
      })
      expect(answers).toEqual(expected)
    },
  )

  test('let an admin do everything that the key of the setting may do', async () => {
    const { key } = await newStaffKey(gateway, 'admin')
    for (const { method, path } of staffOperations) {
      const answer = await gateway.call(method, path.replaceAll(/:\w+/g, 'x'), { token: key })
      expect([path, answer.code === 'insufficient_scope']).toEqual([path, false])
    }
  })

  test('name the needed role in a refusal, which changes nothing and is in the audit log', async () => {
    const { id, key } = await newStaffKey(gateway, 'finance')
    const target = newId('merchant')
    const path = `/api/operator/merchants/${target}/suspension`
    const refused = await gateway.call('PUT', path, { token: key, body: { capabilities: [] } })
    expect([refused.status, refused.code, refused.headers['www-authenticate']]).toEqual([
      403,
      'insufficient_scope',
      'Bearer realm="causeway", error="insufficient_scope", scope="reviewer"',
    ])
    expect(await entryOf(String(refused.headers['x-request-id']))).toMatchObject({
      actor: id,
      action: 'onboarding.capabilities.suspend',
      target,
      before: null,
      after: { outcome: 'refused', code: 'insufficient_scope' },
    })
  })
})
