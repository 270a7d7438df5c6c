import { Pool, type Dispatcher } from 'undici'
import type { Attempt } from '../../services/webhooks/src/sending/attempt.ts'
import { signatureOf, signingKey } from '../../services/webhooks/src/sending/signature.ts'

/** A job in a rival's queue: one delivery, with the body that is logged and sent. */
export type DeliveryJob = Readonly<{
  deliveryId: string
  destinationId: string
  ownerId: string
  eventId: string
  type: string
  body: string
  createdMs: number
}>

/** Destinations of deliveries: all are the one receiver, each with a separate owner and secret. */
export type DeliveryOptions = Readonly<{
  url: string
  connections: number
  destinations: readonly Readonly<{ id: string; ownerId: string; secret: string }>[]
}>

type Send = (outgoing: Readonly<{ headers: string[]; body: Buffer }>) => Promise<number>

const createSend = ({ url, connections }: DeliveryOptions): Send => {
  const pool = new Pool(url, { connections, pipelining: 1 })
  return ({ headers, body }) =>
    new Promise((resolve, reject) => {
      let status = 0
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseData: () => undefined,
        onResponseEnd: () => resolve(status),
        onResponseError: (_controller, error) => reject(error),
      }
      pool.dispatch({ method: 'POST', path: '/hooks', headers, body }, handler)
    })
}

const SUCCESS = 200
const KEPT_HEADERS = ['content-type', 'application/json', 'user-agent', 'Causeway-Webhooks/1']

/**
 * The work of one job, the same for every rival: the product's headers and signature, over kept-alive connections.
 * @returns the attempt to record; rejects when the destination did not accept it, so that the queue retries
 */
export const createDelivery = (options: DeliveryOptions): ((job: DeliveryJob) => Promise<Attempt>) => {
  const send = createSend(options)
  const keys = new Map(options.destinations.map(({ id, secret }) => [id, signingKey(secret)]))
  return async ({ destinationId, body }) => {
    const key = keys.get(destinationId)
    if (!key) throw new Error(`No destination ${destinationId}`)
    const bytes = Buffer.from(body)
    const atMs = Date.now()
    const fromMs = performance.now()
    const timestamp = String(Math.floor(atMs / 1000))
    const signed = ['x-timestamp', timestamp, 'x-signature', signatureOf(key, timestamp, bytes)]
    const headers = [...KEPT_HEADERS, 'x-webhook-id', destinationId, ...signed]
    const statusCode = await send({ headers, body: bytes })
    if (statusCode !== SUCCESS) throw new Error(`${destinationId} answered ${statusCode}`)
    const latencyMs = Math.round(performance.now() - fromMs)
    return { atMs, statusCode, latencyMs, error: null, responseBody: null, retryAfterMs: null }
  }
}
