import { verify, VerificationError } from '@causeway/webhook-verifier'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A received delivery, and whether its signature was made with one of the trusted secrets. */
export type ReceivedDelivery = {
  verified: boolean
  /** Why the signature is invalid, and what to do. */
  fault?: string
  webhookId: string
  event: {
    event_id: string
    event_type: string
    created_at: string
    partner_id: string
    data: Record<string, unknown>
  }
}

type ReceiverOptions = Readonly<{
  /** The response's status, called for each delivery. Default 200. */
  status?: () => number
  onDelivery?: (delivery: ReceivedDelivery) => void
  /** Answers in place of `status`. */
  answer?: (delivery: ReceivedDelivery, response: ServerResponse) => void
  /** Default: a free port. */
  port?: number
}>

const verifyDelivery = async (
  body: Buffer,
  headers: IncomingMessage['headers'],
  secrets: readonly string[],
): Promise<Pick<ReceivedDelivery, 'verified' | 'fault'>> => {
  try {
    await verify(body, headers, secrets)
    return { verified: true }
  } catch (error) {
    if (error instanceof VerificationError) return { verified: false, fault: error.message }
    throw error
  }
}

const parsed = (body: Buffer): ReceivedDelivery['event'] | null => {
  try {
    return JSON.parse(body.toString()) as ReceivedDelivery['event']
  } catch {
    return null
  }
}

/** A receiver for both channels on a loopback port. A body that is not JSON is answered 400 and not recorded. */
export const startReceiver = async (options: ReceiverOptions = {}) => {
  const deliveries: ReceivedDelivery[] = []
  const secrets = new Set<string>()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const event = parsed(body)
    if (event === null) {
      response.writeHead(400).end()
      return
    }
    const delivery: ReceivedDelivery = {
      ...(await verifyDelivery(body, request.headers, [...secrets])),
      webhookId: String(request.headers['x-webhook-id']),
      event,
    }
    deliveries.push(delivery)
    options.onDelivery?.(delivery)
    if (options.answer) options.answer(delivery, response)
    else response.writeHead(options.status?.() ?? 200).end()
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    deliveries,
    trust: (secret: string) => secrets.add(secret),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
