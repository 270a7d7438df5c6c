import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { metrics } from '@causeway/chassis'
import { networkOf } from './client-address.ts'

/** Most connections of one peer address (an IPv6 network of 64 bits is one), and of all together. */
export type ConnectionBounds = Readonly<{ perAddress: number; total: number }>

type Peer = { address: string; open: number; readonly idle: Set<Connection> }
type Connection = { readonly socket: Socket; readonly peer: Peer; requests: number }

const cut = metrics.counter(
  'causeway_http_connections_cut_total',
  'Connections that were closed because their address, or everybody, had too many',
  ['bound'],
)

const firstOf = <T>(set: ReadonlySet<T>): T | undefined => set.values().next().value

/**
 * Bounds connections. One over a bound takes the place of the one that has been idle longest, of its own address or of
 * all; where none is idle, the new one is closed. A connection is idle while no request of it is being answered.
 * @returns to be called with every request
 */
export const boundConnections = (
  server: Server,
  bounds: ConnectionBounds,
): ((socket: Socket, response: ServerResponse) => void) => {
  const peers = new Map<string, Peer>()
  const connections = new WeakMap<Socket, Connection>()
  const idle = new Set<Connection>()
  let open = 0

  const rest = (connection: Connection) => {
    connection.peer.idle.add(connection)
    idle.add(connection)
  }
  const wake = (connection: Connection) => {
    connection.peer.idle.delete(connection)
    idle.delete(connection)
  }
  const leave = (connection: Connection) => {
    const { peer } = connection
    wake(connection)
    open -= 1
    peer.open -= 1
    if (peer.open === 0) peers.delete(peer.address)
  }
  const makeRoom = (newcomer: Connection): Connection | null => {
    const { peer } = newcomer
    if (peer.open > bounds.perAddress) {
      cut.inc({ bound: 'address' })
      return firstOf(peer.idle) ?? newcomer
    }
    if (open <= bounds.total) return null
    cut.inc({ bound: 'total' })
    return firstOf(idle) ?? newcomer
  }

  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const peer = peers.get(address) ?? { address, open: 0, idle: new Set() }
    peers.set(address, peer)
    const connection: Connection = { socket, peer, requests: 0 }
    open += 1
    peer.open += 1
    socket.once('close', () => leave(connection))
    makeRoom(connection)?.socket.destroy()
    if (socket.destroyed) return
    connections.set(socket, connection)
    rest(connection)
  })

  return (socket, response) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    if (connection.requests === 0) wake(connection)
    connection.requests += 1
    response.once('close', () => {
      connection.requests -= 1
      if (connection.requests === 0 && !socket.destroyed) rest(connection)
    })
  }
}
