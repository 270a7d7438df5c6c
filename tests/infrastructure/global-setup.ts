import { startTestServers, type TestServers } from './test-servers.ts'

declare global {
  var causewayTestServers: TestServers | undefined
}

/** Starts what all tests of this run share, and names it in the environment of the workers. */
const globalSetup = async (): Promise<void> => {
  const servers = await startTestServers()
  globalThis.causewayTestServers = servers
  process.env['CAUSEWAY_TEST_POSTGRES_URL'] = servers.postgresUrl
  process.env['CAUSEWAY_TEST_NATS_URL'] = servers.natsUrl('worker-1')
}

export default globalSetup
