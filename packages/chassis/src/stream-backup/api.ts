import type { NatsConnection } from '@nats-io/transport-node'

type ApiError = Readonly<{ description: string }>

/**
 * Asks the JetStream API, whose snapshots and restores the client library does not know (NATS reference: JetStream
 * API, `$JS.API.STREAM.SNAPSHOT` and `$JS.API.STREAM.RESTORE`).
 *
 * @throws Error with the server's description
 */
export const askApi = async <T>(
  connection: NatsConnection,
  subject: string,
  payload: string | Uint8Array,
  timeoutMs: number,
): Promise<T> => {
  const answer = await connection.request(subject, payload, { timeout: timeoutMs })
  // A piece that was taken is answered by nothing.
  const { error, ...body } = (answer.data.length === 0 ? {} : answer.json()) as T & { error?: ApiError }
  if (error !== undefined) throw new Error(`NATS: ${error.description}`)
  return body as T
}
