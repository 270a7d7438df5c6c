import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type ApiDocument, describeApi, describeOperatorApi } from '@causeway/reference'
import { breakingChanges } from './breaking-changes.ts'
import { LAST_RELEASE, RELEASED_BASE_URL } from './last-release.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(join(LAST_RELEASE, name), 'utf8')) as ApiDocument

const open = describeApi(RELEASED_BASE_URL)
/**
 * The release with what decisions §40 added to every merchant event: for the events of cards it had declared that each
 * further field is an object of the processor. Receivers find that object by its name.
 */
const withMerchantEnvelope = (document: ApiDocument): ApiDocument => {
  const { EventId, Timestamp, CardOrderChanged, CardOrderDisputed } = document.components.schemas as Record<
    string,
    { properties: object }
  >
  for (const schema of [CardOrderChanged, CardOrderDisputed])
    Object.assign(schema?.properties ?? {}, {
      eventId: EventId,
      occurredAt: Timestamp,
      sequence: { type: 'integer' },
    })
  return document
}
const released = withMerchantEnvelope(read('openapi.json'))

/** Event types that were added on purpose since the last release (decisions §20): receivers pass over what they do not know. */
const ADDED_EVENT_TYPES = [
  'payment.reverted',
  'reverted',
  // Only destinations that name them receive them (decisions §48).
  'payout.upcoming',
  'payout.sent',
  'payout.settled',
  'payout.returned',
  'payout_wallet.added',
  'payout_wallet.active',
  'payout_wallet.deleted',
  'balance.negative',
]
/** Added by decisions §49: a payout may be taken further, by calls that the release did not have. */
const FURTHER_PAYOUTS = /\/payouts\b\S*: 20[01] body\.data\.payout\.status may be "(settled|cancelled|returned)"$/
/** Added by decisions §50: a payout of an asset has the asset's amount. The release had payouts of currencies alone. */
const PAYOUT_OF_ASSET =
  /\/payouts\b.* may be missing$|payout_upcoming.* may be missing$|payout_sent.* may be missing$/
/** Added by decisions §49: a payout to a partner, by a call that the release did not have, has no merchant. */
const PAYOUT_TO_PARTNER = /\/payouts\/\{payoutId\}\/sent: 200 body\.data\.payout\.customer_id /
/** Added by decisions §48, §53 and §55: scopes that only those get who name them. */
const FURTHER_SCOPE = / may be "((payouts|brand|webhooks):write|webhooks:read)"$/
/** Changed by decisions §20: an order that the signer refunds is refunded once its transaction is confirmed. */
const LATER_REFUND = 'POST /api/operator/orders/{orderId}/refund: 200 body.data.refunded_at '
/** Added by decisions §46: a partner's destination may be disabled, by a call that the release did not have. */
const DISABLED_DESTINATION = /\/webhooks\b\S*: 20[01] body\.data\.webhook(s\.\[\])?\.status may be "disabled"$/
/** Decisions §1 refused unknown fields then too; these two operations accepted them by mistake. */
const STRICT_PAYERS = /^POST \/api\/operator\/payers\/(export|erase): bodytakes fields that are not described$/
const unexpected = (changes: readonly string[]) =>
  changes.filter(
    (change) =>
      !change.startsWith(LATER_REFUND) &&
      !DISABLED_DESTINATION.test(change) &&
      !FURTHER_PAYOUTS.test(change) &&
      !PAYOUT_OF_ASSET.test(change) &&
      !PAYOUT_TO_PARTNER.test(change) &&
      !FURTHER_SCOPE.test(change) &&
      !STRICT_PAYERS.test(change) &&
      !ADDED_EVENT_TYPES.some((type) => change.endsWith(` may be "${type}"`)),
  )

test('finds no change since the last release that breaks a client', () => {
  expect(unexpected(breakingChanges(released, open))).toEqual([])
})

test('finds no change since the last release that breaks a tool of staff', () => {
  const now = describeOperatorApi(RELEASED_BASE_URL)
  expect(unexpected(breakingChanges(read('openapi.operator.json'), now))).toEqual([])
})

/** The document with a text in it replaced. */
const changed = (from: string | RegExp, to: string): ApiDocument =>
  JSON.parse(JSON.stringify(open).replace(from, to)) as ApiDocument

/** A change of a component's schema. */
const withSchema = (name: string, change: (schema: Record<string, unknown>) => void): ApiDocument => {
  const copy = structuredClone(open)
  const schema: Record<string, unknown> | undefined = copy.components.schemas?.[name]
  if (schema === undefined) throw new Error(`${name} is not in the document`)
  change(schema)
  return copy
}

const BREAKING: readonly (readonly [string, ApiDocument, string])[] = [
  ['a path is gone', changed('"/api/v1/partner/customers"', '"/api/v2/partner/customers"'), 'is gone'],
  ['an operation has another id', changed('"getCustomer"', '"readCustomer"'), 'is now called readCustomer'],
  ['an operation needs another scope', changed('["customers:read"]', '["kyb:read"]'), 'needs kyb:read'],
  [
    'a field of a request is required',
    withSchema('CreateFiatOrderRequest', (schema) => {
      schema['required'] = ['integration_id', 'amount_cents', 'currency', 'payer_email']
    }),
    '.payer_email may be missing',
  ],
  [
    'a field of a request is not taken any more',
    withSchema('CreateFiatOrderRequest', (schema) => {
      Reflect.deleteProperty(schema['properties'] as object, 'payer_ip')
    }),
    '.payer_ip is not known',
  ],
  [
    'a field of an answer is gone',
    withSchema('Customer', (schema) => {
      schema['required'] = ['partner_customer_id']
    }),
    '.customer_id may be missing',
  ],
  [
    'a field of an answer has another type',
    withSchema('FiatOrder', (schema) => {
      ;(schema['properties'] as Record<string, unknown>)['total_cents'] = { type: 'string' }
    }),
    'is string, not integer',
  ],
  [
    'a status is new in an answer',
    withSchema('CryptoOrderStatus', (schema) => {
      ;(schema['enum'] as string[]).push('frozen')
    }),
    'may be "frozen"',
  ],
  [
    'a value is not taken any more',
    withSchema('Network', (schema) => {
      schema['enum'] = ['BTC', 'LTC']
    }),
    'may be "ETH"',
  ],
  ['an event is gone', changed('"payout_sent":{"post"', '"payout_made":{"post"'), 'POST payout_sent is gone'],
  [
    'a field of an event is gone',
    withSchema('FiatPaymentData', (schema) => {
      Reflect.deleteProperty(schema['properties'] as object, 'order_key')
      schema['required'] = (schema['required'] as string[]).filter((name) => name !== 'order_key')
    }),
    'POST payment.confirmed: body.data.order_key may be missing',
  ],
  [
    'a field of an event has another type',
    withSchema('MerchantFiatOrder', (schema) => {
      ;(schema['properties'] as Record<string, unknown>)['amountCents'] = { type: 'string' }
    }),
    'POST chargeback: body.order.amountCents is string',
  ],
  [
    'a longest text is shorter',
    withSchema('CreateIntegrationRequest', (schema) => {
      ;((schema['properties'] as Record<string, Record<string, unknown>>)['name'] ?? {})['maxLength'] = 50
    }),
    'is bounded by maxLength 50',
  ],
]

describe('the comparison with the last release', () => {
  test.each(BREAKING)('reports a change that breaks a client: %s', (_, after, fault) => {
    expect(breakingChanges(open, after).join('\n')).toContain(fault)
  })
})

test('accepts a new field of an answer, an optional one of a request and a new operation', () => {
  const after = withSchema('Customer', (schema) => {
    ;(schema['properties'] as Record<string, unknown>)['tier'] = { type: 'string' }
  })
  const request = after.components.schemas?.['CreateFiatOrderRequest'] as { properties: Record<string, unknown> }
  request.properties['note'] = { type: 'string' }
  const listed = after.paths['/api/v1/partner/customers'] as Record<string, unknown>
  listed['put'] = { ...(listed['post'] as object), operationId: 'replaceCustomer' }
  expect(breakingChanges(open, after)).toEqual([])
})
