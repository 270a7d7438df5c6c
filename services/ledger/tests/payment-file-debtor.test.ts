import { paymentFiles } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { loadConfig, SETTINGS } from '../src/config.ts'
import { destinationsOf } from './fixtures/destinations.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 } })
})
afterAll(() => ledger.stop())

test('names the settings that are missing, and makes no file without them', async () => {
  const payable = destinationsOf(ledger)
  await payable.payOut(await payable.newDestination(100_000n))
  expect(await ledger.asStaff(paymentFiles.create, { body: { unit: 'EUR' } })).toMatchObject({
    code: 'invalid_state',
    details: [{ setting: 'PAYOUT_DEBTOR_NAME' }, { setting: 'PAYOUT_DEBTOR_IBAN' }],
  })
  expect(await ledger.sql('SELECT FROM payment_files')).toEqual([])
})

test.each([
  ['PAYOUT_DEBTOR_IBAN', 'DE93999999990000000002', /IBAN/],
  ['PAYOUT_DEBTOR_NAME', '支付', /70 characters/],
  ['PAYOUT_DEBTOR_BIC', 'COBA', /BIC/],
] as const)('refuses to start with the wrong %s %s', (name, value, message) => {
  expect(() => SETTINGS[name].parse(value)).toThrow(message)
  expect(() => loadConfig({ [name]: value })).toThrow(name)
})
