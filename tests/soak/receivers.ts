import type { ServerResponse } from 'node:http'
import { startReceiver, type ReceivedDelivery } from '../../scripts/demo/receiver.ts'
import { registerReceiver, type TestPlatform } from '../journeys/platform.ts'

/**
 * `good`: takes everything; `slow`: takes everything after a pause; `flaky`: refuses each event once and takes it then;
 * `refusing`: 410 for good; `resetting`: the connection ends without an answer.
 */
export type ReceiverKind = 'good' | 'slow' | 'flaky' | 'refusing' | 'resetting'

/** A destination, and what it received. */
export type Destination = Readonly<{
  kind: ReceiverKind
  channel: 'partner' | 'merchant'
  webhookId: string
  /** The partner's or the merchant's id. */
  ownerId: string
  deliveries: readonly ReceivedDelivery[]
  stop: () => Promise<void>
}>

/** Every event ends as delivered at a receiver of these kinds. */
export const takesAll = (kind: ReceiverKind): boolean =>
  kind === 'good' || kind === 'slow' || kind === 'flaky'

const SLOW_MS = 400

const answers = (kind: ReceiverKind): ((delivery: ReceivedDelivery, response: ServerResponse) => void) => {
  const refused = new Set<string>()
  return ({ event }, response) => {
    const end = (status: number) => void response.writeHead(status).end()
    const body = JSON.stringify(event)
    if (kind === 'good') end(200)
    else if (kind === 'slow') setTimeout(() => end(200), SLOW_MS)
    else if (kind === 'refusing') end(410)
    else if (kind === 'resetting') response.socket?.resetAndDestroy()
    else if (refused.has(body)) end(200)
    else {
      refused.add(body)
      end(503)
    }
  }
}

/** A receiver of the partner channel, registered by staff. */
export const partnerDestination = async (
  platform: TestPlatform,
  partnerId: string,
  kind: ReceiverKind,
): Promise<Destination> => {
  const receiver = await startReceiver({ answer: answers(kind) })
  const webhookId = await registerReceiver(platform, partnerId, receiver)
  return { ...receiver, kind, channel: 'partner', webhookId, ownerId: partnerId }
}

/** A receiver of the merchant channel, registered by the merchant itself. */
export const merchantDestination = async (
  merchantId: string,
  register: (url: string) => Promise<Readonly<{ id: string; webhookSecret: string }>>,
  kind: ReceiverKind,
): Promise<Destination> => {
  const receiver = await startReceiver({ answer: answers(kind) })
  const { id, webhookSecret } = await register(receiver.url)
  receiver.trust(webhookSecret)
  return { ...receiver, kind, channel: 'merchant', webhookId: id, ownerId: merchantId }
}
