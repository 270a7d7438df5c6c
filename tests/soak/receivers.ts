import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { PARTNER_EVENT_TYPES } from '@causeway/contracts'
import { startReceiver, type ReceivedDelivery } from '../../scripts/demo/receiver.ts'
import { registerReceiver, type TestPlatform } from '../journeys/platform.ts'

/**
 * `good`: takes everything; `slow`: takes everything after a pause; `flaky`: refuses each event once and takes it then;
 * `refusing`: 410 for good; `resetting`: the connection ends without an answer.
 */
export type ReceiverKind = 'good' | 'slow' | 'flaky' | 'refusing' | 'resetting'
type Channel = 'partner' | 'merchant'

/** A destination, and what it received. */
export type Destination = Readonly<{
  kind: ReceiverKind
  channel: Channel
  webhookId: string
  /** The partner's or the merchant's id. */
  ownerId: string
  /** How often each event arrived, by its id; a merchant's body has none: by the body's hash. */
  received: ReadonlyMap<string, number>
  /** Why signatures were invalid. */
  faults: readonly string[]
  stop: () => Promise<void>
}>

/** Every event ends as delivered at a receiver of these kinds. */
export const takesAll = (kind: ReceiverKind): boolean =>
  kind === 'good' || kind === 'slow' || kind === 'flaky'

/** A receiver whose connections fail is tried by one delivery at a time: after an hour 20,000 wait, and may. */
export const mayKeepWaiting = (kind: ReceiverKind): boolean => kind === 'resetting'

const SLOW_MS = 400

const answer = (kind: ReceiverKind, isFirst: boolean, response: ServerResponse): void => {
  const end = (status: number) => void response.writeHead(status).end()
  if (kind === 'slow') setTimeout(() => end(200), SLOW_MS)
  else if (kind === 'refusing') end(410)
  else if (kind === 'resetting') response.socket?.resetAndDestroy()
  else end(kind === 'flaky' && isFirst ? 503 : 200)
}

/** A receiver that counts: hours of bodies would fill the memory. */
const startCounting = async (kind: ReceiverKind, channel: Channel) => {
  const received = new Map<string, number>()
  const faults: string[] = []
  const idOf = ({ event }: ReceivedDelivery): string =>
    channel === 'partner'
      ? event.event_id
      : createHash('sha256').update(JSON.stringify(event)).digest('base64')
  const receiver = await startReceiver({
    answer: (delivery, response) => {
      receiver.deliveries.length = 0
      const id = idOf(delivery)
      const before = received.get(id) ?? 0
      received.set(id, before + 1)
      if (!delivery.verified) faults.push(`${id}: ${String(delivery.fault)}`)
      answer(kind, before === 0, response)
    },
  })
  const { url, trust, stop } = receiver
  return { url, trust, counted: { kind, channel, received, faults, stop } }
}

/** A receiver of the partner channel, registered by staff. */
export const partnerDestination = async (
  platform: TestPlatform,
  partnerId: string,
  kind: ReceiverKind,
): Promise<Destination> => {
  const receiver = await startCounting(kind, 'partner')
  const webhookId = await registerReceiver(platform, partnerId, receiver, PARTNER_EVENT_TYPES)
  return { ...receiver.counted, webhookId, ownerId: partnerId }
}

/** A receiver of the merchant channel, registered by the merchant itself. */
export const merchantDestination = async (
  merchantId: string,
  register: (url: string) => Promise<Readonly<{ id: string; webhookSecret: string }>>,
  kind: ReceiverKind,
): Promise<Destination> => {
  const receiver = await startCounting(kind, 'merchant')
  const { id, webhookSecret } = await register(receiver.url)
  receiver.trust(webhookSecret)
  return { ...receiver.counted, webhookId: id, ownerId: merchantId }
}
