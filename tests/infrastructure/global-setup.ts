import { borrowServers } from './dev-servers.ts'
import { type PlatformPool, startPlatformPool } from './platform-pool.ts'
import { startTestServers, type TestServers } from './test-servers.ts'

declare global {
  var causewayTestServers: TestServers | undefined
  var causewayPlatformPool: PlatformPool | undefined
}

/**
 * Starts the servers that all tests of a run share, or borrows those of `pnpm dev:servers`, and passes their addresses to
 * the workers' environment.
 */
const globalSetup = async (): Promise<void> => {
  const servers = (await borrowServers()) ?? (await startTestServers())
  globalThis.causewayTestServers = servers
  process.env['CAUSEWAY_TEST_POSTGRES_URL'] = servers.postgresUrl
  process.env['CAUSEWAY_TEST_TEMPLATES_URL'] = servers.postgresUrl
  process.env['CAUSEWAY_TEST_NATS_URL'] = servers.natsUrl
  const pool = await startPlatformPool(async () => {
    const { startTestPlatform } = await import('../journeys/platform.ts')
    return startTestPlatform()
  })
  globalThis.causewayPlatformPool = pool
  process.env['CAUSEWAY_TEST_PLATFORMS_PORT'] = String(pool.port)
}

export default globalSetup
