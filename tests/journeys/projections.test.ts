import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openDatabases } from '../contract/database.ts'
import { startOrderLoad } from './order-load.ts'
import {
  newCustomer,
  newPartner,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'

const CUSTOMERS = 5
const run = promisify(execFile)

let platform: TestPlatform
let databases: Awaited<ReturnType<typeof openDatabases>>
let load: ReturnType<typeof startOrderLoad> | undefined
beforeAll(async () => {
  platform = await startTestPlatform()
  databases = await openDatabases(platform)
})
afterAll(async () => {
  await load?.stop()
  await databases.close()
  await platform.stop()
})

const rebuild = (service: string) =>
  run(process.execPath, ['scripts/rebuild-projections.ts', service], {
    env: { ...process.env, DATA_DIR: platform.dataDir },
  })

/** Columns that a source and its projection share, row by row. */
const PROJECTIONS = {
  'relationships in payments': [
    [
      'onboarding',
      "SELECT id || ' ' || partner_id || ' ' || merchant_id || ' ' || status || ' ' || version FROM relationships",
    ],
    [
      'payments',
      "SELECT partner_customer_id || ' ' || partner_id || ' ' || merchant_id || ' ' || status || ' ' || version FROM relationships",
    ],
  ],
  'relationships in webhooks': [
    ['onboarding', "SELECT id || ' ' || (status = 'revoked') || ' ' || version FROM relationships"],
    ['webhooks', "SELECT partner_customer_id || ' ' || is_revoked || ' ' || version FROM relationships"],
  ],
  'integrations in webhooks': [
    ['payments', "SELECT id || ' ' || merchant_id || ' ' || (deleted_at IS NOT NULL) FROM integrations"],
    ['webhooks', "SELECT integration_id || ' ' || merchant_id || ' ' || deleted FROM integrations"],
  ],
  'merchants above the chargeback threshold in onboarding': [
    [
      'payments',
      "SELECT merchant_id || ' ' || is_over || ' ' || version FROM dispute_standings WHERE version > 0",
    ],
    [
      'onboarding',
      "SELECT id || ' ' || disputes_over || ' ' || disputes_version FROM merchants WHERE disputes_version > 0",
    ],
  ],
} as const
const rowsOf = async ([database, text]: readonly ['onboarding' | 'payments' | 'webhooks', string]) =>
  ((await databases.query(database, text, []))?.rows ?? [])
    .map((row) => String(Object.values(row as object)[0]))
    .toSorted()
const compare = async () => {
  const found: Record<string, Readonly<{ rows: number; isEqual: boolean }>> = {}
  for (const [name, [source, projection]] of Object.entries(PROJECTIONS)) {
    const [expected, projected] = [await rowsOf(source), await rowsOf(projection)]
    found[name] = { rows: expected.length, isEqual: String(projected) === String(expected) }
  }
  return found
}

test('rebuilds emptied projections from their sources, equal to them, while orders are created', async () => {
  const partner = await newPartner(platform)
  const customers: TestCustomer[] = []
  for (let made = 0; made < CUSTOMERS; made += 1) {
    const customer = await newCustomer(platform, partner.causeway)
    await partner.causeway.listIntegrations({ customerId: customer.customerId })
    customers.push(customer)
  }
  const [revoked, disputed, loaded] = customers
  await platform.staff.post(`/api/operator/customers/${revoked?.customerId}/revoke`)
  await databases.query(
    'payments',
    `INSERT INTO dispute_standings (merchant_id, is_over, version) VALUES ('${disputed?.merchantId}', false, 7)`,
    [],
  )
  const running = startOrderLoad(partner.api, String(loaded?.path), 2)
  load = running
  await eventually(() => running.acknowledged.length > 5)
  const before = await compare()
  expect(before['relationships in payments']).toEqual({ rows: CUSTOMERS, isEqual: true })
  for (const [database, table] of [
    ['payments', 'relationships'],
    ['webhooks', 'relationships'],
    ['webhooks', 'integrations'],
  ] as const)
    await databases.query(database, `DELETE FROM ${table}`, [])
  expect((await compare())['integrations in webhooks']).toEqual({ rows: CUSTOMERS, isEqual: false })

  for (const service of ['onboarding', 'payments']) {
    const { stdout } = await rebuild(service)
    expect(stdout).toContain('projections.emitted')
  }
  const equal = (rows: number) => ({ rows, isEqual: true })
  await eventually(async () => Object.values(await compare()).every(({ isEqual }) => isEqual))
  expect(await compare()).toEqual({
    'relationships in payments': equal(CUSTOMERS),
    'relationships in webhooks': equal(CUSTOMERS),
    'integrations in webhooks': equal(CUSTOMERS),
    'merchants above the chargeback threshold in onboarding': equal(1),
  })
  const reached = running.acknowledged.length
  await eventually(() => running.acknowledged.length > reached)
})
