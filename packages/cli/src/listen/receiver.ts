import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verify, VerificationError, type WebhookEvent } from '@causeway/webhook-verifier'
import { CliError } from '../cli-error.ts'

/** A delivery as it came. */
export type Delivery = Readonly<{
  headers: IncomingMessage['headers']
  body: Buffer
  /** Null if the body is no event: a forged delivery may contain anything. */
  event: WebhookEvent | null
  /** Why the signature is not accepted, and what to do; null where it is. */
  fault: string | null
}>

export type Receiver = Readonly<{
  port: number
  /** Deliveries to this path are verified with this secret. What came before waits for this call. */
  open: (path: string, secret: string) => void
  stop: () => Promise<void>
}>

const parse = (body: Buffer): WebhookEvent | null => {
  try {
    return JSON.parse(body.toString()) as WebhookEvent
  } catch {
    return null
  }
}

const read = async (request: IncomingMessage, secret: string): Promise<Delivery> => {
  const body = await buffer(request)
  const { headers } = request
  try {
    return { headers, body, event: await verify(body, headers, secret), fault: null }
  } catch (error) {
    if (error instanceof VerificationError) return { headers, body, event: parse(body), fault: error.message }
    throw error
  }
}

type Opened = Readonly<{ path: string; secret: string }>

/**
 * Listens on a loopback port.
 * @param take gives the status to answer a delivery with
 * @throws CliError when the port is taken
 */
export const startReceiver = async (
  port: number,
  take: (delivery: Delivery) => Promise<number>,
): Promise<Receiver> => {
  let open: (opened: Opened) => void
  const opened = new Promise<Opened>((resolve) => {
    open = resolve
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, secret } = await opened
    // The merchant channel appends its path.
    if (request.url !== path && request.url?.startsWith(`${path}/`) !== true) {
      response.writeHead(404).end()
      return
    }
    // A later run asks in this way whether this one still runs.
    const status = request.method === 'POST' ? await take(await read(request, secret)) : 204
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new CliError(`Port ${port} is taken: choose another --port`) : error,
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    open: (path, secret) => open({ path, secret }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
