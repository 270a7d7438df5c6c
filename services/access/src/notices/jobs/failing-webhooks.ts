import { startLoop, type Loop, type ServiceClient } from '@causeway/chassis'
import { deliveries, type FailingWebhook } from '@causeway/contracts'
import type { AccessContext } from '../../context.ts'
import type { Owner } from '../../people/store.ts'
import { queueNotices } from '../queue.ts'

const EVERY_MS = 300_000
const REST_MS = 1_000
const RETRY_MS = 30_000
const PAGE = 200
/** How far back deliveries are read, so that an outage of access skips none. Shorter than the time between two notices. */
const LOOK_BACK_MS = 6 * 3_600_000
const MAIL_TTL_MS = 24 * 3_600_000

type Options = Pick<AccessContext, 'db' | 'clock' | 'log' | 'vault' | 'mailAlarm'> &
  Readonly<{ ask: ServiceClient; publicBaseUrl: string }>

const ownerOf = ({ partner_id: partnerId, customer_id: merchantId }: FailingWebhook): Owner | null => {
  if (partnerId !== null) return { ownerKind: 'partner', ownerId: partnerId }
  return merchantId === null ? null : { ownerKind: 'merchant', ownerId: merchantId }
}

async function notify({ db, clock, vault, publicBaseUrl }: Options, webhook: FailingWebhook): Promise<void> {
  const owner = ownerOf(webhook)
  if (owner === null) return
  const { webhook_id: subject } = webhook
  await db.transaction((tx) => {
    const now = clock.now()
    return queueNotices(tx, vault, {
      owner,
      kind: 'webhook_failing',
      subject,
      merchant: null,
      target: subject,
      publicBaseUrl,
      now,
      expiresAt: new Date(now.getTime() + MAIL_TTL_MS),
    })
  })
}

/** A page of failing webhooks; `next` is null at the end. */
type Page = Readonly<{ webhooks: readonly FailingWebhook[]; next: string | null }>

async function readPage({ ask, clock }: Options, afterId: string): Promise<Page> {
  const since = new Date(clock.nowMs() - LOOK_BACK_MS).toISOString()
  const answer = await ask(deliveries.listFailing, { since, after_id: afterId, limit: PAGE })
  if (!answer.ok) throw new Error(`${deliveries.listFailing.subject} returned ${answer.code}`)
  return { webhooks: answer.value.webhooks, next: answer.value.next_id }
}

/** Notifies the people of the owner of each webhook of which a delivery was given up. */
export async function notifyOfFailingWebhooks(options: Options): Promise<void> {
  let afterId: string | null = ''
  while (afterId !== null) {
    const { webhooks, next }: Page = await readPage(options, afterId)
    for (const webhook of webhooks) await notify(options, webhook)
    if (webhooks.length > 0) options.mailAlarm.ring()
    afterId = next
  }
}

/**
 * Looks for webhooks that keep failing (decisions §58), on every replica: each notice is claimed by one. Webhooks keeps no
 * such event, which it would emit again for each of thousands of deliveries.
 */
export const startFailingWebhooks = (options: Options): Loop =>
  startLoop({
    name: 'failing-webhooks',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    retryMs: RETRY_MS,
    log: options.log,
    run: () => notifyOfFailingWebhooks(options),
  })
