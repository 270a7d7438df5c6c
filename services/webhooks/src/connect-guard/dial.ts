import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** One address to connect to; the guard has checked it. */
export type DialTarget = Readonly<{
  address: string
  port: number
  tls: boolean
  /** The URL's host: SNI, and what the certificate must be for. */
  hostname: string
}>

/**
 * Opens a connection, TLS handshake included. The chunks of its `data` are lent: they hold until the listener returns.
 * Tests hand in a recorder that opens none.
 */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>

const readBuffer = Buffer.alloc(65_536)

/** All sockets read into one buffer: one made for each read costs a tenth of an exchange. TLS has buffers of its own. */
const openPlain = (host: string, port: number): Socket => {
  const callback = (bytes: number): boolean => socket.emit('data', readBuffer.subarray(0, bytes))
  const socket: Socket = connectTcp({ host, port, noDelay: true, onread: { buffer: readBuffer, callback } })
  return socket
}

const open = (target: DialTarget): Socket => {
  const { address: host, port, hostname } = target
  if (!target.tls) return openPlain(host, port)
  // SNI carries names only (RFC 6066, 3); for a literal the certificate is compared with the address itself.
  const servername = isIP(hostname) === 0 ? hostname : ''
  return connectTls({ host, port, servername, ALPNProtocols: ['http/1.1'] }).setNoDelay(true)
}

export const dial: Dial = (target, signal) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = open(target)
    const end = (error: Error) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error)
    }
    const abort = () => end(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
    // Stays for good: a socket that fails between two owners must not end the process.
    socket.on('error', end)
    socket.once(target.tls ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort)
      resolve(socket)
    })
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
