import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rejectForeignHosts } from './host-check.ts'

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
