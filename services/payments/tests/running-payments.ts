import { loadSettings, newId } from '@causeway/chassis'
import {
  eventually,
  openTestService,
  stoppedClock,
  testKeyRing,
  testPartner,
  type TestCaller,
  type TestPartner as Partner,
} from '@causeway/chassis/testing'
import { NETWORKS, cryptoOrders, type Asset, type DomainEvent, type Network } from '@causeway/contracts'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { startSandbox, type TestSandbox } from '@causeway/sandbox/testing'
import { z } from 'zod'
import type { PaymentsConfig } from '../src/config.ts'
import { disputeThreshold } from '../src/disputes/threshold.ts'
import { startPayments } from '../src/service.ts'
import { startFakeCards } from './fake-cards.ts'
import { createFakeOnboarding } from './fake-onboarding.ts'

export { testPartner as newPartner, type Partner }

type CreateBody = z.input<(typeof cryptoOrders.create)['body']>

/** A valid body of a crypto order. */
export const orderBody = (change: Partial<CreateBody> = {}): CreateBody => ({
  reference: newId('request'),
  network: 'BTC',
  asset: 'BTC',
  amount: 30,
  currency: 'EUR',
  email: 'buyer@example.com',
  ...change,
})

export const PAYER_RETENTION_MS = 730 * 24 * 3_600_000
/** The sandbox's chain plays every network. */
const NO_NODES = loadSettings(NODE_SETTINGS, {})

export type RunningPayments = Awaited<ReturnType<typeof startForTests>>

/**
 * Starts the service on its own database, the sandbox's chain over HTTP, and a caller on the real bus. The clock is
 * stopped until the test moves it.
 */
export const startForTests = async (change: Partial<PaymentsConfig> = {}) => {
  const service = await openTestService('payments', stoppedClock())
  const { bus, clock, db, ask, events } = service
  const onboarding = createFakeOnboarding(bus, clock)
  const sandbox = await startSandbox({ chainPort: 0 })
  // The sandbox's own card processors are not used here.
  const cards = await startFakeCards(clock)
  const config: PaymentsConfig = {
    ...service.config,
    keys: { encryptionKey: Buffer.alloc(32, 7) },
    publicBaseUrl: 'https://pay.example',
    invoiceTtlMs: 12 * 3_600_000,
    underpaymentTolerance: 0.005,
    underpaidAfterMs: 24 * 3_600_000,
    networksLive: NETWORKS,
    accounts: SANDBOX_ACCOUNTS,
    confirmations: CONFIRMATION_DEPTHS,
    explorers: { BTC: 'https://explorer.example/tx/{tx}' },
    chainUrl: sandbox.chainUrl(),
    nodes: NO_NODES,
    chainPollEveryMs: 100,
    cryptoRefunds: 'recorded',
    ratesUrl: undefined,
    ratesSources: undefined,
    ratesMaxDifference: 0.02,
    serviceFeePercent: 2.5,
    cards: { connections: 16, accounts: { sandbox: { baseUrl: cards.url, secret: cards.secret } } },
    cardPollAfterMs: 120_000,
    cardReviewAfterMs: 3_600_000,
    payerRetentionMs: PAYER_RETENTION_MS,
    cardReviewForMs: 4_320 * 3_600_000,
    cardAvailableAfterMs: 48 * 3_600_000,
    riskRules: {
      thresholds: { merchantIpThreshold: 3, platformIpThreshold: 5, distinctMerchantsThreshold: 2 },
      windowDays: 30,
    },
    disputeThreshold: disputeThreshold(0.01, 5, 720 * 3_600_000),
    ...change,
  }
  const addReplica = (other: Partial<PaymentsConfig> = {}) =>
    service.addReplica(startPayments({ ...config, ...other }))
  await addReplica()
  const { vault } = await testKeyRing('payments', {
    db,
    databaseUrl: config.databaseUrl,
    config: config.keys,
  })
  return {
    ...service,
    /** The service's own key ring, which decrypts its data. */
    vault,
    onboarding,
    cards,
    config,
    ...callsOf(ask),
    ...controlsOf(sandbox),
    /** Adds a relationship with every capability at onboarding. */
    newCustomer: (partner: Partner = testPartner()) => ({
      partner,
      customerId: onboarding.relate(partner.partnerId).partner_customer_id,
    }),
    /** Effects of staff actions and events reach the other services within two seconds (decisions §1). */
    eventually: (check: () => Promise<void>) => eventually(() => check().then(() => true)),
    /** The events of one order, by their names and in order. */
    eventsOf: async (orderId: string) =>
      (await events()).filter(
        (event) => event.partners[0]?.data['order_id'] === orderId || bodyOrderId(event) === orderId,
      ),
    /** Starts another replica of the service, optionally with other settings. */
    addReplica,
    /** Stops every replica, and starts one with other settings. */
    async restart(other: Partial<PaymentsConfig>) {
      await service.stopReplicas()
      await addReplica(other)
    },
    stop: () => service.stop(() => Promise.all([sandbox.stop(), cards.stop()])),
  }
}

const bodyOrderId = (event: DomainEvent): unknown =>
  z.object({ order: z.object({ id: z.string() }) }).safeParse(event.merchant?.body).data?.order.id

const callsOf = (ask: TestCaller) => {
  const create = (partner: Partner, customerId: string, body: unknown) =>
    ask(cryptoOrders.create, partner, { params: { customerId }, body })
  const read = (partner: Partner, orderId: string) => ask(cryptoOrders.get, partner, { params: { orderId } })
  return {
    create,
    read,
    /** Creates a new order. */
    async newOrder(partner: Partner, customerId: string, change: Partial<CreateBody> = {}) {
      const outcome = await create(partner, customerId, orderBody(change))
      if (!outcome.ok || outcome.value.replayed) throw new Error(`Not created: ${JSON.stringify(outcome)}`)
      return outcome.value.order
    },
    list: (partner: Partner, customerId: string, query: { limit?: string; before?: string } = {}) =>
      ask(cryptoOrders.list, partner, { params: { customerId }, query }),
    cancel: (partner: Partner, orderId: string) => ask(cryptoOrders.cancel, partner, { params: { orderId } }),
    /** Staff record, or have the signer make, the refund of a cancelled order. */
    refund: (orderId: string, toAddress: string) =>
      ask(
        cryptoOrders.refund,
        { kind: 'operator', actor: 'test' },
        { params: { orderId }, body: { to_address: toAddress } },
      ),
    qr: (orderId: string) => ask(cryptoOrders.getQrImage, { kind: 'public' }, { params: { orderId } }),
    readByBuyer: (orderId: string) =>
      ask(cryptoOrders.getByBuyer, { kind: 'public' }, { params: { orderId } }),
    versions: (orderIds: string[]) =>
      ask(cryptoOrders.listVersions, { kind: 'public' }, { body: { order_ids: orderIds } }),
    /** Waits until the order has this status. */
    becomes: (partner: Partner, orderId: string, status: string) =>
      eventually(async () => {
        const outcome = await read(partner, orderId)
        if (outcome.ok && outcome.value.order.status === status) return outcome.value.order
        throw new Error(`Not ${status}: ${JSON.stringify(outcome.ok ? outcome.value.order.status : outcome)}`)
      }),
  }
}

const controlsOf = ({ control }: TestSandbox) => ({
  deposit: (orderId: string, amount?: string, confirmations?: number, asset?: Asset) =>
    control('POST', '/deposits', { order_id: orderId, amount, confirmations, asset }),
  reorganise: (network: Network, blocks: number) => control('POST', '/chain/reorganise', { network, blocks }),
  mine: (network: Network, blocks: number) => control('POST', '/chain/mine', { network, blocks }),
  confirm: (orderId: string, confirmations: number) =>
    control('POST', '/confirmations', { order_id: orderId, confirmations }),
  fault: (mode: string, count?: number, calls = 'all') =>
    control('PUT', '/faults', { target: 'chain', mode, count, calls }),
})
