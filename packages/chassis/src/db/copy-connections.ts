import pg from 'pg'
import { clientConfig, type ConnectionOptions } from './connection.ts'
import type { Copy } from './copy-into.ts'
import { notDone, wasRolledBack } from './faults.ts'

/**
 * PostgreSQL waits for the rest of a stream without a timeout, in an open transaction. When the machine of a client is
 * gone it learns of it by these probes, after 5 s to 15 s: until then a replica that was given their events again waits
 * for the rows.
 */
const PROBES = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2'

/**
 * A statement and its streams, sent at once. Where a statement fails PostgreSQL skips the streams that are still to
 * come (Frontend/Backend Protocol, COPY Operations), and the connection is ready again.
 */
class Submission implements pg.Submittable {
  readonly #copy: Copy
  /** The client wraps it: its timer ends with the statement. */
  callback: (error: Error | null) => void

  constructor(copy: Copy, settle: (error: Error | null) => void) {
    this.#copy = copy
    this.callback = settle
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection
    stream.cork()
    connection.query(this.#copy.text)
    if (stream.writable) for (const rows of this.#copy.streams) stream.write(rows)
    stream.uncork()
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  // Each statement reports that it takes its stream, and that it is done: nothing is waited for in between.
  handleCopyInResponse(): void {}
  handleCommandComplete(): void {}
}

/** Connections for COPY alone, opened when they are first used: no other statement waits behind a stream. */
export type CopyConnections = Readonly<{ run: (copy: Copy) => Promise<void>; close: () => Promise<void> }>

/** Faults after which the connection goes on: of the data (SQLSTATE 22 and 23), or the statement was undone. */
const leavesConnection = (error: unknown): boolean =>
  wasRolledBack(error) || /^2[23]/.test(String((error as { code?: unknown }).code))

/** As many as batches are recorded at a time; further copies wait for one. */
const MAX_CONNECTIONS = 2

export const createCopyConnections = (
  options: ConnectionOptions & Readonly<{ Client: typeof pg.Client }>,
  onIdleLost: (error: Error) => void,
): CopyConnections => {
  const config = clientConfig(options)
  const clients = new pg.Pool({
    ...config,
    Client: options.Client,
    options: `${String(config.options)} ${PROBES}`,
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: 60_000,
  })
  clients.on('error', onIdleLost)
  // One that is lost while it is in use tells its statement; unheard, the event would end the process.
  clients.on('connect', (client) => client.on('error', () => undefined))
  return {
    async run(copy) {
      try {
        const client = await clients.connect()
        const error = await new Promise<Error | null>((resolve) => {
          client.query(new Submission(copy, resolve))
        })
        client.release(error !== null && !leavesConnection(error))
        if (error !== null) throw error
      } catch (error) {
        throw notDone(error) ?? error
      }
    },
    close: () => clients.end(),
  }
}
