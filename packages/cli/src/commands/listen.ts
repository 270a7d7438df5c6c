import { createMerchantClient } from '@causeway/client'
import type { Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import { listen } from '../listen/listen.ts'
import {
  borrowedSubscriber,
  merchantSubscriber,
  ownPartnerSubscriber,
  partnerSubscriber,
  type Subscriber,
} from '../listen/subscriber.ts'
import { webAddress, type Session } from '../session/session.ts'
import { wholeNumber } from './options.ts'

type Options = {
  partner?: string
  merchant?: string | true
  types?: string
  port: number
  publicUrl?: string
  forwardTo?: string
}

const ABOUT = `
Registers a webhook, verifies and prints its deliveries, and removes it at Ctrl-C. Events
between the start and the registration are sent again. A webhook that a crashed run left
registered is removed.

A partner listens with its own client, if it has the scopes webhooks:read and webhooks:write,
or with a staff key.

With --forward-to each verified delivery is forwarded unchanged, and the platform gets your
program's response: a refused delivery is retried as in production. The secret is printed.

Examples:
  causeway listen
  causeway listen --forward-to http://127.0.0.1:3000/hooks
  causeway listen --partner prt_01m831… --types payment.confirmed,refund.completed
  causeway listen --merchant cus_01m831…
  causeway listen --merchant --json`

/**
 * A merchant by its own key or by staff; else the partner, by staff where a staff key is set or `--partner` is given, or
 * by its own client, which needs `webhooks:read` and `webhooks:write`.
 */
const subscriberOf = async (
  session: Session,
  { partner, merchant, types = '' }: Options,
): Promise<Subscriber> => {
  if (merchant === true) return merchantSubscriber(session.merchant())
  if (merchant !== undefined)
    return borrowedSubscriber(session.staff(), merchant, (apiKey) =>
      createMerchantClient({ baseUrl: session.baseUrl, apiKey }),
    )
  const eventTypes = types.split(',').filter((type) => type !== '')
  if (partner === undefined && session.credentials.staff === undefined)
    return ownPartnerSubscriber(session.partner(), eventTypes)
  return partnerSubscriber(session.staff(), partner ?? (await session.partnerId()), eventTypes)
}

/** Aborted at Ctrl-C, or when the process is asked to end. */
const untilInterrupted = (): AbortSignal => {
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  return controller.signal
}

/** `causeway listen`. */
export const addListen = (program: Command, context: Context): void => {
  program
    .command('listen')
    .description('receive, verify and print events, and forward them')
    .option('--partner <id>', 'partner id, prt_…; default: the partner that is logged in')
    .option(
      '--merchant [id]',
      'events of a merchant: cus_… with a staff key; without id with its own API key',
    )
    .option(
      '--types <types>',
      'only these event types of a partner, separated by commas; payout.* are received only if named',
    )
    .option('--forward-to <url>', 'URL to forward each delivery to')
    .option('--port <n>', 'port to listen on; 0: any free port', wholeNumber(0, 65_535), 0)
    .option(
      '--public-url <url>',
      'URL by which the platform reaches the port, if it runs elsewhere (a tunnel)',
    )
    .addHelpText('after', ABOUT)
    .action(
      actWith<Options>(context, async (session, { options, output }) => {
        const { port, publicUrl, forwardTo } = options
        const signal = untilInterrupted()
        await listen(
          await subscriberOf(session, options),
          {
            port,
            publicUrl: publicUrl === undefined ? null : webAddress(publicUrl),
            forwardTo: forwardTo === undefined ? null : webAddress(forwardTo),
          },
          output,
          signal,
        )
      }),
    )
}
