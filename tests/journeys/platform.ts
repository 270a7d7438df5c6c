import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMerchantClient, createPartnerClient, type PartnerClient } from '@causeway/client'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { createRawClient, dataOf, signIn, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { customerBody, verifyCustomer } from '@causeway/scenario'
import { type PlatformAddress, RELEASE } from '../infrastructure/platform-pool.ts'
import { prepareData } from '../infrastructure/prepared-data.ts'
import { bundledMains } from '../infrastructure/service-bundles.ts'
import { startPlatform, type Platform, type PlatformOptions } from '@causeway/dev-env/platform/platform'

/** Calls as staff and to the sandbox of a running platform. */
const callersOf = ({ baseUrl, sandboxUrl, operatorKey }: PlatformAddress) => ({
  staff: createRawClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } }),
  sandbox: createRawClient({ baseUrl: sandboxUrl }),
})

/** Starts the whole platform with settings for tests, in `dataDir` or in a temporary folder, which it then deletes. */
export const startTestPlatform = async (
  env: Record<string, string> = {},
  options: Pick<PlatformOptions, 'isCluster' | 'reroute' | 'mains' | 'dataDir' | 'log'> = {},
) => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'causeway-journey-'))
  if (options.dataDir === undefined && options.isCluster !== true) await prepareData(dataDir)
  // Tracing needs the modules themselves.
  const mains = env['TRACING'] === undefined ? await bundledMains() : {}
  const platform = await startPlatform({
    ...options,
    mains: { ...mains, ...options.mains },
    dataDir,
    ports: 'free',
    withPartner: false,
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: '--enable-source-maps',
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
    ...callersOf(platform),
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

export type SharedPlatform = PlatformAddress & Pick<TestPlatform, 'staff' | 'sandbox'>
export type ClaimedPlatform = SharedPlatform & {
  /** Leaves the platform to the next file. Only for a file that changes nothing that others see. */
  release: () => void
  /** Ends the use of a platform that is no longer as it was started: its clock was moved, an agreement was published. */
  discard: () => void
}

/**
 * Claims a running platform with default settings, or waits for the start of one. Until it is released no other file
 * uses it, but other files may have used it before: a test creates its own partners and customers.
 */
export const claimPlatform = async (): Promise<ClaimedPlatform> => {
  const socket = connect(Number(process.env['CAUSEWAY_TEST_PLATFORMS_PORT']), '127.0.0.1')
  const [line] = (await once(createInterface({ input: socket }), 'line')) as [string]
  const answer = JSON.parse(line) as PlatformAddress | { error: string }
  if ('error' in answer) throw new Error(answer.error)
  socket.unref()
  return {
    ...answer,
    ...callersOf(answer),
    release: () => void socket.end(`${RELEASE}\n`),
    discard: () => void socket.end(),
  }
}

/** A call that fails fails its test, however short the fault; the timeout ends what hangs, and measures nothing. */
const UNREPEATED = { maxRetries: 0, timeoutMs: 120_000 }

/** Creates a partner for a test, with every scope: as the client of the API, and signed in raw. */
export const newPartner = async (
  platform: Pick<TestPlatform, 'baseUrl' | 'staff'>,
  body: Record<string, unknown> = {},
) => {
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

/**
 * Registers a receiver as the partner's destination, and has it verify signatures by the secret.
 * @param eventTypes left out: those that a destination receives without naming them
 */
export const registerReceiver = async (
  platform: Pick<TestPlatform, 'staff'>,
  partnerId: string,
  receiver: { url: string; trust: (secret: string) => void },
  eventTypes?: readonly string[],
): Promise<string> => {
  const made = dataOf<{ webhook: { webhook_id: string }; webhook_secret: string }>(
    await platform.staff.post(`/api/operator/partners/${partnerId}/webhooks`, {
      url: receiver.url,
      event_types: eventTypes,
    }),
  )
  receiver.trust(made.webhook_secret)
  return made.webhook.webhook_id
}

let customers = 0
/** A body that creates a customer, each time another one. */
export const newShop = () => {
  customers += 1
  const mark = `${process.pid}-${customers}-${Math.round(performance.now())}`
  return customerBody(mark)
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
export const newCustomer = async (
  platform: Pick<TestPlatform, 'staff'>,
  causeway: PartnerClient,
): Promise<TestCustomer> => {
  const customer = await signUp(causeway)
  await verifyCustomer({ partner: causeway, staff: platform.staff }, customer.customerId)
  return customer
}

/** A new API key of a merchant. */
const newApiKey = async (platform: SharedPlatform, merchantId: string): Promise<string> => {
  const path = `/api/operator/merchants/${merchantId}/api-keys`
  return dataOf<{ api_key: string }>(await platform.staff.post(path)).api_key
}

/** Creates an API key of a merchant. @returns its client of the API, and a raw one */
export const newMerchant = async (platform: SharedPlatform, merchantId: string) => {
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
