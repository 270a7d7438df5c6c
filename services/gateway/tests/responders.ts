import {
  implement,
  newId,
  refuse,
  reply,
  serve,
  withBefore,
  type Bus,
  type Clock,
  type Implementation,
  type Logger,
} from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import {
  capabilities,
  customers,
  destinations,
  merchants,
  cryptoOrders,
  payers,
  registrations,
  SERVICES,
  healthOf,
  type Customer,
} from '@causeway/contracts'

/** A customer that exists, whoever asks. */
export const KNOWN_CUSTOMER = newId('relationship')
/** The only merchant. */
export const KNOWN_MERCHANT = newId('merchant')
/** A customer whose service answers only when the test lets it. */
export const SLOW_CUSTOMER = newId('relationship')
/** An external id with which a creation is slow alike. */
export const SLOW_EXTERNAL_ID = 'slow'
/** An order that has a QR image of these bytes. */
export const KNOWN_ORDER = newId('cryptoOrder')
export const QR_BYTES = Buffer.from('not really a picture')
export const WEBHOOK_SECRET = 'f'.repeat(64)

const AT = '2026-01-02T03:04:05.678Z'

const customerOf = (id: string, externalId = 'ext', email = 'ada@example.com'): Customer => ({
  partner_customer_id: id,
  customer_id: newId('merchant'),
  external_customer_id: externalId,
  relationship_status: 'active',
  created_at: AT,
  customer: { email, name: null, country: null, created_at: AT },
})

/** What the stand-ins were asked, and how a test lets the slow ones answer. */
export type Script = {
  asked: Readonly<{ caller: unknown; query: unknown; deadlineMs?: number }>[]
  held: (() => void)[]
  release: () => void
}

export const newScript = (): Script => {
  const held: (() => void)[] = []
  return { asked: [], held, release: () => held.splice(0).forEach((answer) => answer()) }
}
const hold = (script: Script) => new Promise<void>((resolve) => script.held.push(resolve))

const onboarding = (script: Script): Implementation[] => [
  ...implement(customers, {
    async create(request) {
      script.asked.push(request)
      const { external_customer_id: externalId, email } = request.body
      if (externalId === SLOW_EXTERNAL_ID) await hold(script)
      if (externalId === 'taken') return refuse('external_id_conflict')
      return reply(
        customerOf(newId('relationship'), externalId, email),
        externalId === 'again' ? 'existing' : 'created',
      )
    },
    async list(request) {
      script.asked.push(request)
      return reply({ customers: [], next_cursor: null })
    },
    async read({ params }) {
      if (params.customerId === SLOW_CUSTOMER) await hold(script)
      else if (params.customerId !== KNOWN_CUSTOMER) return refuse('resource_not_found')
      return reply(customerOf(params.customerId))
    },
  }),
  ...implement(capabilities, {
    list: async () => reply({ capabilities: [] }),
    grant: async ({ params, body }) => {
      const capabilityOf = (enabled: boolean) => ({
        capability: { capability: params.capability, enabled, available: true, reason: null },
      })
      return withBefore(reply(capabilityOf(body.enabled)), capabilityOf(!body.enabled))
    },
    suspend: async () => refuse('resource_not_found'),
  }),
  ...implement(merchants, {
    read: async ({ params: { customerId } }) =>
      customerId === KNOWN_MERCHANT ? reply({ customer_id: customerId }) : refuse('resource_not_found'),
  }),
]

const payments = (): Implementation[] =>
  implement(cryptoOrders, {
    create: async () => refuse('capability_unavailable', [{ reason: 'suspended' }]),
    list: async () => refuse('invalid_cursor'),
    get: async () => refuse('resource_not_found'),
    cancel: async () => refuse('invalid_state', [{ from: 'paid', to: 'cancelled' }]),
    refund: async () => refuse('invalid_state', [{ from: 'paid', to: 'refunded' }]),
    getQrImage: async ({ params }) =>
      params.orderId === KNOWN_ORDER
        ? reply({ content_type: 'image/png', content_base64: QR_BYTES.toString('base64') })
        : refuse('resource_not_found'),
  }).filter(({ operation }) => operation.subject !== cryptoOrders.get.subject)

/** What a service exports of a payer. */
const payersOf = (): Implementation[] =>
  implement(payers, {
    async export({ body: { ip } }) {
      const data = { firstName: 'Canary', email: 'canary@example.com', payer_ip: ip }
      return reply({ records: [{ kind: 'crypto_order', id: 'ord', data }], next_cursor: null })
    },
    erase: async () => reply({ erased: [], remaining: [], next_cursor: null }),
  })

const webhooks = (script: Script): Implementation[] => [
  ...implement(registrations, {
    async list({ caller }) {
      script.asked.push({ caller, query: undefined })
      return reply({ webhooks: [], next_cursor: null })
    },
    create: async () => refuse('limit_reached'),
    update: async () => refuse('resource_not_found'),
    remove: async () => refuse('resource_not_found'),
    rotateSecret: async () => refuse('resource_not_found'),
    async test({ caller, deadlineMs }) {
      script.asked.push({ caller, query: undefined, deadlineMs })
      return refuse('resource_not_found')
    },
  }),
  ...implement(destinations, {
    create: async ({ body }) =>
      reply({
        webhook: {
          webhook_id: newId('webhook'),
          url: body.url,
          event_types: [],
          status: 'active',
          created_at: AT,
        },
        webhook_secret: WEBHOOK_SECRET,
      }),
    list: async () => reply({ webhooks: [], next_cursor: null }),
    update: async () => refuse('resource_not_found'),
    remove: async () => refuse('resource_not_found'),
    rotateSecret: async () => refuse('resource_not_found'),
  }),
]

/**
 * Stand-ins for the services: real contracts on the real bus, with answers made up. Nobody answers `cryptoOrders.get`,
 * as when payments is down.
 */
export const serveStandIns = (bus: Bus, clock: Clock, log: Logger, script: Script): void => {
  const options = { clock, log, checkReplies: true }
  const health = SERVICES.flatMap((service) =>
    implement(healthOf(service), { check: async () => reply({ ready: true as const }) }),
  )
  serve(bus, [...onboarding(script), ...payments(), ...payersOf(), ...webhooks(script), ...health], {
    ...options,
    keys: testReceiverKeys(),
    service: 'onboarding',
  })
}
