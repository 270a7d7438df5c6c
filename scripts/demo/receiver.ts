import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as it arrived, and whether its signature is that of the secret. */
export type ReceivedDelivery = {
  verified: boolean
  webhookId: string
  event: {
    event_id: string
    event_type: string
    created_at: string
    partner_id: string
    data: Record<string, unknown>
  }
}

const SKEW_SECONDS = 300

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Recomputes `v1=` + hex HMAC-SHA256 of `<x-timestamp>.<raw body>` and compares in constant time (spec: Events). */
export const verifySignature = (
  headers: IncomingMessage['headers'],
  body: Buffer,
  secret: string,
): boolean => {
  const timestamp = String(headers['x-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= SKEW_SECONDS)) return false
  const expected = Buffer.from(
    `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`,
  )
  const given = Buffer.from(String(headers['x-signature']))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * A partner's receiver on a free loopback port.
 * @param options.status what it answers; a function is asked for each delivery
 */
export const startReceiver = async (
  options: { status?: () => number; onDelivery?: (delivery: ReceivedDelivery) => void } = {},
) => {
  const deliveries: ReceivedDelivery[] = []
  const secrets = new Set<string>()
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const delivery: ReceivedDelivery = {
        verified: [...secrets].some((secret) => verifySignature(request.headers, body, secret)),
        webhookId: String(request.headers['x-webhook-id']),
        event: JSON.parse(body.toString()) as ReceivedDelivery['event'],
      }
      deliveries.push(delivery)
      options.onDelivery?.(delivery)
      response.writeHead(options.status?.() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
