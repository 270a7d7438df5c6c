import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forOwnHost } from './own-host.ts'

/** One port of the sandbox, which can stop listening for a while. */
export type Listener = Readonly<{
  /** @throws Error of one line that names the setting when the port is taken */
  open: () => Promise<void>
  /** New connections are refused; calls in flight have `graceMs` to end, then all connections are cut. */
  close: (graceMs: number) => Promise<void>
  /** Known once opened; kept when opened again. */
  port: () => number
}>

/** @param setting the name of the setting that gives the port, for the message when it is taken */
export const createListener = (options: {
  host: string
  /** The address that payers know it by, or null. */
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
      const opening = createServer(forOwnHost(names, options.handler))
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
