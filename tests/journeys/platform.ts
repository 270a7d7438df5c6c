import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { createRawClient, dataOf, signIn, type RawClient } from '../../scripts/platform/raw-client.ts'
import { approveCustomer } from '../../scripts/demo/kyb-case.ts'
import { startPlatform, type Platform } from '../../scripts/platform/platform.ts'

/** Starts the whole platform with a folder of its own and settings for tests. */
export const startTestPlatform = async (env: Record<string, string> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-journey-'))
  const platform = await startPlatform({
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
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestPlatform = Omit<Platform, 'stop'> & {
  staff: RawClient
  sandbox: RawClient
  stop: () => Promise<void>
}

/** Creates a partner for a test, signed in with every scope. */
export const newPartner = async (platform: TestPlatform, body: Record<string, unknown> = {}) => {
  const made = dataOf<{
    partner: { partner_id: string }
    client: { client_id: string; client_secret: string }
  }>(await platform.staff.post('/api/operator/partners', { name: 'Journey', ...body }))
  const credentials = { clientId: made.client.client_id, clientSecret: made.client.client_secret }
  return {
    partnerId: made.partner.partner_id,
    ...credentials,
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
/** Creates a verified customer for a test, which may take orders. @returns its path under the partner API */
export const newCustomer = async (platform: TestPlatform, api: RawClient): Promise<string> => {
  const path = await signUp(api)
  await approveCustomer({ partner: api, staff: platform.staff }, path)
  return path
}

/** Creates an unverified customer. @returns its path under the partner API */
export const signUp = async (api: RawClient): Promise<string> => {
  customers += 1
  const mark = `${process.pid}-${customers}-${Math.round(performance.now())}`
  const made = dataOf<{ partner_customer_id: string }>(
    await api.post('/api/v1/partner/customers', { external_customer_id: mark, email: `${mark}@example.com` }),
  )
  return `/api/v1/partner/customers/${made.partner_customer_id}`
}

/** A body that creates an order. */
export const orderBody = (reference: string) => ({
  reference,
  network: 'BTC',
  asset: 'BTC',
  amount: '50.00',
  currency: 'EUR',
  email: 'buyer@example.com',
})
