import { newId } from '@causeway/chassis'
import { ledgerBooks } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../../src/posting/post-facts.ts'
import { disputed, paid, timeOf } from '../fixtures/facts.ts'
import { startForTests, type RunningLedger } from '../running-ledger.ts'

let ledger: RunningLedger
const [relationship, dispute] = [newId('relationship'), disputed({ estimated: true, fee: null })]
beforeAll(async () => {
  ledger = await startForTests()
  const at = (day: number) => ({ db: ledger.db, clock: { now: () => new Date(timeOf(day)) } })
  for (let count = 0; count < 3; count += 1)
    await postFacts(at(0), [
      paid({
        fact_id: `paid-${count}`,
        partner_customer_id: relationship,
        available_at: new Date(ledger.clock.nowMs() + 86_400_000).toISOString(),
      }),
    ])
  await postFacts(at(3), [{ ...dispute, partner_customer_id: relationship }])
})
afterAll(() => ledger.stop())

const valueOf = <T>(answer: Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; code: string }>): T => {
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}

test('lists accounts page by page, and those of one owner', async () => {
  const names: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { limit: '3', ...(cursor !== undefined && { cursor }) }
    const page = valueOf(await ledger.asStaff(ledgerBooks.listAccounts, { query }))
    names.push(...page.accounts.map(({ account }) => account))
    cursor = page.next_cursor
  }
  expect(names.toSorted()).toEqual(
    [
      `${relationship}:available`,
      `${relationship}:pending`,
      'income:service_fee',
      'processor:stripe:receivable',
    ].toSorted(),
  )
  const owned = await ledger.asStaff(ledgerBooks.listAccounts, { query: { owner_id: relationship } })
  expect(
    valueOf(owned)
      .accounts.map(({ balance, amount }) => [balance, amount])
      .toSorted(),
  ).toEqual([
    ['available', -6_000],
    ['pending', 29_250],
  ])
})

const accountNamed = async (name: string): Promise<string> => {
  const { accounts } = valueOf(await ledger.asStaff(ledgerBooks.listAccounts, { query: {} }))
  return accounts.find(({ account }) => account === name)?.account_id ?? ''
}
const entriesOf = async (accountId: string) => {
  const amounts: unknown[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { limit: '2', ...(cursor !== undefined && { cursor }) }
    const page = valueOf(
      await ledger.asStaff(ledgerBooks.listAccountEntries, { params: { accountId }, query }),
    )
    amounts.push(...page.entries.map(({ amount, other_account: other }) => `${amount} ${other}`))
    cursor = page.next_cursor
  }
  return amounts
}

test('lists the entries of accounts with and without an owner, signed by the account’s usual side', async () => {
  const [pending, available] = [`${relationship}:pending`, `${relationship}:available`]
  expect(await entriesOf(await accountNamed('processor:stripe:receivable'))).toEqual([
    `-6000 ${available}`,
    `10000 ${pending}`,
    `10000 ${pending}`,
    `10000 ${pending}`,
  ])
  expect(await entriesOf(await accountNamed(pending))).toEqual(
    ['-250 income:service_fee', '10000 processor:stripe:receivable'].flatMap((each, _, pair) =>
      each === pair[0] ? [...pair, ...pair, ...pair] : [],
    ),
  )
  const unknown = await ledger.asStaff(ledgerBooks.listAccountEntries, {
    params: { accountId: '999999' },
    query: {},
  })
  expect(unknown).toMatchObject({ code: 'resource_not_found' })
})

test('shows a posting with both sides of its transfers', async () => {
  const accountId = await accountNamed('income:service_fee')
  const { entries } = valueOf(
    await ledger.asStaff(ledgerBooks.listAccountEntries, { params: { accountId }, query: {} }),
  )
  const journalId = entries[0]?.journal_id ?? ''
  const { journal } = valueOf(await ledger.asStaff(ledgerBooks.getJournal, { params: { journalId } }))
  expect(journal).toMatchObject({ journal_id: journalId, source: 'paid-2', rule: 'fact', reverses: null })
  expect(journal.transfers).toEqual([
    {
      line: 1,
      debit: 'processor:stripe:receivable',
      credit: `${relationship}:pending`,
      unit: 'EUR',
      amount: 10_000,
      entries: [{ account: `${relationship}:pending`, kind: 'payment', amount: 10_000 }],
    },
    {
      line: 2,
      debit: `${relationship}:pending`,
      credit: 'income:service_fee',
      unit: 'EUR',
      amount: 250,
      entries: [{ account: `${relationship}:pending`, kind: 'service_fee', amount: -250 }],
    },
  ])
})

test('reads the trial balance at an instant', async () => {
  const balanceAt = async (at: string) =>
    valueOf(await ledger.asStaff(ledgerBooks.getTrialBalance, { query: { at } }))
  expect(await balanceAt(timeOf(-1))).toEqual({ as_of: timeOf(-1), units: [] })
  expect((await balanceAt(timeOf(1))).units).toMatchObject([
    { unit: 'EUR', debits: 30_750, credits: 30_750, difference: 0 },
  ])
  const { units } = valueOf(await ledger.asStaff(ledgerBooks.getTrialBalance, { query: {} }))
  expect(units[0]?.accounts).toContainEqual({
    account: 'processor:stripe:receivable',
    class: 'asset',
    balance: 24_000,
  })
})

const exceptions = async () => valueOf(await ledger.asStaff(ledgerBooks.listExceptions)).exceptions

test('lists negative balances and estimated disputes as exceptions', async () => {
  expect(await exceptions()).toMatchObject([
    {
      ...{ kind: 'negative_balance', subject: `${relationship}:available`, unit: 'EUR', amount: -6_000 },
      since: expect.any(String),
    },
    { kind: 'estimated_dispute', subject: dispute.fact_id, order_key: dispute.order_key },
  ])
})

test('lists facts that differ from their source until staff accept them, and sources that are not compared', async () => {
  const since = timeOf(4)
  for (const [id, kind] of [
    ['paid-0', 'absent'],
    ['paid-1', 'differs'],
    ['unknown', 'refused'],
  ])
    await ledger.sql(
      `INSERT INTO fact_differences VALUES ('${id}', 'payments', 1, '${kind}', 'Because', '${since}')`,
    )
  const comparedAt = new Date(ledger.clock.nowMs() - 301_000).toISOString()
  await ledger.sql(
    `INSERT INTO fact_comparisons (service, compared_at, due_at, holder, lease_until)
     VALUES ('payments', '${comparedAt}', 'infinity', 'test', 'infinity')
     ON CONFLICT (service) DO UPDATE SET compared_at = excluded.compared_at, due_at = 'infinity', holder = 'test',
       lease_until = 'infinity'`,
  )
  const others = async () => (await exceptions()).slice(2)
  const nothing = { unit: null, amount: null, order_key: null, order_id: null }
  const { order_key, order_id } = paid()
  const order = { ...nothing, order_key, order_id }
  const notCompared = { ...nothing, kind: 'not_compared', subject: 'payments', since: comparedAt }
  expect(await others()).toEqual([
    { ...order, kind: 'fact_absent', subject: 'paid-0', since },
    { ...order, kind: 'fact_differs', subject: 'paid-1', since },
    { ...nothing, kind: 'fact_refused', subject: 'unknown', since },
    notCompared,
  ])
  await ledger.sql("UPDATE fact_differences SET accepted_at = now(), note = 'Right'")
  expect(await others()).toEqual([notCompared])
  await ledger.sql('UPDATE fact_comparisons SET compared_at = now()')
  expect(await others()).toEqual([])
})
