import { newId, refuse } from '@causeway/chassis'
import { cryptoOrders, type Operation } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadConfig } from '../../src/config.ts'
import { operationRoutes } from '@causeway/contracts/http'
import {
  KNOWN_MERCHANT,
  KNOWN_WEBHOOK,
  plannedRefund,
  VERSION,
} from '../../../gateway/tests/fixtures/script.ts'
import { newPartner, type Replica } from '../../../gateway/tests/fixtures/running-gateway.ts'
import {
  actionIn,
  HELD_SUBJECTS,
  ALL,
  openFourEyes,
  type FourEyesFixture,
  type Person,
} from '../../../gateway/tests/fixtures/four-eyes.ts'

let fixture: FourEyesFixture
let ada: Person
let ben: Person

beforeAll(async () => {
  fixture = await openFourEyes()
  ada = await fixture.newPerson('admin')
  ben = await fixture.newPerson('admin')
})
afterAll(() => fixture.close())

describe('a refund that the signer sends', () => {
  let withSigner: Replica
  beforeAll(async () => {
    withSigner = await fixture.startReplica({ fourEyes: ALL, approvalKey: Buffer.alloc(32, 5) })
    fixture.script.refund = plannedRefund(body.to_address)
  })
  const orderId = newId('cryptoOrder')
  const body = { to_address: 'bc1qpayer' }

  test('reaches the signer only once a second person has confirmed it', async () => {
    const held = await ada.at(withSigner).ask('POST', `/orders/${orderId}/refund`, body)
    expect([held.status, actionIn(held)]).toMatchObject([
      202,
      { action: 'payments.crypto-orders.refund', role: 'finance', target: orderId, asked: body },
    ])
    expect(fixture.script.refundCalls).toEqual([])

    await ben.at(withSigner).decide(actionIn(held), 'confirm')
    const caller = { kind: 'operator', actor: ada.id }
    expect(fixture.script.refundCalls).toMatchObject([
      { service: 'payments', caller, orderId, body },
      { service: 'signer', caller, approval: { approved_by: ada.id, confirmed_by: ben.id } },
    ])
  })

  test('never reaches the signer if it is declined', async () => {
    fixture.script.refundCalls.splice(0)
    const held = await ada.at(withSigner).ask('POST', `/orders/${newId('cryptoOrder')}/refund`, body)
    expect(actionIn(await ben.at(withSigner).decide(actionIn(held), 'decline')).status).toBe('declined')
    expect(fixture.script.refundCalls).toEqual([])
  })

  test('needs one person where the setting does not name money, and reaches the signer after payments has recorded it', async () => {
    fixture.script.refundCalls.splice(0)
    const alone = await fixture.startReplica({ fourEyes: new Set(), approvalKey: Buffer.alloc(32, 5) })
    await ada.at(alone).ask('POST', `/orders/${orderId}/refund`, body)
    const caller = { kind: 'operator', actor: ada.id }
    expect(fixture.script.refundCalls).toMatchObject([
      { service: 'payments', caller, orderId, body },
      { service: 'signer', caller, approval: { approved_by: ada.id, confirmed_by: null } },
    ])
    await alone.stop()
  })
})

test('holds a raised refund limit for a second person, and applies a lowered one immediately', async () => {
  const { client } = await newPartner(fixture.plain)
  const path = `/clients/${client.client_id}`
  const limit = (daily_refund_limit_cents: number | null) =>
    ada.ask('PATCH', path, { daily_refund_limit_cents })
  const first = await limit(10_000)
  expect([first.status, actionIn(first).before]).toMatchObject([202, { daily_refund_limit_cents: null }])
  expect(actionIn(await ben.decide(actionIn(first), 'confirm')).status).toBe('done')
  expect((await limit(5_000)).status).toBe(200)
  expect((await limit(5_000)).status).toBe(200)
  for (const raised of [5_001, null]) expect((await limit(raised)).status).toBe(202)
  const outdated = actionIn(await limit(9_000))
  expect((await limit(4_000)).status).toBe(200)
  expect((await ben.decide(outdated, 'confirm')).details).toMatchObject([{ reason: 'changed' }])
})

test('marks the update of a client as outdated if the client changes after the comparison', async () => {
  const { client } = await newPartner(fixture.plain)
  const path = `/clients/${client.client_id}`
  const action = actionIn(await ada.ask('PATCH', path, { daily_refund_limit_cents: 10_000 }))
  const runs: ReturnType<Person['decide']>[] = []
  await fixture.whileChangesWait(async (held) => {
    runs.push(ben.decide(action, 'confirm'))
    await fixture.untilClaimed(action, ben)
    await held.query('UPDATE clients SET daily_refund_limit_cents = 50 WHERE client_id = $1', [
      client.client_id,
    ])
  })
  const [refused] = await Promise.all(runs)
  expect(refused?.details).toMatchObject([{ reason: 'changed' }])
  const shown = await ben.ask('GET', `/pending-actions/${action.pending_action_id}`)
  expect(actionIn(shown)).toMatchObject({ status: 'outdated', code: 'invalid_state' })
  const [row] = await fixture.sql(
    'SELECT daily_refund_limit_cents AS limit FROM clients WHERE client_id = $1',
    [client.client_id],
  )
  expect(row).toEqual({ limit: '50' })
})

const WEBHOOK = `/webhooks/${KNOWN_WEBHOOK.webhook_id}`
const PUBLICATION = {
  title: 'Terms',
  version: '2.0',
  effective_date: '2026-01-01',
  parties: [{ role: 'provider', name: 'Causeway' }],
  disclosure: 'By accepting you agree.',
  content_base64: Buffer.from('You agree.').toString('base64'),
}

test('holds the new address of a webhook next to the one that it replaces', async () => {
  const { partner } = await newPartner(fixture.plain)
  const path = `/partners/${partner.partner_id}${WEBHOOK}`
  const held = await ada.ask('PATCH', path, { url: 'https://elsewhere.example/' })
  expect([held.status, actionIn(held)]).toMatchObject([
    202,
    { asked: { url: 'https://elsewhere.example/' }, before: { url: KNOWN_WEBHOOK.url } },
  ])
  expect(actionIn(await ben.decide(actionIn(held), 'confirm')).status).toBe('done')
  expect((await ada.ask('PATCH', path, { status: 'disabled' })).status).toBe(200)
})

test('holds every way by which one person could set the address of a webhook where the setting names webhooks alone', async () => {
  const { partner } = await newPartner(fixture.plain)
  const alone = await fixture.startReplica({ fourEyes: new Set(['webhooks']) })
  const ofPartner = `/partners/${partner.partner_id}`
  const ask = async (path: string, body?: object) => (await ada.at(alone).ask('POST', path, body)).status
  expect([
    await ask(`${ofPartner}/webhooks`, { url: 'https://elsewhere.example/' }),
    await ask(`${ofPartner}/portal-links`),
    await ask(`/merchants/${KNOWN_MERCHANT}/portal-links`),
    await ask(`/merchants/${KNOWN_MERCHANT}/api-keys`),
  ]).toEqual([202, 202, 202, 202])
  await alone.stop()
})

test('holds a publication with its text, and publishes that text', async () => {
  const held = await ada.ask('POST', '/agreements', PUBLICATION)
  expect([held.status, actionIn(held).asked]).toEqual([202, PUBLICATION])
  expect(fixture.script.published).toEqual([])
  expect(actionIn(await ben.decide(actionIn(held), 'confirm')).status).toBe('done')
  expect(fixture.script.published).toEqual([PUBLICATION])
  expect((await ada.ask('POST', `/agreements/${VERSION.agreement_id}/retire`)).status).toBe(202)
})

test('holds the erasure of a payer, shows the payer to the second person, and keeps the payer out of the audit log', async () => {
  const held = await ada.ask('POST', '/payers/erase?limit=7', { email: 'canary@example.com' })
  expect([held.status, actionIn(held).asked]).toEqual([202, { email: 'canary@example.com' }])
  expect(actionIn(await ben.decide(actionIn(held), 'confirm')).status).toBe('done')
  expect(JSON.stringify(await fixture.audit())).not.toContain('canary@example.com')
})

const holdWriteOff = async (amount: number) => {
  fixture.fakeLedger.refusal = null
  const body = { partner_customer_id: newId('relationship'), unit: 'EUR', amount, reason: 'Closed' }
  const answer = await ada.at(fixture.plain).ask('POST', '/ledger/write-offs', body)
  expect(answer.status).toBe(202)
  return actionIn(answer)
}
const confirmAs = (person: Person, action: Parameters<Person['decide']>[0]) =>
  person.at(fixture.plain).decide(action, 'confirm')

test('holds a write-off for a second person where the setting names no group', async () => {
  const action = await holdWriteOff(500)
  expect((await confirmAs(ada, action)).details).toMatchObject([{ reason: 'same_person' }])
  expect(fixture.fakeLedger.written).not.toContain(500)
  expect(actionIn(await confirmAs(ben, action)).status).toBe('done')
  expect(fixture.fakeLedger.written).toContain(500)
})

test('marks a write-off as outdated if the ledger would refuse it by the time it is confirmed', async () => {
  const action = await holdWriteOff(501)
  fixture.fakeLedger.refusal = refuse('invalid_request', [{ field: 'amount', reason: 'too_big' }])
  const refused = await confirmAs(ben, action)
  expect([refused.status, refused.details]).toMatchObject([409, [{ reason: 'changed' }]])
  const shown = await ben.ask('GET', `/pending-actions/${action.pending_action_id}`)
  expect(actionIn(shown).status).toBe('outdated')
  expect(fixture.fakeLedger.written).not.toContain(501)
})

test('keeps a write-off waiting if the ledger cannot judge it when it is confirmed', async () => {
  const action = await holdWriteOff(502)
  fixture.fakeLedger.refusal = refuse('temporarily_unavailable')
  expect((await confirmAs(ben, action)).status).toBe(503)
  fixture.fakeLedger.refusal = null
  expect(actionIn(await confirmAs(ben, action)).status).toBe('done')
})

/**
 * Every staff operation that changes something and needs only one person, with the reason. A new operation either gets
 * a group in its contract or a line here.
 */
const ONE_PERSON: Readonly<Record<string, string>> = {
  'gateway.api-keys.revoke': 'revokes a credential',
  'gateway.staff-keys.revoke': 'revokes a credential',
  'gateway.people.remove': 'revokes a credential',
  'gateway.sessions.end': 'revokes a credential',
  'gateway.sessions.end-all': 'revokes credentials',
  'gateway.parked-events.retry': 'repeats what the platform has decided',
  'gateway.parked-events.set-aside': 'can be undone at any time: the event can be retried',
  'gateway.pending-actions.confirm': 'is the second person',
  'gateway.pending-actions.decline': 'changes nothing but the request',
  'gateway.pending-actions.take-result': 'is for the requester, after two people have decided',
  'webhooks.destinations.delete': 'stops events; two people can create it again',
  'webhooks.destinations.test': 'sends a sample without data',
  'webhooks.redeliveries.create': 'sends events again to their own destination',
  'webhooks.redeliveries.create-of-merchant': 'sends events again to their own destination',
  'webhooks.redeliveries.cancel': 'stops a repetition',
  'webhooks.redeliveries.cancel-of-merchant': 'stops a repetition',
  'webhooks.deliveries.redeliver': 'sends an event again to its own destination',
  'webhooks.deliveries.redeliver-of-merchant': 'sends an event again to its own destination',
  'webhooks.events.resend': 'sends an event again to its own destination',
  'webhooks.events.resend-of-merchant': 'sends an event again to its own destination',
  'payments.integrations.update-processor': 'chooses among the processors of the settings',
  'payments.chargebacks.import-file': 'records what a processor says',
  'ledger.settlements.import-file': 'records what a processor says',
  'ledger.bank-statements.import-file': 'records what the bank says; a pending action cannot hold a file',
  'payments.unattributed-money.apply':
    'sends nothing: the merchant gets what its buyer sent, with its consent',
  'payments.unattributed-money.keep': 'sends nothing, and stays on record with its reason',
  'payments.unattributed-money.handled': 'sends nothing, and records what was done elsewhere',
  'refunds.reconciliation.close': 'ends a difference on a list and moves no money',
  'onboarding.brands.put-by-staff': 'changes how pages look, as the partner may itself',
  'onboarding.brands.put-logo-by-staff': 'changes how pages look, as the partner may itself',
  'onboarding.brands.delete-logo-by-staff': 'changes how pages look, as the partner may itself',
  'onboarding.capabilities.grant': 'has no effect without an approved case',
  'onboarding.relationships.revoke': 'revokes a relationship',
  'onboarding.relationships.confirm-link': 'lets a partner see a case, and approves nothing',
  'onboarding.reviews.reject': 'grants nothing, and the case can be submitted again',
  'onboarding.requirements.raise-by-staff': 'asks for something',
  'onboarding.requirements.update-by-staff': 'approves nothing: the case waits for its approval',
  'onboarding.documents.review': 'approves nothing: the case waits for its approval',
}

test('requires two people for every staff operation that changes something, except those listed here with a reason', () => {
  const changing = operationRoutes
    .filter(({ role, method, operation }) => role !== null && method !== 'GET' && !operation.safe)
    .map(({ operation }: Readonly<{ operation: Operation }>) => operation.subject)
  expect(changing.filter((subject) => !HELD_SUBJECTS.includes(subject)).sort()).toEqual(
    Object.keys(ONE_PERSON).sort(),
  )
  expect(HELD_SUBJECTS.filter((subject) => !changing.includes(subject))).toEqual([])
})

test('puts every operation whose refund is approved into the group money', () => {
  const approving = operationRoutes.filter(({ approvesRefund }) => approvesRefund)
  expect(approving.map(({ operation }) => operation.subject)).toContain(cryptoOrders.refund.subject)
  for (const { operation } of approving) expect(operation.fourEyes).toContain('money')
})

const SIGNER = {
  CRYPTO_REFUNDS: 'signer',
  APPROVAL_SIGNING_KEY: Buffer.alloc(32, 5).toString('base64'),
}

describe('the setting FOUR_EYES', () => {
  const groupsOf = (env: Record<string, string>) => [
    ...loadConfig({
      GATEWAY_DATABASE_URL: 'postgres://localhost/gateway',
      NATS_URL: 'nats://localhost',
      OPERATOR_API_KEY: 'operator-key-for-tests',
      ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
      BUS_KEYS: `gateway>payments=${Buffer.alloc(32, 9).toString('base64')}`,
      ...env,
    }).fourEyes,
  ]

  test.each([
    ['not set, without a signer', {}, []],
    ['not set, with a signer', SIGNER, ['money']],
    ['empty, with a signer', { ...SIGNER, FOUR_EYES: '' }, []],
    ['other groups, with a signer', { ...SIGNER, FOUR_EYES: 'keys' }, ['keys']],
  ])('names the expected groups if it is %s', (_what, env, groups) => {
    expect(groupsOf(env)).toEqual(groups)
  })
})
