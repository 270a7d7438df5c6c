import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'

const nameOf = (host: string): string | null => URL.parse(`http://${host}`)?.hostname ?? null

/**
 * Answers 421 to requests for a foreign host name. Without this check a web page could use DNS rebinding to change
 * orders and the clock. Names of one label are accepted: containers use them, and no public web page has one.
 * @param own accepted hosts in addition to loopback
 */
const rejectForeignHosts = (own: readonly string[], handler: RequestListener): RequestListener => {
  const known = new Set(own.map(nameOf))
  const isOwn = (host: string): boolean => {
    const name = nameOf(host)
    if (name === null) return false
    if (known.has(name) || name === '[::1]') return true
    return isIP(name) === 4 ? name.startsWith('127.') : /^[a-z0-9-]+$/.test(name)
  }
  return (request, response) => {
    if (isOwn(request.headers.host ?? '')) handler(request, response)
    else response.writeHead(421, { 'content-type': 'text/plain', connection: 'close' }).end('Another host\n')
  }
}

/** Longer than clients keep idle connections, so that they close first and get no reset. */
const KEEP_ALIVE_MS = 65_000

/** A listening port of the sandbox that can be closed and opened again. */
export type Listener = Readonly<{
  /** @throws Error of one line that names the setting when the port is taken */
  open: () => Promise<void>
  /** Refuses new connections, waits `graceMs` for calls in flight, then closes all connections. */
  close: (graceMs: number) => Promise<void>
  /** Known after the first `open`; the same after every later one. */
  port: () => number
}>

/** @param setting the name of the setting that gives the port, for the message when it is taken */
export const createListener = (options: {
  host: string
  /** The base URL that payers use, or null. */
  publicUrl: string | null
  port: number
  setting: string
  handler: RequestListener
}): Listener => {
  const { host, publicUrl } = options
  const names = publicUrl === null ? [host] : [host, new URL(publicUrl).host]
  let server: Server | null = null
  let port = options.port
  return {
    open: async () => {
      if (server) return
      const opening = createServer(
        { keepAliveTimeout: KEEP_ALIVE_MS },
        rejectForeignHosts(names, options.handler),
      )
      await new Promise<void>((resolve, reject) => {
        opening.once('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'EADDRINUSE' ? new Error(`${options.setting} ${port} is taken`) : error),
        )
        opening.listen(port, host, resolve)
      })
      server = opening
      port = (opening.address() as AddressInfo).port
    },
    close: async (graceMs) => {
      const closing = server
      server = null
      if (!closing) return
      const cut = setTimeout(() => closing.closeAllConnections(), graceMs)
      await new Promise((resolve) => {
        closing.close(resolve)
        closing.closeIdleConnections()
      })
      clearTimeout(cut)
    },
    port: () => port,
  }
}
