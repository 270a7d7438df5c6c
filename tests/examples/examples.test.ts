import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { MERCHANT_EVENTS, PARTNER_EVENT_TYPES } from '@causeway/contracts'
import { signIn } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  type ApiDocument,
  BASE_URL_MARK,
  describeApi,
  describeOperatorApi,
  type Examples,
  EXAMPLES_FILE,
  readExamples,
} from '@causeway/reference'
import { PARKED_EVENT_ID } from '../contract/parameters.ts'
import { newDifference, parkEvent } from '../contract/platform-state.ts'
import { openDatabases } from '../contract/database.ts'
import { startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import {
  closeDifference,
  importSettlement,
  readBalances,
  readDailyTotals,
  readOrders,
  planReserve,
  readBooks,
  payPartner,
  readPayout,
  readDeposits,
  readSettlements,
  readStatement,
  takeReport,
} from './chapters/balances.ts'
import { linkAgain, onboard, setBrand } from './chapters/onboarding.ts'
import { keepPayoutWallets } from './chapters/payout-wallets.ts'
import { payByCrypto } from './chapters/crypto-orders.ts'
import { buyByOnramp, callBack, payByCard } from './chapters/payments.ts'
import {
  agreeOnPrices,
  concludeByStaff,
  endPortalSessions,
  payOut,
  publishAgreement,
  setUpPartner,
  workOffParkedEvent,
  writeOffByTwo,
} from './chapters/staff.ts'
import { findInLogs, keepEndpoints, leave, readFeed, readLog, registerMerchant } from './chapters/webhooks.ts'
import { createRecorder, eventExamplesOf } from './recorder.ts'
import { withStableValues } from './stable-values.ts'
import { ok, partiesOf, partnerClient } from './story.ts'

const BASE_URL = 'http://127.0.0.1:8080'
const SECRETS = { card: 'card secret of the examples', onramp: 'onramp secret of the examples' }
const documents: readonly ApiDocument[] = [describeApi(BASE_URL), describeOperatorApi(BASE_URL)]

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startReceiver>>
const recorder = createRecorder(documents)

beforeAll(async () => {
  receiver = await startReceiver()
  platform = await startTestPlatform({
    CHARGEBACK_THRESHOLD_MIN: '1000',
    // Staff then confirm the link of a second partner.
    MERCHANT_LINKING: 'confirmed',
    // A second person then confirms what lifts a suspension.
    FOUR_EYES: 'reinstatement',
    // A destination of payouts is then active once staff have confirmed it.
    PAYOUT_WALLET_WAIT: '1ms',
    // A settlement line becomes a difference after the next comparison.
    LEDGER_COMPARE_INTERVAL: '1s',
    SANDBOX_CARD_SECRET: SECRETS.card,
    SANDBOX_ONRAMP_SECRET: SECRETS.onramp,
  })
})
afterAll(async () => {
  await platform.stop()
  await receiver.stop()
})

/** When the story began, as the platform writes times. */
const startedAt = new Date().toISOString()

const tell = async (): Promise<void> => {
  const parties = partiesOf(platform, receiver, recorder.record)
  const { staff } = parties
  const agreementId = await publishAgreement(parties)
  const { credentials, partner, path: partnerPath, webhookPath } = await setUpPartner(parties)
  await ok(partner.get('/api/v1/partner/webhooks'))
  // From here on it gets every event.
  await ok(staff.patch(webhookPath, { event_types: [...PARTNER_EVENT_TYPES] }))
  const customer = await onboard(parties, partner)
  const { path, merchantId } = customer
  await setBrand(parties, partner, { path, partnerPath })
  const own = await registerMerchant(parties, merchantId)
  await endPortalSessions(parties, partnerPath.split('/').at(-1) ?? '')
  await payByCrypto(parties, partner, path)
  await payByCard(parties, partner, path)
  await readBalances(partner, own.merchant, path)
  await readOrders(staff, own.merchant, partnerPath)
  await readDailyTotals(parties, { partner, merchant: own.merchant }, { partnerPath, merchantId })
  await readBooks(parties, path.split('/').at(-1) ?? '')
  await planReserve(parties, merchantId)
  await importSettlement(parties)
  await closeDifference(parties)
  await keepPayoutWallets(parties, partner, path)
  const payoutId = await payOut(parties, merchantId)
  await readPayout({ partner, merchant: own.merchant }, path, payoutId)
  await payPartner(parties, partner, partnerPath)
  const unrecorded = await signIn({ baseUrl: platform.baseUrl, ...credentials })
  await takeReport(partner, unrecorded, startedAt)
  const month = startedAt.slice(0, 7)
  await readStatement({ recorded: partner, unrecorded }, `/api/v1/partner/statements/${month}`)
  await readLog(own.merchant, '/api/user', own.path)
  await readLog(staff, partnerPath, webhookPath)
  await readLog(
    partner,
    '/api/v1/partner',
    webhookPath.replace(`${partnerPath}/webhooks`, '/api/v1/partner/webhook-endpoints'),
  )
  await keepEndpoints(parties, partner, unrecorded)
  await readFeed(partner)
  await findInLogs(parties, partnerPath)
  const ownerPath = `/api/operator/merchants/${merchantId}`
  await readLog(staff, ownerPath, `${ownerPath}/webhooks/${own.path.split('/').at(-1)}`)
  const databases = await openDatabases(platform)
  const difference = await newDifference(databases)
  await parkEvent(databases)
  await readSettlements(own.merchant, databases)
  await readDeposits(own.merchant, databases)
  await databases.close()
  await ok(staff.post(`/api/operator/reconciliation/differences/${difference}/close`))
  await workOffParkedEvent(parties, `onboarding-disputes/${PARKED_EVENT_ID}`)
  await linkAgain(parties)
  const orderId = await buyByOnramp(parties, partner, path)
  await readStatement({ recorded: own.merchant, unrecorded: own.unrecorded }, `/api/user/statements/${month}`)
  await partnerClient(parties, credentials)
  await callBack(parties, SECRETS, { orderKey: '1001', orderId })
  await leave(own.merchant, own.path)
  await agreeOnPrices(parties, partnerPath, merchantId)
  await writeOffByTwo(parties, merchantId, path.split('/').at(-1) ?? '')
  await concludeByStaff(parties, { ...customer, agreementId })
}

const sorted = (entries: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => a.localeCompare(b, 'en')))

/** The recorded examples, with values that do not depend on the run. */
const recorded = (): Examples => {
  const events = eventExamplesOf(receiver.deliveries.map(({ event }) => event))
  const text = JSON.stringify({
    operations: sorted(recorder.operations),
    events: {
      partner: sorted(Object.entries(events.partner)),
      merchant: sorted(Object.entries(events.merchant)),
    },
  })
  return JSON.parse(
    withStableValues(text, {
      anchor: startedAt,
      addresses: {
        [platform.baseUrl]: BASE_URL_MARK,
        [platform.sandboxUrl]: 'https://pay.example',
        [receiver.url]: 'https://shop.example/hooks',
      },
    }),
  ) as Examples
}

/** One line an operation and an event, so that a change of one is a change of its line. */
const asText = ({ operations, events }: Examples): string => {
  const members = (entries: object) =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  return `{"operations":{\n${members(operations)}},
"events":{"partner":{\n${members(events.partner)}},
"merchant":{\n${members(events.merchant)}}}}\n`
}

/** A value's fields without what is in them: their types are checked by the document's schemas. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return 'a value'
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

/** Operations whose examples are written by hand: they need a signer, which the story has not. */
const WRITTEN = ['listTreasuryAddresses', 'sendPayout']

/** Adds the examples that are written by hand, as the file has them. */
const withWritten = (now: Examples, known: Examples): Examples => {
  const written = Object.entries(known.operations).filter(([id]) => WRITTEN.includes(id))
  const all = [...Object.entries(now.operations), ...written]
  return { ...now, operations: Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

test('keeps every example of an operation or event equal to the platform’s answers and deliveries', async () => {
  await tell()
  expect(receiver.deliveries.filter(({ verified }) => !verified)).toEqual([])
  const now = withWritten(recorded(), readExamples(BASE_URL_MARK))
  expect(Object.keys(now.events.partner).toSorted()).toEqual([...PARTNER_EVENT_TYPES].toSorted())
  expect(Object.keys(now.events.merchant).toSorted()).toEqual([...MERCHANT_EVENTS].toSorted())
  if (process.env['RECORD_EXAMPLES'] !== undefined) await writeFile(EXAMPLES_FILE, asText(now))
  expect(shapeOf(now)).toEqual(shapeOf(readExamples(BASE_URL_MARK)))
})
