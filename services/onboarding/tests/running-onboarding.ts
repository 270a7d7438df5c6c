import { queryNone } from '@causeway/chassis'
import {
  openTestService,
  stoppedClock,
  testKeyRing,
  testPartner,
  type TestCaller,
} from '@causeway/chassis/testing'
import {
  capabilities,
  customers,
  relationships,
  type CapabilityName,
  type Caller,
  type Customer,
} from '@causeway/contracts'
import type { z } from 'zod'
import { startOnboarding } from '../src/service.ts'

export const KYB_RETENTION_MS = 5 * 365 * 24 * 3_600_000
export const VERIFICATION_TTL_MS = 365 * 24 * 3_600_000

export const OPERATOR: Caller = { kind: 'operator', actor: 'staff' }

/** A partner as the gateway's request names it. */
export const newPartner = (defaultCapabilities: CapabilityName[] = ['payments.crypto']) => ({
  ...testPartner(),
  defaultCapabilities,
})
export type Partner = ReturnType<typeof newPartner>

export type RunningOnboarding = Awaited<ReturnType<typeof startForTests>>

/** Makes merchants verified from the start, for tests of the other conditions of capabilities. */
const verifyEveryMerchant = queryNone({
  name: 'test.verify-every-merchant',
  text: `ALTER TABLE merchants ALTER COLUMN verification SET DEFAULT 'approved'`,
})

/**
 * Starts the service on its own database, and a caller on the real bus. Its clock is stopped until the test moves it.
 * @param options.keyRefreshMs how often the service reads its key ring
 * @param options.verified true if new merchants need no verification
 * @param options.merchantLinking `confirmed` if links to another partner's merchant need a confirmation
 */
export const startForTests = async (
  options: { verified?: boolean; keyRefreshMs?: number; merchantLinking?: 'open' | 'confirmed' } = {},
) => {
  const service = await openTestService('onboarding', stoppedClock())
  const { db, ask, config } = service
  const keys = {
    encryptionKey: Buffer.alloc(32, 7),
    ...(options.keyRefreshMs === undefined ? {} : { refreshMs: options.keyRefreshMs }),
  }
  const starting = startOnboarding({
    ...config,
    keys,
    publicBaseUrl: 'https://api.example',
    blobs: { kind: 'jetstream' },
    merchantLinking: options.merchantLinking ?? 'open',
    verificationTtlMs: VERIFICATION_TTL_MS,
    kybRetentionMs: KYB_RETENTION_MS,
  })
  await service.addReplica(starting)
  if (options.verified) await verifyEveryMerchant(db)
  const ring = await testKeyRing('onboarding', { db, databaseUrl: config.databaseUrl, config: keys })
  return {
    ...service,
    /** The service's own key ring, which decrypts its data. */
    ring,
    ...callsOf(ask),
  }
}

const callsOf = (ask: TestCaller) => {
  const signUp = (partner: Partner, externalCustomerId: string, email: string) =>
    ask(customers.create, partner, { body: { external_customer_id: externalCustomerId, email } })
  return {
    signUp,
    /** Signs up a new customer. */
    async newCustomer(partner: Partner, externalCustomerId: string, email: string): Promise<Customer> {
      const outcome = await signUp(partner, externalCustomerId, email)
      if (!outcome.ok || outcome.variant !== 'created')
        throw new Error(`Not created: ${JSON.stringify(outcome)}`)
      return outcome.value
    },
    read: (partner: Partner, customerId: string) => ask(customers.get, partner, { params: { customerId } }),
    list: (partner: Partner, query: z.input<(typeof customers.list)['query']> = {}) =>
      ask(customers.list, partner, { query }),
    listCapabilities: (partner: Partner, customerId: string) =>
      ask(capabilities.list, partner, { params: { customerId } }),
    grant: (partnerCustomerId: string, capability: string, enabled: boolean) =>
      ask(capabilities.grant, OPERATOR, { params: { partnerCustomerId, capability }, body: { enabled } }),
    suspend: (customerId: string, names: readonly string[]) =>
      ask(capabilities.suspend, OPERATOR, { params: { customerId }, body: { capabilities: names } }),
    revoke: (partnerCustomerId: string) =>
      ask(relationships.revoke, OPERATOR, { params: { partnerCustomerId } }),
    reinstate: (partnerCustomerId: string) =>
      ask(relationships.reinstate, OPERATOR, { params: { partnerCustomerId } }),
    confirmLink: (partnerCustomerId: string) =>
      ask(relationships.confirmLink, OPERATOR, { params: { partnerCustomerId } }),
    resolve: (partnerId: string, partnerCustomerId: string) =>
      ask(
        relationships.getState,
        { kind: 'service', service: 'payments' },
        { body: { partner_id: partnerId, partner_customer_id: partnerCustomerId } },
      ),
  }
}
