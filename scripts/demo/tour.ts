import { createMerchantClient, createPartnerClient } from '@causeway/client'
import { createRawClient, dataOf } from '@causeway/dev-env/platform/raw-client'
import { customerBody } from '@causeway/scenario'
import { walkCardPayment } from './card-payment.ts'
import { walkCryptoPayment } from './crypto-payment.ts'
import { createExpectations } from './expectations.ts'
import { reportedFetch, type Reporter } from './reporter.ts'
import { walkOnramp } from './onramp.ts'
import { startReceiver } from './receiver.ts'
import { control, type TourContext } from './tour-context.ts'
import { walkVerification } from './verification.ts'

export type TourPlatform = {
  baseUrl: string
  sandboxUrl: string
  operatorKey: string
  partner: { partnerId: string; clientId: string; clientSecret: string }
  /** True if the tour may move the platform's time, which only moves forward. */
  mayMoveTime: boolean
}

/** Creates clients without retries: a refused call fails the demo, and no call is hidden from the reader. */
const clientsOf = (platform: TourPlatform, reporter: Reporter) => {
  const { baseUrl, sandboxUrl, operatorKey } = platform
  const raw = { baseUrl, onAnswer: reporter.exchange }
  const options = { baseUrl, fetch: reportedFetch(reporter.exchange), maxRetries: 0 }
  return {
    sandbox: createRawClient({ ...raw, baseUrl: sandboxUrl }),
    staff: createRawClient({ ...raw, headers: { authorization: `Bearer ${operatorKey}` } }),
    /** Has its token already. */
    partner: async () => {
      const { clientId, clientSecret } = platform.partner
      const partner = createPartnerClient({ ...options, clientId, clientSecret })
      await partner.scopes()
      return partner
    },
    merchant: (apiKey: string) => createMerchantClient({ ...options, apiKey }),
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>
type Clients = ReturnType<typeof clientsOf>

/**
 * Makes what every walk begins with: a destination of the partner's, whose deliveries are verified, and a customer; and
 * removes the destination when the walk is over.
 */
export const withCustomer = async (
  platform: TourPlatform,
  reporter: Reporter,
  walk: (context: TourContext, parts: Readonly<{ receiver: Receiver; clients: Clients }>) => Promise<void>,
): Promise<void> => {
  const receiver = await startReceiver()
  const clients = clientsOf(platform, reporter)
  const { staff, sandbox } = clients
  const destinations = `/api/operator/partners/${platform.partner.partnerId}/webhooks`
  let webhookId: string | null = null
  try {
    reporter.step('Staff register the partner’s destination; its secret is shown once')
    const made = dataOf<{ webhook: { webhook_id: string }; webhook_secret: string }>(
      await staff.post(destinations, { url: receiver.url }),
    )
    webhookId = made.webhook.webhook_id
    receiver.trust(made.webhook_secret)

    reporter.step('The partner gets a token')
    const partner = await clients.partner()

    reporter.step('links a customer')
    const suffix = Date.now().toString(36)
    const { partner_customer_id: customerId } = await partner.createCustomer({
      body: customerBody(`shop-${suffix}`),
    })
    const expect = createExpectations(receiver.deliveries, reporter)
    await walk({ partner, staff, sandbox, customerId, suffix, reporter, expect }, { receiver, clients })
  } finally {
    if (webhookId !== null) await staff.delete(`${destinations}/${webhookId}`)
    await receiver.stop()
  }
}

/** Walks the README's tour against a running platform. @throws when any response is not the expected one */
export const walkTour = (platform: TourPlatform, reporter: Reporter): Promise<void> =>
  withCustomer(platform, reporter, async (context, { receiver, clients }) => {
    await walkVerification(context)
    await walkCryptoPayment(context)
    await walkCardPayment(context)
    const later = async (ms: number) => {
      await control(context, 'clock', { advance_ms: ms })
      return clients.partner()
    }
    const merchantClient = clients.merchant
    await walkOnramp(context, { receiver, merchantClient, later: platform.mayMoveTime ? later : null })
  })
