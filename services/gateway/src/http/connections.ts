import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { metrics } from '@causeway/chassis'
import { networkOf } from './client-address.ts'

/** Limits of open connections: of one peer address (an IPv6 /64 counts as one), and of all together. */
export type ConnectionBounds = Readonly<{ perAddress: number; total: number }>

type Peer = { address: string; open: number; readonly idle: Set<Connection> }
type Connection = { readonly socket: Socket; readonly peer: Peer; requests: number }

const closed = metrics.counter(
  'causeway_http_connections_cut_total',
  'Connections closed because their address, or all together, had too many',
  ['bound'],
)

const firstOf = <T>(set: ReadonlySet<T>): T | undefined => set.values().next().value

/**
 * Limits open connections. A connection over a limit closes the one that has been idle longest, of the same address or of
 * all; when none is idle, the new one itself is closed. A connection is idle while no request on it waits for its answer.
 * @returns the function to call with every request
 */
export const boundConnections = (
  server: Server,
  bounds: ConnectionBounds,
): ((socket: Socket, response: ServerResponse) => void) => {
  const peers = new Map<string, Peer>()
  const connections = new WeakMap<Socket, Connection>()
  const idle = new Set<Connection>()
  let open = 0

  const markIdle = (connection: Connection) => {
    connection.peer.idle.add(connection)
    idle.add(connection)
  }
  const markBusy = (connection: Connection) => {
    connection.peer.idle.delete(connection)
    idle.delete(connection)
  }
  const remove = (connection: Connection) => {
    const { peer } = connection
    markBusy(connection)
    open -= 1
    peer.open -= 1
    if (peer.open === 0) peers.delete(peer.address)
  }
  /** The connection to close for a new one, or null when the limits allow it. */
  const connectionToClose = (newcomer: Connection): Connection | null => {
    const { peer } = newcomer
    if (peer.open > bounds.perAddress) {
      closed.inc({ bound: 'address' })
      return firstOf(peer.idle) ?? newcomer
    }
    if (open <= bounds.total) return null
    closed.inc({ bound: 'total' })
    return firstOf(idle) ?? newcomer
  }

  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const peer = peers.get(address) ?? { address, open: 0, idle: new Set() }
    peers.set(address, peer)
    const connection: Connection = { socket, peer, requests: 0 }
    open += 1
    peer.open += 1
    socket.once('close', () => remove(connection))
    connectionToClose(connection)?.socket.destroy()
    if (socket.destroyed) return
    connections.set(socket, connection)
    markIdle(connection)
  })

  return (socket, response) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    if (connection.requests === 0) markBusy(connection)
    connection.requests += 1
    response.once('close', () => {
      connection.requests -= 1
      if (connection.requests === 0 && !socket.destroyed) markIdle(connection)
    })
  }
}
