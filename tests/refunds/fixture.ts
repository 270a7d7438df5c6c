import { call, createClock, newId, queryNone, queryOne, type Bus } from '@causeway/chassis'
import {
  openTestDb,
  eventually,
  forgetEvents,
  TEST_DEADLINE_MS,
  testBus,
  testBusKeysText,
  testDatabase,
  testNatsUrl,
} from '@causeway/chassis/testing'
import { cardNotices, fiatOrders, integrations, refunds, type FiatOrder } from '@causeway/contracts'
import { createSandbox } from '@causeway/sandbox'
import { z } from 'zod'
import { createFakeOnboarding } from '../../services/payments/tests/fake-onboarding.ts'
import { createObservation } from './observed-state.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { loadService, type ServiceProcess } from './service-process.ts'

const SECRET = 'of nobody in these tests'
/** Factor of the services' timeouts if no test waits for one: they do not expire on a busy machine. */
const TIMEOUT_FACTOR = 4
/** Longer than a call may last, and its lease with it. */
export const GRACE_MS = 90_000
/** Large: a call that is held in a transaction keeps its connection. */
const POOL_SIZE = '70'

const LONG_WAIT = { withinMs: 120_000 }

const findPayment = queryOne({
  name: 'test.fixture-payment',
  parameters: { orderKey: 'bigint' },
  text: 'SELECT status, processor_order_id AS payment_id FROM fiat_orders WHERE order_key = :orderKey',
  row: z.object({ status: z.string(), paymentId: z.string().nullable() }),
})
/** Gives the payment's id another prefix. */
const renamePayment = queryNone({
  name: 'test.fixture-rename-payment',
  parameters: { orderKey: 'bigint', from: 'text', to: 'text' },
  text: `
    UPDATE fiat_orders SET processor_order_id = :to || substr(processor_order_id, 1 + length(:from))
    WHERE order_key = :orderKey AND processor_order_id LIKE :from || '%'`,
})

export type PaidOrder = Readonly<{ orderKey: string; paymentId: string }>
export type Fixture = Awaited<ReturnType<typeof startFixture>>
export type RefundOutcome = Awaited<ReturnType<Fixture['refund']>>

const PRICE_CENTS = 10_000
/** Refundable amount of an order: its price and the fee, which the customer pays. */
export const MAX_REFUNDABLE_CENTS = 10_250

/**
 * Payments and refunds as processes of their own on real PostgreSQL and NATS, the sandbox's processor behind a fault
 * proxy, and a partner. Payments runs from the start; refunds is loaded and killed by the test.
 * @param timeoutFactor 1 where the test waits for a timeout
 */
export const startFixture = async (timeoutFactor = TIMEOUT_FACTOR) => {
  const databases = { refunds: await testDatabase('refunds'), payments: await testDatabase('payments') }
  const bus = await testBus()
  await forgetEvents(bus)
  const clock = createClock()
  const openDb = (url: string) => openTestDb(url, clock)
  const [refundsDb, paymentsDb] = [openDb(databases.refunds.url), openDb(databases.payments.url)]
  const onboarding = createFakeOnboarding(bus, clock)
  const partner = { kind: 'partner' as const, partnerId: newId('partner'), clientId: newId('client') }
  const customerId = onboarding.relate(partner.partnerId).partner_customer_id
  const outside = {
    host: '127.0.0.1',
    port: 0,
    chainPort: null,
    cardPort: 0,
    dataFolder: null,
    publicUrl: null,
  }
  const sandbox = createSandbox({ ...outside, cardSecret: SECRET, timeoutFactor }, clock)
  await sandbox.start()

  const envelope = () => ({
    caller: partner,
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: false,
  })
  const proxy = await startFaultProxy({
    sandboxUrl: () => sandbox.cardUrl(),
    async takeNotice(processor, headers, body) {
      const taken = await call(bus, clock, cardNotices.receive, {
        ...envelope(),
        caller: { kind: 'public' },
        params: { processor },
        body: { headers, raw_body_base64: body.toString('base64') },
      })
      return taken.ok ? 200 : 503
    },
  })
  const environment = {
    NATS_URL: testNatsUrl(),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    REFUNDS_DATABASE_URL: databases.refunds.url,
    PAYMENTS_DATABASE_URL: databases.payments.url,
    CARD_URL: proxy.url,
    SANDBOX_CARD_SECRET: SECRET,
    PUBLIC_BASE_URL: proxy.url,
    CHAIN_URL: sandbox.chainUrl(),
    SANDBOX_RECEIVING_ACCOUNTS: 'true',
    SANDBOX_RATES: 'true',
    DATABASE_POOL_SIZE: POOL_SIZE,
    HEALTH_PORT: '0',
    TIMEOUT_FACTOR: String(timeoutFactor),
    LOG_LEVEL: 'warn',
  }
  const processes = new Set<ServiceProcess>()
  /** Started processes; one that is only loaded takes the clock's offset at its start. */
  const following = new Set<ServiceProcess>()
  /** Loads a service ahead of its start. */
  const load = (name: 'payments' | 'refunds', instrumented: string | null = null): ServiceProcess => {
    const loaded = loadService(name, { ...environment, BUS_KEYS: testBusKeysText(name) }, instrumented)
    processes.add(loaded)
    const service: ServiceProcess = {
      ...loaded,
      start(replicas) {
        loaded.advance(clock.offsetMs())
        following.add(loaded)
        return loaded.start(replicas)
      },
      kill() {
        processes.delete(loaded)
        following.delete(loaded)
        return loaded.kill()
      },
    }
    return service
  }
  await load('payments').start()
  const listed = await call(bus, clock, integrations.list, {
    ...envelope(),
    params: { customerId },
    query: {},
  })
  if (!listed.ok) throw new Error(`No integrations: ${listed.code}`)
  const integrationId = listed.value.integrations[0]?.integration_id ?? ''

  const control = async (path: string, body: unknown, method: 'POST' | 'PUT' = 'POST'): Promise<void> => {
    const answer = await fetch(`${sandbox.url()}/control${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  /** Repeated with the same key: a busy machine may take too long. */
  const createOrder = (): Promise<FiatOrder> => {
    const idempotencyKey = newId('request')
    const body = { integration_id: integrationId, amount_cents: PRICE_CENTS, currency: 'EUR' }
    const payer = { service_fee_payer: 'customer' as const }
    return eventually(async () => {
      const made = await call(bus, clock, fiatOrders.create, {
        ...envelope(),
        params: { customerId },
        idempotencyKey,
        body: { ...body, ...payer },
      })
      if (made.ok) return made.value.order
      throw new Error(`No order: ${JSON.stringify(made)}`)
    }, LONG_WAIT)
  }
  return {
    bus,
    proxy,
    control,
    load,
    observed: createObservation({ refundsDb, paymentsDb, bus, processorsUrl: () => sandbox.cardUrl() }),
    /** Advances the clocks of the test and of all processes. */
    advance(ms: number) {
      clock.advance(ms)
      for (const process of following) process.advance(ms)
    },
    /** A card order that its buyer has paid. */
    async newOrder(): Promise<PaidOrder> {
      const { order_key: orderKey } = await createOrder()
      await control(`/card-payments/${orderKey}`, { outcome: 'completed' })
      return eventually(async () => {
        const row = await findPayment(paymentsDb, { orderKey })
        return row?.status === 'paid' && row.paymentId !== null && { orderKey, paymentId: row.paymentId }
      }, LONG_WAIT)
    },
    /** Requests a refund. @param from another connection than the fixture's own */
    refund: (orderKey: string, amountCents: number, idempotencyKey: string, from: Bus = bus) =>
      call(from, clock, refunds.create, {
        ...envelope(),
        // A separate client: refunds of one client wait for the row of its day, so one held there would block all.
        caller: { ...partner, clientId: newId('client') },
        params: { orderKey },
        body: { amount_cents: amountCents },
        idempotencyKey,
      }),
    list: (orderKey: string, from: Bus = bus) =>
      call(from, clock, refunds.list, { ...envelope(), safe: true, params: { orderKey }, query: {} }),
    /** Reads what is pending, and one refund, as staff do. */
    readAsStaff(from: Bus = bus) {
      const staff = { ...envelope(), caller: { kind: 'operator', actor: 'staff' }, safe: true } as const
      return Promise.all([
        call(from, clock, refunds.listPending, { ...staff, query: {} }),
        call(from, clock, refunds.getByStaff, { ...staff, params: { refundId: newId('refund') } }),
      ])
    },
    /** While hidden, payments does not find the order by its payment and counts no refund of it. */
    hideOrder: (orderKey: string) => renamePayment(paymentsDb, { orderKey, from: '', to: 'hidden-' }),
    showOrder: (orderKey: string) => renamePayment(paymentsDb, { orderKey, from: 'hidden-', to: '' }),
    async stop() {
      await Promise.all([...processes].map((process) => process.kill()))
      await Promise.all([proxy.stop(), sandbox.stop(), refundsDb.close(), paymentsDb.close()])
      await bus.close()
      await Promise.all(Object.values(databases).map((database) => database.drop()))
    },
  }
}
