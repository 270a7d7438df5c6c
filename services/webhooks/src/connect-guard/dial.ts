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
 * Opens a connection, TLS handshake included. Tests hand in a recorder that opens none.
 */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>

const open = (target: DialTarget): Socket => {
  const { address: host, port, hostname } = target
  if (!target.tls) return connectTcp({ host, port, noDelay: true })
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
