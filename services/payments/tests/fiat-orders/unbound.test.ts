import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { queryNone } from '@causeway/chassis'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const run = (text: string) => queryNone({ name: `test.${text.slice(0, 20)}`, text })(payments.db)

it('leaves a card order open that the database cannot bind to its page, and its key continues with it', async () => {
  const { partner, customerId, integrationId } = await fiat.newShop()
  const body = { integration_id: integrationId, amount_cents: 500, currency: 'EUR' }
  await run(`CREATE FUNCTION fail_binding() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$`)
  await run('CREATE TRIGGER fail_binding BEFORE UPDATE ON fiat_orders EXECUTE FUNCTION fail_binding()')
  expect(await fiat.create(partner, customerId, body, 'unbound')).toEqual({
    ok: false,
    code: 'internal_error',
  })
  await run('DROP FUNCTION fail_binding() CASCADE')
  const found = await fiat.create(partner, customerId, body, 'unbound')
  expect(found).toMatchObject({ ok: true, replay: { requestId: expect.stringMatching(/^req_/) } })
  expect(await fiat.list(partner, customerId)).toMatchObject({ value: { orders: [{}] } })
})
