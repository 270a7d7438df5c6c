import { newId, type Clock } from '@causeway/chassis'
import { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from '@causeway/rails/sandbox'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { z } from 'zod'

const Opened = z.looseObject({ order_key: z.string(), total_cents: z.number(), currency: z.string() })
type Opened = z.infer<typeof Opened>

type Refund = { refund_id: string; amount_cents: number; status: string }
type Dispute = { dispute_id: string; amount_cents: number | null; currency: string | null }
type Payment = {
  payment_id: string
  opened: Opened
  status: string
  refunds: Refund[]
  disputes: Dispute[]
  payer: { ip: string | null; email: string | null }
  /** Captured amount when it is completed; by default the requested amount. */
  captured?: { cents: number; currency: string }
}
/** How the next opening of a checkout ends: with success, with a status, or without a response after its effect. */
type Opening = 'ok' | number | 'reset_after_effect'

const read = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** Fake card processors with the sandbox's API, on loopback. The test sets their state. */
export const startFakeCards = async (clock: Clock, secret = 'a secret of this test') => {
  const payments = new Map<string, Payment>()
  const byKey = new Map<string, string>()
  const openings: Opening[] = []
  let reads = 0
  let readStatus = 200
  let arrived = 0
  let held: Promise<undefined> = Promise.resolve(undefined)

  const open = (idempotencyKey: string, body: unknown): Payment => {
    const known = payments.get(byKey.get(idempotencyKey) ?? '')
    if (known) return known
    const made: Payment = {
      payment_id: newId('request'),
      opened: Opened.parse(body),
      status: 'new',
      refunds: [],
      disputes: [],
      payer: { ip: null, email: null },
    }
    payments.set(made.payment_id, made)
    byKey.set(idempotencyKey, made.payment_id)
    return made
  }
  const present = ({ payment_id, opened, status, refunds, disputes, payer, captured }: Payment) => ({
    payment_id,
    order_key: opened.order_key,
    status,
    currency: captured?.currency ?? opened.currency,
    total_cents: opened.total_cents,
    paid_cents: status === 'completed' ? (captured?.cents ?? opened.total_cents) : 0,
    refunds: refunds.map((refund) => ({
      merchant_refund_id: null,
      order_key: opened.order_key,
      currency: opened.currency,
      created_at: clock.now().toISOString(),
      ...refund,
    })),
    disputes: disputes.map((dispute) => ({
      opened_at: clock.now().toISOString(),
      fee_cents: 1500,
      fee_currency: 'EUR',
      reason: 'fraudulent',
      ...dispute,
    })),
    payer,
  })

  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    void (async () => {
      const body = await read(request)
      if (request.method === 'POST') {
        arrived += 1
        await held
        const opening = openings.shift() ?? 'ok'
        if (typeof opening === 'number') return answer(opening, {})
        const made = open(String(request.headers['idempotency-key']), body)
        if (opening === 'reset_after_effect') return response.destroy()
        return answer(201, {
          payment_id: made.payment_id,
          order_url: `https://cards.example/${made.payment_id}`,
        })
      }
      reads += 1
      const payment = payments.get(request.url?.split('/').at(-1) ?? '')
      if (readStatus !== 200) return answer(readStatus, {})
      return payment ? answer(200, present(payment)) : answer(404, {})
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const ofOrder = (orderKey: string): Payment => {
    const found = [...payments.values()].filter((payment) => payment.opened.order_key === orderKey)
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} payments of order ${orderKey}`)
    return found[0]
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    ofOrder,
    opened: () => payments.size,
    reads: () => reads,
    /** How many calls to open a checkout have arrived. */
    arrived: () => arrived,
    /** Holds every call to open a checkout. @returns releases them */
    holdOpenings: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held = promise
      return () => resolve(undefined)
    },
    openNext: (...next: Opening[]) => openings.push(...next),
    answerReads: (status: number) => {
      readStatus = status
    },
    /** A signed post as the gateway relays it. */
    sign: (content: object, change: { secret?: string; at?: Date } = {}) => {
      const bytes = Buffer.from(JSON.stringify(content))
      const signature = signSandboxPost(
        change.secret ?? secret,
        bytes,
        change.at ?? new Date(clock.outsideMs()),
      )
      return {
        headers: { [SANDBOX_SIGNATURE_HEADER]: signature },
        raw_body_base64: bytes.toString('base64'),
      }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
