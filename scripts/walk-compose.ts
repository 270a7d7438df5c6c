/**
 * Walks a customer through verification, a crypto payment and a card payment on containers that run with the sandbox:
 * `OPERATOR_API_KEY=… walk-compose.ts https://localhost:8443 http://127.0.0.1:8090 walks.jsonl [kept|lost …]`. No receiver
 * on this machine is reached from a container, so events are looked for in the partner's event log. Walks are recorded in
 * the file; the last arguments say which of the earlier ones a restore has kept.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createPartnerClient } from '@causeway/client'
import { CapabilityName, Scope } from '@causeway/contracts'
import { walkCardPayment } from './demo/card-payment.ts'
import { walkCryptoPayment } from './demo/crypto-payment.ts'
import type { Expectations } from './demo/expectations.ts'
import { walkVerification } from './demo/verification.ts'
import { parseFate, recordWalk, verifyWalks } from './walk-records.ts'
import { createRawClient, dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'

const EVENT_WITHIN_MS = 30_000
const POLL_MS = 200

/** Each call waits for one event more of its type. */
const expectLogged = (staff: RawClient, partnerId: string): Expectations => {
  const seen = new Map<string, number>()
  const expectEvent = async (type: string) => {
    const wanted = (seen.get(type) ?? 0) + 1
    seen.set(type, wanted)
    const endsAtMs = performance.now() + EVENT_WITHIN_MS
    for (;;) {
      const log = await staff.get(`/api/operator/partners/${partnerId}/webhook-events?event_type=${type}`)
      const { events } = dataOf<{ events: unknown[] }>(log)
      if (events.length >= wanted) return
      if (performance.now() > endsAtMs) throw new Error(`${type} is not in the event log`)
      await delay(POLL_MS)
    }
  }
  return { partnerEvent: expectEvent, merchantEvent: expectEvent }
}

const [, , baseUrl = '', sandboxUrl = '', file = '', ...fates] = process.argv
await verifyWalks(baseUrl, file, fates.map(parseFate))
const operatorKey = process.env['OPERATOR_API_KEY'] ?? ''
const staff = createRawClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } })
const made = dataOf<{
  partner: { partner_id: string }
  client: { client_id: string; client_secret: string }
}>(
  await staff.post('/api/operator/partners', {
    name: 'Containers',
    scopes: Scope.options,
    default_capabilities: CapabilityName.options,
  }),
)
const credentials = { clientId: made.client.client_id, clientSecret: made.client.client_secret }
const partner = createPartnerClient({ baseUrl, ...credentials })
const suffix = randomUUID()
const { partner_customer_id: customerId } = await partner.createCustomer({
  body: { external_customer_id: `shop-${suffix}`, email: `shop-${suffix}@example.com` },
})
const context = {
  partner,
  staff,
  sandbox: createRawClient({ baseUrl: sandboxUrl }),
  customerId,
  suffix,
  reporter: { step: (title: string) => console.log(title), exchange: () => {}, log: () => {} },
  expect: expectLogged(staff, made.partner.partner_id),
}
await walkVerification(context)
await walkCryptoPayment(context)
await walkCardPayment(context)
await recordWalk(context, credentials, file)
console.log('The containers took a customer from the first token to paid orders.')
