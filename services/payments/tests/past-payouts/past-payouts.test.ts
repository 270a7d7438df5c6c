import { newId } from '@causeway/chassis'
import { pastPayouts } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const ledger = { kind: 'service', service: 'ledger' } as const
const list = async (): Promise<string[]> => {
  const answer = await payments.ask(pastPayouts.list, ledger)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payouts.map(({ payout_id: id, status }) => `${id} ${status}`)
}
const confirm = (payoutId: string, status: string) =>
  payments.ask(pastPayouts.confirm, ledger, { body: { payouts: [{ payout_id: payoutId, status }] } })

test('hands a payout over until its status is confirmed, and again after a replica of the version before changed it', async () => {
  const [first, second] = [newId('payout'), newId('payout')]
  for (const id of [first, second])
    await payments.sql(
      `INSERT INTO payouts (id, merchant_id, amount_cents, currency, status, scheduled_for, created_at)
       VALUES ($1, $2, 100, 'EUR', 'upcoming', now(), now())`,
      [id, newId('merchant')],
    )
  expect(await list()).toEqual([`${first} upcoming`, `${second} upcoming`])
  await confirm(first, 'upcoming')
  expect(await list()).toEqual([`${second} upcoming`])
  await payments.sql("UPDATE payouts SET status = 'sent', sent_at = now() WHERE id = $1", [first])
  await confirm(second, 'upcoming')
  // A confirmation that was under way meanwhile says nothing of the new status.
  await confirm(first, 'upcoming')
  expect(await list()).toEqual([`${first} sent`])
  await confirm(first, 'sent')
  expect(await list()).toEqual([])
})
