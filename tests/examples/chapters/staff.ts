import { eventually } from '@causeway/chassis/testing'
import { SCOPES } from '@causeway/contracts'
import { generateKeyPairSync } from 'node:crypto'
import { ok, partnerClient, type Parties } from '../story.ts'

type Made = Readonly<{
  partner: { partner_id: string }
  client: { client_id: string; client_secret: string }
}>
type WebhookMade = Readonly<{ webhook: { webhook_id: string }; webhook_secret: string }>

const DAY_MS = 24 * 3_600_000

/** Staff set up a partner with its client and its destination. */
export const setUpPartner = async (parties: Parties) => {
  const { staff, unrecordedStaff, receiver, client } = parties
  const { staff_key } = await ok<{ staff_key: { staff_key_id: string } }>(
    staff.post('/api/operator/staff-keys', { name: 'Rosa Review', role: 'reviewer' }),
  )
  await ok(staff.get('/api/operator/staff-keys'))
  await staff.delete(`/api/operator/staff-keys/${staff_key.staff_key_id}`)

  const made = await ok<Made>(
    staff.post('/api/operator/partners', {
      name: 'Example Marketplace',
      scopes: SCOPES,
      default_capabilities: [
        ...['payments.crypto', 'payments.fiat_card', 'refunds', 'wallets', 'payouts'],
        ...['payout_wallets', 'withdrawals'],
      ],
    }),
  )
  const path = `/api/operator/partners/${made.partner.partner_id}`
  await ok(staff.get('/api/operator/partners?limit=20'))
  await ok(staff.post('/api/operator/partners/names', { ids: [made.partner.partner_id] }))
  await ok(staff.patch(path, { name: 'Example Marketplace Ltd' }))

  const { webhook } = await ok<WebhookMade>(
    staff.post(`${path}/webhooks`, { url: receiver.url, event_types: ['payment.confirmed'] }),
  )
  const webhookPath = `${path}/webhooks/${webhook.webhook_id}`
  await ok(staff.patch(webhookPath, { event_types: ['payment.confirmed', 'payment.refunded'] }))
  const rotated = await ok<WebhookMade>(staff.post(`${webhookPath}/secret`, { overlap_hours: 24 }))
  receiver.trust(rotated.webhook_secret)
  await ok(staff.get(`${path}/webhooks`))
  const spare = await ok<WebhookMade>(staff.post(`${path}/webhooks`, { url: receiver.url }))
  const sparePath = `${path}/webhooks/${spare.webhook.webhook_id}`
  // Nothing listens there: the test call has no type that the channel accepts.
  await ok(unrecordedStaff.patch(sparePath, { url: 'http://127.0.0.1:9/hooks' }))
  await ok(staff.post(`${sparePath}/test`))
  await ok(staff.delete(sparePath))

  const second = await ok<{ client: { client_id: string } }>(
    staff.post(`${path}/clients`, { scopes: ['orders:create', 'orders:read'] }),
  )
  const clientPath = `/api/operator/clients/${second.client.client_id}`
  await ok(staff.post(`${clientPath}/secret`, { grace_seconds: 3_600 }))
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  await ok(
    staff.put(`${clientPath}/keys`, { jwks: { keys: [{ kty, crv, x, y, alg: 'ES256', use: 'sig' }] } }),
  )
  await ok(staff.get(`${clientPath}/keys`))
  await ok(
    staff.patch(clientPath, { allowed_addresses: ['192.0.2.0/24'], daily_refund_limit_cents: 500_000 }),
  )
  await ok(staff.get(path))
  await ok(staff.post(`${path}/portal-links`))
  await managePeople(parties, path)

  const credentials = { clientId: made.client.client_id, clientSecret: made.client.client_secret }
  const partner = await partnerClient(parties, credentials)
  const open = client()
  for (const shown of [
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
    '/healthz',
    '/readyz',
  ])
    await open.get(shown)
  const { body } = await open.post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    scope: 'kyb:read',
  })
  await open.post('/api/oauth/revoke', {
    token: body['access_token'],
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  })
  return { credentials, partner, path, webhookPath }
}

/** Staff agree on prices with a partner and a merchant. @param partnerPath the partner's path */
export const agreeOnPrices = async (
  { staff }: Parties,
  partnerPath: string,
  merchantId: string,
): Promise<void> => {
  const rules = [
    { rail: 'card', percent: 1.9, payer: 'merchant' },
    { rail: 'card', percent: 1.4, fixed_cents: 25, currency: 'EUR', payer: 'merchant' },
  ]
  const terms = { rules, dispute_fee_cents: 1_500 }
  await ok(staff.post(`/api/operator/merchants/${merchantId}/price-preview`, terms))
  const { price_plan: plan } = await ok<{ price_plan: { price_plan_id: string } }>(
    staff.post('/api/operator/price-plans', { name: 'Marketplaces', ...terms }),
  )
  await ok(staff.get('/api/operator/price-plans'))
  const assigned = { price_plan_id: plan.price_plan_id }
  await ok(staff.put(`${partnerPath}/price-plan`, assigned))
  await ok(staff.put(`/api/operator/merchants/${merchantId}/price-plan`, assigned))
  await ok(staff.get(`${partnerPath}/price-plan`))
  await ok(staff.get(`/api/operator/merchants/${merchantId}/price-plan`))
}

/** Staff publish the agreement that customers accept. @returns its id */
export const publishAgreement = async ({ staff }: Parties): Promise<string> => {
  const { agreement } = await ok<{ agreement: { agreement_id: string } }>(
    staff.post('/api/operator/agreements', {
      title: 'Merchant services agreement',
      version: '1.0',
      effective_date: '2026-11-01',
      parties: [
        { role: 'provider', name: 'Causeway' },
        { role: 'merchant', name: 'The customer' },
      ],
      disclosure: 'By accepting you agree to the merchant services agreement.',
      content_base64: Buffer.from('The merchant services agreement.\n').toString('base64'),
    }),
  )
  await ok(staff.get('/api/operator/agreements'))
  return agreement.agreement_id
}

/** Staff announce a payout and cancel it; another one leaves, is settled by the bank and comes back. */
export const payOut = async (parties: Parties, merchantId: string): Promise<string> => {
  const { staff } = parties
  const announce = async () => {
    const { payout } = await ok<{ payout: { payout_id: string } }>(
      staff.post('/api/operator/payouts', {
        customer_id: merchantId,
        amount_cents: 2_500,
        currency: 'EUR',
        scheduled_for: new Date(Date.now() + 3 * DAY_MS).toISOString(),
      }),
    )
    return payout.payout_id
  }
  await ok(staff.post(`/api/operator/payouts/${await announce()}/cancel`))
  const run = { unit: 'EUR', dry_run: true }
  await ok(staff.post('/api/operator/payouts/run', run))
  const payoutId = await announce()
  const path = `/api/operator/payouts/${payoutId}`
  await ok(staff.get('/api/operator/payouts'))
  await ok(staff.get(path))
  await ok(staff.post(`${path}/sent`, { reference: 'Payout of 20 November' }))
  await settle(parties, payoutId)
  await ok(staff.post(`${path}/returned`, { reason: 'The account is closed' }))
  return payoutId
}

/** Staff import the bank's statement, whose line settles the payout. */
const settle = async ({ platform, record, unrecordedStaff }: Parties, payoutId: string): Promise<void> => {
  const path = '/api/operator/bank-statements/import'
  const statement = [
    'line_id,booked_at,amount_cents,currency,reference,counterparty',
    `2026-11-20-0007,2026-11-20,-2500,EUR,${payoutId.replace('_', '-')},Example GmbH`,
    '',
  ].join('\r\n')
  const answer = await fetch(`${platform.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': 'text/csv' },
    body: statement,
  })
  record(
    { method: 'POST', path, body: statement },
    { status: answer.status, body: (await answer.json()) as Record<string, unknown> },
  )
  const isSettled = async () => {
    const { payout } = await ok<{ payout: { status: string } }>(
      unrecordedStaff.get(`/api/operator/payouts/${payoutId}`),
    )
    return payout.status === 'settled'
  }
  await eventually(isSettled)
}

/** An event that could not be handled, until it is set aside. @param path its consumer and its id */
export const workOffParkedEvent = async ({ staff }: Parties, path: string): Promise<void> => {
  const parked = `/api/operator/parked-events/${path}`
  await ok(staff.get('/api/operator/parked-events'))
  await ok(staff.get(parked))
  await ok(staff.post(`${parked}/retry`))
  await ok(staff.post(`${parked}/set-aside`, { note: 'It was a test.' }))
}

type Held = Readonly<{ pending_action: { pending_action_id: string } }>
const pathOf = ({ pending_action: { pending_action_id: id } }: Held) => `/api/operator/pending-actions/${id}`

/** A person with a separate key: who has the key of the setting confirms nothing that this person requests. */
const newPerson = async ({ unrecordedStaff, client }: Parties, name: string, role = 'reviewer') => {
  const body = { name, role }
  const { key } = await ok<{ key: string }>(unrecordedStaff.post('/api/operator/staff-keys', body))
  return client({ authorization: `Bearer ${key}` })
}
type Person = Awaited<ReturnType<typeof newPerson>>

const confirmedBy = (second: Person, held: Held) => ok(second.post(`${pathOf(held)}/confirm`))

/** One person lifts a suspension and withdraws that, then does it with a second one (decisions §14, four eyes). */
const liftByTwo = async (first: Person, second: Person, merchantId: string): Promise<void> => {
  const lift = () =>
    ok<Held>(first.put(`/api/operator/merchants/${merchantId}/suspension`, { capabilities: [] }))
  await ok(first.post(`${pathOf(await lift())}/decline`))
  const held = await lift()
  await ok(second.get('/api/operator/pending-actions'))
  await ok(second.get(pathOf(held)))
  await confirmedBy(second, held)
  await ok(first.post(`${pathOf(held)}/result`))
}

/** Two persons write off what a payout has advanced. */
export const writeOffByTwo = async (
  parties: Parties,
  merchant_id: string,
  partner_customer_id: string,
): Promise<void> => {
  const [first, second] = [
    await newPerson(parties, 'Frieda Finance', 'finance'),
    await newPerson(parties, 'Frank Finance', 'finance'),
  ]
  const scheduled_for = '2026-12-01T09:00:00Z'
  const advanced = { customer_id: merchant_id, amount_cents: 4_200, currency: 'CHF', scheduled_for }
  await ok(parties.unrecordedStaff.post('/api/operator/payouts', { ...advanced, partner_customer_id }))
  const path = '/api/operator/ledger/write-offs'
  const reason = 'The merchant has closed its shop'
  const body = { partner_customer_id, unit: 'CHF', amount: 4_200, reason }
  await confirmedBy(second, await ok<Held>(first.post(path, body, { 'idempotency-key': 'write-off-1' })))
  await ok(first.get(path))
}

/** Staff invite people of a partner to the portal, change a role and remove one. */
const managePeople = async ({ staff }: Parties, partnerPath: string): Promise<void> => {
  const path = `${partnerPath}/people`
  await ok(staff.post(path, { email: 'ada@shop.example', role: 'owner' }))
  const { person } = await ok<{ person: { person_id: string } }>(
    staff.post(path, { email: 'bo@shop.example', role: 'developer' }),
  )
  await ok(staff.get(path))
  const personPath = `/api/operator/people/${person.person_id}`
  await ok(staff.patch(personPath, { role: 'viewer' }))
  await staff.delete(personPath)
}

/** A person of the partner opens the portal twice, and staff end that. */
export const endPortalSessions = async (
  { staff, unrecordedStaff }: Parties,
  partnerId: string,
): Promise<void> => {
  const open = async () => {
    const path = `/api/operator/partners/${partnerId}/portal-links`
    const { portal_link: link } = await ok<{ portal_link: { url: string } }>(unrecordedStaff.post(path))
    await fetch(link.url, { method: 'POST', redirect: 'manual' })
  }
  await open()
  await open()
  const query = `partner_id=${partnerId}`
  const { sessions } = await ok<{ sessions: { session_id: string }[] }>(
    staff.get(`/api/operator/sessions?${query}`),
  )
  await staff.delete(`/api/operator/sessions/${sessions[0]?.session_id}`)
  await ok(staff.post('/api/operator/sessions/end', { partner_id: partnerId }))
}

/** Last acts of staff: persons, relationships, and the audit log. */
export const concludeByStaff = async (
  parties: Parties,
  {
    relationshipId,
    merchantId,
    agreementId,
  }: Readonly<{ relationshipId: string; merchantId: string; agreementId: string }>,
): Promise<void> => {
  const { staff } = parties
  const first = await newPerson(parties, 'Rosa Review')
  const second = await newPerson(parties, 'Rita Review')
  const customer = `/api/operator/customers/${relationshipId}`
  await ok(staff.get(customer))
  await ok(staff.post('/api/operator/customers/search', { customer_id: merchantId }))
  await ok(staff.get('/api/operator/customers?limit=2'))
  await ok(staff.post('/api/operator/customers/names', { ids: [relationshipId, merchantId] }))
  await ok(staff.put(`${customer}/capabilities/payouts`, { enabled: true }))
  await ok(staff.put(`/api/operator/merchants/${merchantId}/suspension`, { capabilities: ['payouts'] }))
  await liftByTwo(first, second, merchantId)
  await ok(staff.post('/api/operator/payers/export', { email: 'buyer@example.com' }))
  await ok(staff.post('/api/operator/payers/erase', { email: 'buyer@example.com' }))
  await ok(staff.get(`${customer}/personal-data`))
  await ok(staff.post(`${customer}/revoke`))
  await confirmedBy(second, await ok<Held>(first.post(`${customer}/reinstate`)))
  await ok(staff.post(`${customer}/revoke`))
  await ok(staff.post(`${customer}/erase`))
  await ok(staff.post(`/api/operator/agreements/${agreementId}/retire`))
  // The clock was moved: the runs that were due are under way for a moment.
  await eventually(async () => {
    const { processors } = await ok<{ processors: readonly { current_run: unknown }[] }>(
      parties.unrecordedStaff.get('/api/operator/reconciliation'),
    )
    return processors.every(({ current_run: run }) => run === null)
  })
  await ok(staff.get('/api/operator/reconciliation'))
  await ok(staff.get('/api/operator/audit?limit=2'))
}
