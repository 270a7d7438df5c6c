import { setImmediate as turn } from 'node:timers/promises'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { inboxPrefix } from '@causeway/contracts'

export type BusClient = {
  connection: NatsConnection
  /** Lists the server's refusals, as `publish <subject>` or `subscribe <subject>`. */
  refusals: () => Promise<string[]>
  close: () => Promise<void>
}

/** Connects as one user and records what the server refuses. */
export const connectUser = async (server: string, user: string, pass: string): Promise<BusClient> => {
  const connection = await connect({
    servers: server,
    user,
    pass,
    inboxPrefix: inboxPrefix(user),
    reconnect: false,
  })
  const refused: string[] = []
  const watching = (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError) {
        refused.push(`${status.error.operation} ${status.error.subject}`)
      }
    }
  })()
  return {
    connection,
    refusals: async () => {
      // The server answers in order: after the PONG every refusal has arrived.
      await connection.flush()
      await turn()
      return refused
    },
    close: async () => {
      await connection.close()
      await watching
    },
  }
}
