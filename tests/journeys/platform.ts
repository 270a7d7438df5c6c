import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMerchantClient, createPartnerClient, type PartnerClient } from '@causeway/client'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { createRawClient, dataOf, signIn, type RawClient } from '../../scripts/platform/raw-client.ts'
import { approveCustomer } from '../../scripts/demo/kyb-case.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../scripts/platform/platform.ts'

/** Starts the whole platform with settings for tests, in `dataDir` or in a folder of its own, which it then deletes. */
export const startTestPlatform = async (
  env: Record<string, string> = {},
  options: Pick<PlatformOptions, 'isCluster' | 'reroute' | 'mains' | 'dataDir' | 'log'> = {},
) => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'causeway-journey-'))
  const platform = await startPlatform({
    ...options,
    dataDir,
    ports: 'free',
    withPartner: false,
    env: {
      PATH: process.env['PATH'],
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      PARTNER_RETRY_SCHEDULE: '1s,1s,2s,2s,5s,5s',
      LOG_LEVEL: 'warn',
      TIMEOUT_FACTOR: String(TEST_TIMEOUT_FACTOR),
      ...env,
    },
  })
  return {
    ...platform,
    staff: createRawClient({
      baseUrl: platform.baseUrl,
      headers: { authorization: `Bearer ${platform.operatorKey}` },
    }),
    sandbox: createRawClient({ baseUrl: platform.sandboxUrl }),
    stop: async () => {
      await platform.stop()
      // A folder that was given is its giver's to remove.
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestPlatform = Omit<Platform, 'stop'> & {
  staff: RawClient
  sandbox: RawClient
  stop: () => Promise<void>
}

/** A call that fails fails its test, however short the fault; the timeout ends what hangs, and measures nothing. */
const UNREPEATED = { maxRetries: 0, timeoutMs: 120_000 }

/** Creates a partner for a test, with every scope: as the client of the API, and signed in raw. */
export const newPartner = async (platform: TestPlatform, body: Record<string, unknown> = {}) => {
  const made = dataOf<{
    partner: { partner_id: string }
    client: { client_id: string; client_secret: string }
  }>(await platform.staff.post('/api/operator/partners', { name: 'Journey', ...body }))
  const credentials = { clientId: made.client.client_id, clientSecret: made.client.client_secret }
  return {
    partnerId: made.partner.partner_id,
    ...credentials,
    causeway: createPartnerClient({ ...UNREPEATED, baseUrl: platform.baseUrl, ...credentials }),
    api: await signIn({ baseUrl: platform.baseUrl, ...credentials }),
  }
}

/** Registers a receiver as the partner's destination, and has it verify signatures by the secret. */
export const registerReceiver = async (
  platform: TestPlatform,
  partnerId: string,
  receiver: { url: string; trust: (secret: string) => void },
): Promise<string> => {
  const made = dataOf<{ webhook: { webhook_id: string }; webhook_secret: string }>(
    await platform.staff.post(`/api/operator/partners/${partnerId}/webhooks`, { url: receiver.url }),
  )
  receiver.trust(made.webhook_secret)
  return made.webhook.webhook_id
}

let customers = 0
/** A body that creates a customer, each time another one. */
export const newShop = () => {
  customers += 1
  const mark = `${process.pid}-${customers}-${Math.round(performance.now())}`
  return { external_customer_id: mark, email: `${mark}@example.com` }
}

/** A customer of a partner, and its path under the partner API for raw calls. */
export type TestCustomer = Readonly<{ customerId: string; merchantId: string; path: string }>

/** Creates an unverified customer. */
export const signUp = async (causeway: PartnerClient): Promise<TestCustomer> => {
  const { partner_customer_id: customerId, customer_id: merchantId } = await causeway.createCustomer({
    body: newShop(),
  })
  return { customerId, merchantId, path: `/api/v1/partner/customers/${customerId}` }
}

/** Creates a verified customer for a test, which may take orders. */
export const newCustomer = async (platform: TestPlatform, causeway: PartnerClient): Promise<TestCustomer> => {
  const customer = await signUp(causeway)
  await approveCustomer({ partner: causeway, staff: platform.staff }, customer.customerId)
  return customer
}

/** A new API key of a merchant. */
const newApiKey = async (platform: TestPlatform, merchantId: string): Promise<string> => {
  const path = `/api/operator/merchants/${merchantId}/api-keys`
  return dataOf<{ api_key: string }>(await platform.staff.post(path)).api_key
}

/** A merchant with a key of its own: as the client of the API, and raw. */
export const newMerchant = async (platform: TestPlatform, merchantId: string) => {
  const { baseUrl } = platform
  const apiKey = await newApiKey(platform, merchantId)
  return {
    apiKey,
    api: createRawClient({ baseUrl, headers: { 'x-api-key': apiKey } }),
    causeway: createMerchantClient({ ...UNREPEATED, baseUrl, apiKey }),
  }
}

/** A body that creates an order. */
export const orderBody = (reference: string) =>
  ({
    reference,
    network: 'BTC',
    asset: 'BTC',
    amount: '50.00',
    currency: 'EUR',
    email: 'buyer@example.com',
  }) as const
