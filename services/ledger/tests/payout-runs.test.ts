import { newId, queryOne, reply } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { payoutRuns } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

type Given = Readonly<{ earned?: readonly bigint[]; interval?: string; minimum?: number; unit?: string }>

const earn = (ownerId: string, amounts: readonly bigint[], unit = 'EUR') => {
  const postings = amounts.map((amount) =>
    adjustmentPosting({ ownerId, unit, amount }, newId('adjustment'), new Date()),
  )
  return postBatch(ledger.db.pooled, { postings }, new Date())
}
/** A relationship with earnings, and a schedule if it has an interval. */
const newCustomer = async ({ earned = [], interval, minimum = 0, unit = 'EUR' }: Given = {}) => {
  const state = ledger.onboarding.relate({ grants: ['payouts'] })
  await ledger.onboarding.publish(state)
  const { partner_customer_id: id } = state
  await eventually(
    async () =>
      (await ledger.sql('SELECT FROM relationships WHERE partner_customer_id = $1', [id])).length === 1,
  )
  if (earned.length > 0) await earn(id, earned, unit)
  if (interval !== undefined)
    await ledger.sql(
      `INSERT INTO payout_schedules (partner_customer_id, unit, interval, minimum, due_at)
       VALUES ($1, $2, $3, $4, CASE $3 WHEN 'manual' THEN NULL ELSE '2999-01-01'::timestamptz END)`,
      [id, unit, interval, minimum],
    )
  return id
}
const run = async (body: object = {}, idempotencyKey?: string) => {
  const answer = await ledger.asStaff(payoutRuns.run, {
    body: body,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}
/** A run’s answer about one relationship. */
const ofCustomer = ({ payouts, skipped }: Awaited<ReturnType<typeof run>>, id: string) => [
  ...payouts
    .filter((each) => each.partner_customer_id === id)
    .map((each) => ['paid', each.amount_cents, each.summary.entry_count]),
  ...skipped
    .filter((each) => each.partner_customer_id === id)
    .map(({ reason, available, unit }) => [reason, available, unit]),
]
const sumsOf = async (owner: string, unit = 'EUR') => {
  const sums = await ledger.sums()
  return [sums[`${owner}:available ${unit}`] ?? 0n, sums[`${owner}:on_the_way ${unit}`] ?? 0n]
}
const rowsOf = async () => ({
  payouts: await ledger.sql('SELECT * FROM payouts ORDER BY payout_id'),
  journal: await ledger.sql('SELECT seq FROM books.journal ORDER BY seq'),
  runs: await ledger.sql('SELECT run_id FROM payout_runs ORDER BY run_id'),
  events: await ledger.events(),
})

test('pays every relationship with a schedule what was available, and says why it pays the others nothing', async () => {
  const daily = await newCustomer({ earned: [5_000n, -700n, 200n], interval: 'daily' })
  const small = await newCustomer({ earned: [99n], interval: 'daily', minimum: 100 })
  const owing = await newCustomer({ earned: [-300n], interval: 'daily' })
  const manual = await newCustomer({ earned: [400n] })
  const byHand = await newCustomer({ earned: [400n], interval: 'manual' })
  const answer = await run({ unit: 'EUR' })
  expect([daily, small, owing, manual, byHand].map((id) => ofCustomer(answer, id))).toEqual([
    [['paid', 4_500, 3]],
    [['below_minimum', 99, 'EUR']],
    [['negative', -300, 'EUR']],
    [['manual', 400, 'EUR']],
    [['manual', 400, 'EUR']],
  ])
  expect(await sumsOf(daily)).toEqual([0n, 4_500n])
  const [payout] = answer.payouts.filter((each) => each.partner_customer_id === daily)
  expect(payout).toMatchObject({ status: 'upcoming', summary: { adjustments: 4_500, advance: 0 } })
  const told = (await ledger.events()).filter((event) =>
    JSON.stringify(event).includes(payout?.payout_id ?? '-'),
  )
  expect(told.map(({ name }) => name)).toEqual(['payout.upcoming'])
  expect(await verifyBooks(ledger.db.pooled, new Date())).toEqual([])
})

test('charges the fee of the price plan, also in a preview, and pays nothing below the minimum', async () => {
  const charged = await newCustomer({ earned: [5_000n, -700n], interval: 'daily' })
  const small = await newCustomer({ earned: [124n], interval: 'daily', minimum: 100 })
  for (const id of [charged, small]) ledger.payments.fees.set(id, 25)
  for (const change of [{ dry_run: true }, {}]) {
    const answer = await run({ unit: 'EUR', ...change })
    expect([charged, small].map((id) => ofCustomer(answer, id))).toEqual([
      [['paid', 4_275, 3]],
      [['below_minimum', 124, 'EUR']],
    ])
    const [payout] = answer.payouts.filter((each) => each.partner_customer_id === charged)
    expect(payout?.summary).toMatchObject({ adjustments: 4_300, payout_fee: -25, advance: 0 })
  }
  expect(await sumsOf(charged)).toEqual([0n, 4_275n])
  expect(await sumsOf(small)).toEqual([124n, 0n])
})

test('pays a relationship that is named although it is manual, from its minimum on, in the unit that is named', async () => {
  const id = await newCustomer({ earned: [400n], interval: 'manual', minimum: 500 })
  await earn(id, [70n], 'USD')
  const named = { partner_customer_id: id }
  expect(ofCustomer(await run({ ...named, unit: 'USD' }), id)).toEqual([['paid', 70, 1]])
  expect(ofCustomer(await run(named), id)).toEqual([['below_minimum', 400, 'EUR']])
  await earn(id, [100n])
  expect(ofCustomer(await run(named), id)).toEqual([['paid', 500, 2]])
})

/** An account of a customer, to which its schedule goes. */
const addDestination = async (id: string, state: string, status = 'active') => {
  const walletId = newId('payoutWallet')
  await ledger.sql(
    `INSERT INTO payout_wallets (payout_wallet_id, partner_customer_id, kind, unit, masked, account_sealed, status,
       confirmed_at, usable_from, created_at, deleted_at)
     VALUES ($1, $2, 'iban', 'EUR', 'DE•• •••• 4242', 'sealed', $3, CASE WHEN $3 = 'active' THEN now() END, now(), now(),
       CASE WHEN $4 = 'deleted' THEN now() END)`,
    [walletId, id, status, state],
  )
  await ledger.sql('UPDATE payout_schedules SET payout_wallet_id = $2 WHERE partner_customer_id = $1', [
    id,
    walletId,
  ])
  return walletId
}

test('pays to the destination that the schedule names, and shows the same in a dry run', async () => {
  const id = await newCustomer({ earned: [400n], interval: 'daily' })
  const byHand = await newCustomer({ earned: [70n], interval: 'manual' })
  const elsewhere = await newCustomer({ earned: [30n], interval: 'daily' })
  const walletId = await addDestination(id, 'kept')
  await addDestination(byHand, 'kept')
  const shown = await run({ dry_run: true, partner_customer_id: id })
  const paid = [
    ...(await run({ unit: 'EUR' })).payouts,
    ...(await run({ partner_customer_id: byHand })).payouts,
  ].filter((each) => [id, byHand, elsewhere].includes(each.partner_customer_id))
  const termsOf = ({ destination, schedule, amount_cents: amount }: (typeof paid)[number]) => [
    amount,
    destination,
    schedule?.interval,
  ]
  expect(paid.map(termsOf).sort()).toEqual([
    [30, null, 'daily'],
    [400, 'DE•• •••• 4242', 'daily'],
    [70, 'DE•• •••• 4242', 'manual'],
  ])
  expect(shown.payouts.map(termsOf)).toEqual([[400, 'DE•• •••• 4242', 'daily']])
  expect(paid.find((each) => each.partner_customer_id === id)?.schedule?.payout_wallet_id).toBe(walletId)
  expect(await ledger.sql('SELECT payout_wallet_id AS id FROM payouts WHERE owner_id = $1', [id])).toEqual([
    { id: walletId },
  ])
})

test('pays nothing while the destination of the schedule is deleted or not active, and says so', async () => {
  const ids = []
  for (const [state, status] of [
    ['deleted', 'active'],
    ['kept', 'waiting'],
    ['kept', 'refused'],
  ] as const) {
    const id = await newCustomer({ earned: [400n], interval: 'daily' })
    await addDestination(id, state, status)
    ids.push(id)
  }
  for (const body of [{ dry_run: true }, {}]) {
    const answer = await run({ ...body, unit: 'EUR' })
    for (const id of ids) expect(ofCustomer(answer, id)).toEqual([['no_destination', 400, 'EUR']])
  }
  const [named = ''] = ids
  expect(ofCustomer(await run({ partner_customer_id: named }), named)).toEqual([
    ['no_destination', 400, 'EUR'],
  ])
  expect(await sumsOf(named)).toEqual([400n, 0n])
})

test('pays at the new destination where a schedule is changed while the run waits', async () => {
  const id = await newCustomer({ earned: [400n], interval: 'daily' })
  await addDestination(id, 'kept')
  let running: ReturnType<typeof run> | undefined
  let second = ''
  await ledger.db.transaction(async (tx) => {
    const lockOwner = queryOne({
      name: 'test.lock-owner',
      parameters: { id: 'text' },
      text: 'SELECT FROM relationships WHERE partner_customer_id = :id FOR NO KEY UPDATE',
      row: z.object({}),
    })
    await lockOwner(tx, { id })
    running = run({ partner_customer_id: id })
    await eventually(
      async () =>
        (
          await ledger.sql(
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
          )
        ).length === 1,
    )
    second = await addDestination(id, 'kept')
    return reply(null)
  })
  expect((await running)?.payouts[0]?.schedule?.payout_wallet_id).toBe(second)
})

test('leaves what was recorded at the cut-off or later for the next run', async () => {
  const id = await newCustomer({ earned: [100n] })
  const [row] = await ledger.sql<{ at: Date }>('SELECT recorded_at AS at FROM books.head')
  const cutOff = new Date((row?.at.getTime() ?? 0) + 1).toISOString()
  await eventually(() => Date.now() > Date.parse(cutOff))
  await earn(id, [30n])
  const named = { partner_customer_id: id }
  expect(ofCustomer(await run({ ...named, cut_off: cutOff }), id)).toEqual([['paid', 100, 1]])
  expect(ofCustomer(await run(named), id)).toEqual([['paid', 30, 1]])
})

test('pays nothing to a relationship that is revoked, unconfirmed or suspended', async () => {
  const hold = async (change: object) => {
    const id = await newCustomer({ earned: [100n], interval: 'daily' })
    const state = ledger.onboarding.relate({ grants: ['payouts'], version: 2 }, id)
    await ledger.onboarding.publish({ ...state, ...change })
    await eventually(
      async () =>
        (await ledger.sql('SELECT FROM relationships WHERE partner_customer_id = $1 AND version = 2', [id]))
          .length === 1,
    )
    return id
  }
  const because = (reason: 'suspended' | 'link_unconfirmed' | 'agreement_required') => ({
    capabilities: [{ capability: 'payouts' as const, enabled: true, available: false, reason }],
  })
  const held = [
    await hold({ status: 'revoked' }),
    await hold(because('suspended')),
    await hold(because('link_unconfirmed')),
  ]
  const open = await hold(because('agreement_required'))
  const answer = await run()
  for (const id of held) expect(ofCustomer(answer, id)).toEqual([['on_hold', 100, 'EUR']])
  expect(ofCustomer(answer, open)).toEqual([['paid', 100, 1]])
  expect(ofCustomer(await run({ partner_customer_id: held[0] }), held[0] ?? '')).toEqual([
    ['on_hold', 100, 'EUR'],
  ])
})

test('shows in a dry run exactly what the run then pays, and writes nothing', async () => {
  const id = await newCustomer({ earned: [900n, -50n], interval: 'daily' })
  const before = await rowsOf()
  const shown = await run({ dry_run: true }, newId('request'))
  expect(await rowsOf()).toEqual(before)
  const done = await run({ cut_off: shown.cut_off })
  const comparable = ({ payouts }: typeof done) =>
    payouts
      .map(({ payout_id: _id, scheduled_for: _at, created_at: _made, ...rest }) => rest)
      .sort((a, b) => a.partner_customer_id.localeCompare(b.partner_customer_id))
  expect(comparable(done)).toEqual(comparable(shown))
  expect(done.skipped).toEqual(shown.skipped)
  expect(shown.payouts.map((each) => each.payout_id)).toEqual(shown.payouts.map(() => null))
  expect(ofCustomer(done, id)).toEqual([['paid', 850, 2]])
})

test('pays once and gives one answer however often a key is repeated, also at the same time', async () => {
  const id = await newCustomer({ earned: [640n] })
  const [key, body] = [newId('request'), { partner_customer_id: id }]
  const racing = await Promise.all(Array.from({ length: 4 }, () => run(body, key)))
  for (const answer of racing) expect(ofCustomer(answer, id)).toEqual([['paid', 640, 1]])
  expect(new Set(racing.map(({ payouts }) => payouts[0]?.payout_id)).size).toBe(1)
  await earn(id, [5n])
  expect(await run(body, key)).toEqual(racing[0])
  expect(await sumsOf(id)).toEqual([5n, 640n])
  expect(await ledger.asStaff(payoutRuns.run, { body: {}, idempotencyKey: key })).toEqual({
    ok: false,
    code: 'idempotency_key_reuse',
  })
})

test('continues an interrupted run with its cut-off, and answers with the payouts from before', async () => {
  const [id, body, key] = [await newCustomer({ earned: [640n] }), {}, newId('request')]
  const first = await run({ ...body, partner_customer_id: id }, key)
  // As if it had ended before its answer was kept, with more money since.
  await ledger.sql('UPDATE payout_runs SET answer = NULL WHERE key = $1', [key])
  await eventually(() => Date.now() > Date.parse(first.cut_off))
  await earn(id, [7n])
  const second = await run({ ...body, partner_customer_id: id }, key)
  expect([second.cut_off, second.payouts]).toEqual([first.cut_off, first.payouts])
  expect(await sumsOf(id)).toEqual([7n, 640n])
})

test('reaches every balance page by page, each once', async () => {
  const ids: string[] = []
  for (let count = 0; count < 101; count += 1) {
    const id = newId('relationship')
    ids.push(id)
    await ledger.sql(
      `INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
       VALUES ($1, $2, $3, 'active', '{}', 1)`,
      [id, newId('partner'), newId('merchant')],
    )
  }
  for (const id of ids) await earn(id, [10n], 'SEK')
  await ledger.sql(
    `INSERT INTO payout_schedules (partner_customer_id, unit, interval, minimum, due_at)
     SELECT unnest($1::text[]), 'SEK', 'daily', 0, '2999-01-01'`,
    [ids],
  )
  const first = await run({ unit: 'SEK' })
  const second = await run({ unit: 'SEK', cut_off: first.cut_off, cursor: first.next_cursor })
  expect([first.payouts.length, second.payouts.length, second.next_cursor]).toEqual([100, 1, null])
  const paid = [...first.payouts, ...second.payouts].map((each) => each.partner_customer_id)
  expect(paid.sort()).toEqual(ids.sort())
})

test('refuses a cut-off in the future, unknown relationships, units that are no currency and foreign cursors', async () => {
  const refusalOf = async (body: object) => {
    const answer = await ledger.asStaff(payoutRuns.run, { body: body })
    return answer.ok ? 'ok' : [answer.code, answer.details?.[0]?.['field']]
  }
  expect(await refusalOf({ cut_off: '2999-01-01T00:00:00Z' })).toEqual(['invalid_request', 'cut_off'])
  expect(await refusalOf({ partner_customer_id: newId('relationship') })).toEqual([
    'resource_not_found',
    undefined,
  ])
  expect(await refusalOf({ unit: 'ETH/USDC' })).toEqual(['invalid_request', 'unit'])
  expect(await refusalOf({ cursor: 'x' })).toEqual(['invalid_cursor', undefined])
})

test('needs a second person for a run, and none for a dry run', async () => {
  const groupsOf = async (body: object) => {
    const answer = await ledger.asStaff(payoutRuns.prepareRun, { body: body })
    return answer.ok ? answer.value.groups : answer.code
  }
  expect([await groupsOf({}), await groupsOf({ dry_run: false }), await groupsOf({ dry_run: true })]).toEqual(
    [['money'], ['money'], []],
  )
})
