import { createLogger } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { testDatabase } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** The migration that makes unattributed money of late payments. */
const NUMBER = 30
const log = createLogger({ service: 'test', level: 'silent' })
const DAY = (day: number) => `2026-01-0${day}T00:00:00Z`

let before: string
let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
beforeAll(async () => {
  before = mkdtempSync(join(tmpdir(), 'causeway-before-'))
  for (const file of readdirSync(MIGRATIONS))
    if (Number.parseInt(file) < NUMBER) cpSync(join(MIGRATIONS, file), join(before, file))
  database = await testDatabase('late')
  await migrate({ url: database.url, folder: before, log })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
  rmSync(before, { recursive: true })
})

type Late = Readonly<{
  status: string
  refundedAt?: string
  receivedAt: string
  isReverted?: boolean
  isCounted?: boolean
}>

/** An order with a late payment, as the version before wrote them. */
const insertLate = async (
  name: string,
  { status, refundedAt, receivedAt, isReverted, isCounted = true }: Late,
) => {
  await client.query(
    `INSERT INTO crypto_orders (id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount,
       total_to_send, currency, fiat_amount, rate, rate_at, derivation_index, address, watch_address, payer_sealed, status,
       received, created_at, expires_at, updated_at, refund_address, refunded_at)
     VALUES ('ord_' || $1, 'ptn_1', 'pcu_1', 'cus_1', $1, 'BTC', 'BTC', 0.5, 0.5, 'EUR', '10.00', 1, $2, $3,
       'address ' || $1, 'address ' || $1, '', $4, 0.3, $2, $2, $5, $6, $7)`,
    [
      name,
      DAY(1),
      name.length,
      status,
      DAY(8),
      refundedAt === undefined ? null : 'elsewhere',
      refundedAt ?? null,
    ],
  )
  await client.query(
    `INSERT INTO crypto_deposits (network, tx_id, output_index, order_id, asset, amount, block_number, block_hash,
       confirmations, seen_at, counted_at)
     VALUES ('BTC', 'tx ' || $1, 1, 'ord_' || $1, 'BTC', 0.3, 7, 'b', 2, $2, $3)`,
    [name, DAY(2), isCounted ? receivedAt : null],
  )
  await client.query(
    `INSERT INTO late_payments (id, order_id, network, tx_id, output_index, received_at, reverted_at)
     VALUES ('lpm_' || $1, 'ord_' || $1, 'BTC', 'tx ' || $1, 1, $2, $3)`,
    [name, receivedAt, isReverted === true ? DAY(3) : null],
  )
}

test('turns each existing late payment into unattributed money, ended as its order states', async () => {
  await insertLate('open', { status: 'expired', receivedAt: DAY(2) })
  await insertLate('cancelled', { status: 'cancelled', receivedAt: DAY(3) })
  await insertLate('counted', { status: 'paid', receivedAt: DAY(4) })
  await insertLate('sent', { status: 'refunded', refundedAt: DAY(6), receivedAt: DAY(5) })
  await insertLate('after', { status: 'refunded', refundedAt: DAY(5), receivedAt: DAY(6) })
  await insertLate('taken back', { status: 'expired', receivedAt: DAY(2), isReverted: true })
  await insertLate('uncounted!', { status: 'expired', receivedAt: DAY(2), isCounted: false })

  await migrate({ url: database.url, folder: MIGRATIONS, log })
  const { rows } = await client.query(
    `SELECT id, status, ended_by, ended_at, received_at FROM unattributed_money ORDER BY received_at`,
  )
  const row = (
    name: string,
    receivedAt: string,
    endedBy: string | null = null,
    endedAt: string | null = null,
  ) => ({
    id: `umy_${name}`,
    status: endedBy === null ? 'open' : 'ended',
    ended_by: endedBy,
    ended_at: endedAt === null ? null : new Date(endedAt),
    received_at: new Date(receivedAt),
  })
  expect(rows).toEqual([
    row('open', DAY(2)),
    row('cancelled', DAY(3)),
    row('counted', DAY(4), 'counted', DAY(8)),
    row('sent', DAY(5), 'refund', DAY(6)),
    row('after', DAY(6)),
  ])
  const { rows: first } = await client.query(`SELECT * FROM unattributed_money WHERE id = 'umy_open'`)
  expect(first).toEqual([
    expect.objectContaining({
      kind: 'late',
      unit: 'BTC/BTC',
      amount: '0.3',
      order_id: 'ord_open',
      partner_id: 'ptn_1',
      partner_customer_id: 'pcu_1',
      merchant_id: 'cus_1',
      network: 'BTC',
      tx_id: 'tx open',
      output_index: 1,
      address: 'address open',
      block_number: '7',
    }),
  ])
})
