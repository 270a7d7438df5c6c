import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { MAX_REPORT_ENTRIES, MAX_REPORTS, type LedgerFact, type ReportType } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { parquetReadObjects } from 'hyparquet'
import { postFacts } from '../../src/posting/post-facts.ts'
import { deposited, disputed, paid, refunded } from '../fixtures/facts.ts'
import { startForTests, type RunningLedger } from '../running-ledger.ts'
import { reportCalls } from './report-calls.ts'

let ledger: RunningLedger
const [partner, other] = [newId('partner'), newId('partner')]
const merchant = newId('merchant')
let [first, second, foreign, revoked] = ['', '', '', '']
let facts = 0
const nextFact = () => `report-${(facts += 1)}`
const DAY_MS = 86_400_000
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
const never = '2099-01-01T00:00:00.000Z'
const [ORDER, REFUNDED, CRYPTO] = [newId('fiatOrder'), newId('fiatOrder'), newId('cryptoOrder')]

const post = (at: Date, ...posted: readonly LedgerFact[]) =>
  postFacts({ db: ledger.db, clock: { now: () => at } }, posted)
const payment = (relationship: string, order_id: string, change: Partial<ReturnType<typeof paid>> = {}) =>
  paid({ fact_id: nextFact(), partner_customer_id: relationship, order_id, available_at: never, ...change })

beforeAll(async () => {
  ledger = await startForTests()
  const relate = async (partner_id: string, status: 'active' | 'revoked' = 'active') => {
    const state = ledger.onboarding.relate({ partner_id, customer_id: merchant, status })
    await ledger.onboarding.publish(state)
    return state.partner_customer_id
  }
  ;[first, second] = [await relate(partner), await relate(partner)]
  foreign = await relate(other)
  revoked = await relate(partner, 'revoked')
  await post(daysAgo(50), payment(first, newId('fiatOrder'), { order_key: '1' }))
  await post(
    daysAgo(20),
    payment(first, ORDER, { order_key: '2' }),
    payment(second, REFUNDED, { order_key: '3', total_cents: 8_000, service_fee_cents: 0 }),
    payment(foreign, newId('fiatOrder'), { order_key: '4' }),
    payment(revoked, newId('fiatOrder'), { order_key: '5' }),
    deposited({
      ...{ fact_id: nextFact(), order_id: CRYPTO, partner_customer_id: first },
      ...{ open: '0', applied: '0.5' },
    }),
  )
  const ofRefund = { fact_id: nextFact(), order_id: REFUNDED, order_key: '3', partner_customer_id: second }
  await post(daysAgo(10), refunded({ ...ofRefund, available_at: never }))
  const ofDispute = { fact_id: nextFact(), order_id: ORDER, order_key: '2', partner_customer_id: first }
  await post(daysAgo(9), disputed(ofDispute))
  // Their relationships were published last.
  await eventually(async () => (await create({}, other)).ok && (await create()).ok)
})
afterAll(() => ledger.stop())

const { ask, bytesOf, create, ended, get, reportOf, rowsOf, tokenOf } = reportCalls(() => ledger, {
  partner,
  from: daysAgo(30),
  to: now,
})
const listed = async (type: ReportType, columns: readonly string[]) =>
  (await rowsOf({ type })).map((row) => columns.map((column) => row[column]).join(' '))

const names = () => ({ [first]: 'first', [second]: 'second' })
/** Rows with names in place of the ids of relationships, in an order that does not depend on the ids. */
const named = (rows: readonly string[]) =>
  rows.map((row) => row.replace(/pcu_\w+/, (id) => names()[id] ?? id)).sort()

describe('the rows of a report', () => {
  test('contain every entry of the period as activity, of active relationships alone', async () => {
    const rows = await listed('activity', ['partner_customer_id', 'unit', 'balance', 'kind', 'amount'])
    expect(named(rows)).toEqual([
      'first BTC/BTC available deposit 0.5',
      'first EUR available dispute -6000',
      'first EUR pending payment 10000',
      'first EUR pending service_fee -250',
      'first USD available dispute_fee -1500',
      'second EUR pending payment 8000',
      'second EUR pending refund -4000',
    ])
  })

  test('contain opening and closing balances around the entries as statement', async () => {
    const rows = await rowsOf({ type: 'statement', partner_customer_id: first })
    const shown = ['unit', 'kind', 'amount', 'balance_after']
    expect(rows.map((row) => shown.map((name) => String(row[name])).join(' '))).toEqual([
      'BTC/BTC opening null 0',
      'BTC/BTC deposit 0.5 0.5',
      'BTC/BTC closing null 0.5',
      'EUR opening null 9750',
      'EUR payment 10000 19750',
      'EUR service_fee -250 19500',
      'EUR closing null 19500',
      'EUR opening null 0',
      'EUR dispute -6000 -6000',
      'EUR closing null -6000',
      'USD opening null 0',
      'USD dispute_fee -1500 -1500',
      'USD closing null -1500',
    ])
  })

  test('contain balances at the beginning and the end of the period', async () => {
    const rows = await listed('balance', [
      ...['partner_customer_id', 'unit', 'balance', 'opening', 'change', 'closing', 'entries'],
    ])
    expect(named(rows)).toEqual([
      'first BTC/BTC available 0 0.5 0.5 1',
      'first EUR available 0 -6000 -6000 1',
      'first EUR pending 9750 9750 19500 2',
      'first USD available 0 -1500 -1500 1',
      'second EUR pending 0 4000 4000 2',
    ])
  })

  test('contain what was recorded for each order', async () => {
    const rows = await listed('orders', [
      ...['partner_customer_id', 'unit', 'order_id', 'received', 'fees', 'refunded', 'disputed', 'net'],
    ])
    expect(named(rows)).toEqual(
      [
        `first BTC/BTC ${CRYPTO} 0.5 0 0 0 0.5`,
        `first EUR ${ORDER} 10000 -250 0 -6000 3750`,
        `first USD ${ORDER} 0 0 0 -1500 -1500`,
        `second EUR ${REFUNDED} 8000 0 -4000 0 4000`,
      ].sort(),
    )
  })

  test.each<[ReportType, string[]]>([
    ['fees', ['first dispute_fee -1500', 'first service_fee -250']],
    ['refunds', ['second refund -4000']],
    ['disputes', ['first dispute -6000', 'first dispute_fee -1500']],
    ['payout', []],
  ])('contain only entries of its kinds as %s', async (type, expected) => {
    expect(named(await listed(type, ['partner_customer_id', 'kind', 'amount']))).toEqual(expected)
  })

  test('are empty for a period without entries', async () => {
    const early = { from: daysAgo(90).toISOString(), to: daysAgo(60).toISOString() }
    for (const format of ['csv', 'json', 'parquet'] as const)
      expect(await ended({ ...early, format })).toMatchObject({ status: 'ready', rows: 0 })
    expect(await rowsOf(early)).toEqual([])
  })
})

describe('the formats of a report', () => {
  test('give the same rows as CSV with a header', async () => {
    const csv = (await bytesOf(await ended({ type: 'fees', format: 'csv' }))).toString().split('\r\n')
    expect(csv[0]).toBe(
      'partner_customer_id,unit,balance,entry_id,kind,amount,balance_after,order_key,order_id,payout_id,reverses,estimated,effective_at,recorded_at',
    )
    const rows = await rowsOf({ type: 'fees' })
    expect(csv.slice(1, -1)).toEqual(rows.map((row) => Object.values(row).join(',')))
    expect(csv.at(-1)).toBe('')
  })

  test('give the same rows as Parquet with typed columns', async () => {
    const bytes = await bytesOf(await ended({ format: 'parquet' }))
    const read = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
    const shown = read.map((row) => ({
      ...row,
      effective_at: (row['effective_at'] as Date).toISOString(),
      recorded_at: (row['recorded_at'] as Date).toISOString(),
    }))
    const rows = await rowsOf()
    const asText = ['amount', 'balance_after']
    expect(shown).toEqual(
      rows.map((row) => ({ ...row, ...Object.fromEntries(asText.map((name) => [name, String(row[name])])) })),
    )
    expect(rows.length).toBe(7)
  })
})

test('states rows and the hash of the bytes, and expires with its URL', async () => {
  const report = await ended({ format: 'csv' })
  expect(report).toMatchObject({ status: 'ready', rows: 7, partner_customer_id: null })
  expect(report.sha256).toBe(
    createHash('sha256')
      .update(await bytesOf(report))
      .digest('hex'),
  )
  expect(await ask('getFile', { token: tokenOf(report) })).toMatchObject({
    value: {
      file_name: `activity_${report.from.slice(0, 10)}_${report.to.slice(0, 10)}.csv`,
      mime_type: 'text/csv; charset=utf-8',
    },
  })
})

test('gives the same question the same bytes after postings of a replica whose clock is late', async () => {
  const formats = ['csv', 'json', 'parquet'] as const
  const bytes = () =>
    Promise.all(formats.map(async (format) => bytesOf(await ended({ format, type: 'statement' }))))
  const before = await bytes()
  await post(daysAgo(5), payment(first, newId('fiatOrder'), { order_key: '6' }))
  const after = await bytes()
  expect(after.map((each, at) => each.equals(before[at] ?? Buffer.of()))).toEqual([true, true, true])
  // The posting is there, recorded after the report.
  const later = await rowsOf({ as_of: new Date(ledger.clock.nowMs() - 1).toISOString(), to: never })
  expect(later.some(({ order_key: key }) => key === '6')).toBe(true)
})

test('lists a period of several pages and parts whole, and in order', async () => {
  const busy = newId('partner')
  const state = ledger.onboarding.relate({ partner_id: busy })
  await ledger.onboarding.publish(state)
  for (let batch = 0; batch < 12; batch += 1)
    await post(
      daysAgo(-1),
      ...Array.from({ length: 256 }, () => payment(state.partner_customer_id, newId('fiatOrder'))),
    )
  await eventually(async () => (await create({ partner_customer_id: state.partner_customer_id }, busy)).ok)
  ledger.clock.advance(2 * DAY_MS)
  const period = { from: now.toISOString(), to: daysAgo(-2).toISOString(), as_of: daysAgo(-2).toISOString() }
  const rows = await rowsOf(period, busy)
  expect(rows.length).toBe(12 * 256 * 2)
  const balances = rows.map(({ balance_after }) => Number(balance_after))
  expect(balances.at(-1)).toBe(12 * 256 * 9_750)
  expect(
    rows.every(
      ({ amount, balance_after }, at) => Number(balance_after) - Number(amount) === (balances[at - 1] ?? 0),
    ),
  ).toBe(true)
})

describe('the reports of a partner', () => {
  test('contain nothing of another partner of the same merchant, and are hidden from it', async () => {
    const rows = await rowsOf({}, other)
    expect(new Set(rows.map((row) => row['partner_customer_id']))).toEqual(new Set([foreign]))
    const { report_id: id } = await ended({}, other)
    expect(await get(id)).toMatchObject({ code: 'resource_not_found' })
  })

  test('are refused for a customer that is another partner’s, unknown or revoked', async () => {
    for (const id of [foreign, newId('relationship'), revoked])
      expect(await create({ partner_customer_id: id })).toMatchObject({ code: 'resource_not_found' })
  })

  test('are hidden once the customer that a report names is revoked', async () => {
    const state = ledger.onboarding.relate({ partner_id: partner })
    const { partner_customer_id } = state
    const report = await ended({ partner_customer_id })
    await ledger.onboarding.publish(
      ledger.onboarding.relate({ status: 'revoked', version: 2 }, partner_customer_id),
    )
    await eventually(async () => !(await get(report.report_id)).ok)
    expect(await get(report.report_id)).toMatchObject({ code: 'resource_not_found' })
    expect(await ask('getFile', { token: tokenOf(report) })).toMatchObject({ code: 'resource_not_found' })
  })

  test('are read only with tokens that the platform issued', async () => {
    const report = await ended()
    const [id, time, mac] = tokenOf(report).split('.') as [string, string, string]
    const forged = [
      `${newId('report')}.${time}.${mac}`,
      `${id}.${time}`,
      '',
      `${id}.${Number(time) + 1}.${mac}`,
    ]
    for (const token of forged) {
      expect(await ask('getFile', { token })).toMatchObject({ code: 'resource_not_found' })
      expect(await ask('getPart', { token, part: '0' })).toMatchObject({ code: 'resource_not_found' })
    }
    expect(await ask('getPart', { token: tokenOf(report), part: '99' })).toMatchObject({
      code: 'resource_not_found',
    })
  })
})

describe('a request for a report', () => {
  const detail = (field: string, reason = 'invalid_value') => [
    { field, reason, expected: expect.any(String) },
  ]
  test('is refused for a period that ends before it begins, and for an instant in the future', async () => {
    expect(await create({ from: now.toISOString(), to: daysAgo(1).toISOString() })).toMatchObject({
      code: 'invalid_request',
      details: detail('to'),
    })
    expect(await create({ as_of: never })).toMatchObject({
      code: 'invalid_request',
      details: detail('as_of'),
    })
  })

  test('is refused over its maximum of entries, with the maximum', async () => {
    const large = newId('partner')
    const state = ledger.onboarding.relate({ partner_id: large })
    await post(daysAgo(-1), payment(state.partner_customer_id, newId('fiatOrder')))
    await ledger.sql(`
      UPDATE books.entries SET number = ${MAX_REPORT_ENTRIES + 1} WHERE number = 2 AND account_id =
        (SELECT id FROM books.accounts WHERE name = '${state.partner_customer_id}:pending')`)
    const asked = { partner_customer_id: state.partner_customer_id, to: never }
    expect(
      await create({ ...asked, as_of: new Date(ledger.clock.nowMs()).toISOString() }, large),
    ).toMatchObject({
      code: 'invalid_request',
      details: [
        { field: 'to', reason: 'too_big', expected: expect.stringContaining(String(MAX_REPORT_ENTRIES)) },
      ],
    })
  })
})

test('answers a repeated creation with its first report', async () => {
  const [one, again] = [await create({}, partner, 'report-key'), await create({}, partner, 'report-key')]
  expect(reportOf(again).report_id).toBe(reportOf(one).report_id)
  expect(await create({ type: 'fees' }, partner, 'report-key')).toMatchObject({
    code: 'idempotency_key_reuse',
  })
})

describe('a report that cannot be made', () => {
  test('is tried three times, and then fails', async () => {
    await ledger.sql('ALTER TABLE report_parts RENAME TO report_parts_away')
    const failed = await ended()
    await ledger.sql('ALTER TABLE report_parts_away RENAME TO report_parts')
    expect(failed).toMatchObject({ status: 'failed', rows: null, url: null })
    expect(await ended()).toMatchObject({ status: 'ready' })
  })

  test('is taken over from a replica that has died', async () => {
    const { report_id: id } = await ended()
    await ledger.sql(`
      DELETE FROM report_parts WHERE report_id = '${id}';
      UPDATE reports SET status = 'running', holder = 'dead', lease_until = '2020-01-01' WHERE report_id = '${id}'`)
    await eventually(async () => reportOf(await get(id)).status === 'ready')
    expect((await bytesOf(reportOf(await get(id)))).length).toBeGreaterThan(0)
  })
})

test('lets a download that has begun continue after its URL has expired, and keeps a report for seven days', async () => {
  const report = await ended()
  ledger.clock.advance(10 * 60_000)
  expect(await ask('getFile', { token: tokenOf(report) })).toMatchObject({ code: 'resource_not_found' })
  expect(await ask('getPart', { token: tokenOf(report), part: '0' })).toMatchObject({ ok: true })
  ledger.clock.advance(7 * DAY_MS)
  expect(await get(report.report_id)).toMatchObject({ code: 'resource_not_found' })
  await ledger.stopReplicas()
  await ledger.startReplica()
  await eventually(async () => (await ledger.sql('SELECT FROM report_parts')).length === 0)
})

test('refuses the report after the hundredth that is kept', async () => {
  const eager = newId('partner')
  const racing = await Promise.all(
    Array.from({ length: MAX_REPORTS + 5 }, () => create({ type: 'fees' }, eager)),
  )
  expect(racing.filter(({ ok }) => ok).length).toBe(MAX_REPORTS)
  expect(racing.find(({ ok }) => !ok)).toMatchObject({
    code: 'limit_reached',
    details: [{ resource: 'reports', limit: MAX_REPORTS }],
  })
})
