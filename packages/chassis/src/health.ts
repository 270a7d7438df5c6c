import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { registry } from './metrics.ts'
import { VERSION } from './version.ts'

// An import of its values costs 50 ms of CPU: for a module's namespace, Node reads `http.WebSocket`, and loads its own undici.
const { createServer } = process.getBuiltinModule('node:http')

type HealthOptions = Readonly<{ host: string; port: number; ready: () => Promise<boolean> }>

/** Serves `/healthz` (process up, and of which release), `/readyz` (what it needs is reachable) and `/metrics` (Prometheus). */
export const startHealthServer = async (
  options: HealthOptions,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  const answers: Record<string, () => Promise<[status: number, type: string, body: string]>> = {
    '/healthz': async () => [200, 'application/json', JSON.stringify({ status: 'ok', version: VERSION })],
    '/readyz': async () =>
      (await options.ready())
        ? [200, 'application/json', '{"ready":true}']
        : [503, 'application/json', '{"ready":false}'],
    '/metrics': async () => [200, registry.contentType, await registry.metrics()],
  }
  const server: Server = createServer((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? '']
    void (answer ? answer() : Promise.resolve([404, 'text/plain', 'not found'] as const))
      .catch(() => [503, 'application/json', '{"ready":false}'] as const)
      .then(([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`HEALTH_PORT ${options.port} is in use`) : error),
    )
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
