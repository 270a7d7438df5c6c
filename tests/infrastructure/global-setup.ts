import { createTemplates } from './database-templates.ts'
import { startTestServers, type TestServers } from './test-servers.ts'

declare global {
  var causewayTestServers: TestServers | undefined
}

/** Starts the servers that all tests of a run share, and passes their addresses to the workers' environment. */
const globalSetup = async (): Promise<void> => {
  const servers = await startTestServers()
  globalThis.causewayTestServers = servers
  process.env['CAUSEWAY_TEST_POSTGRES_URL'] = servers.postgresUrl
  await createTemplates(servers.postgresUrl)
  process.env['CAUSEWAY_TEST_TEMPLATES_URL'] = servers.postgresUrl
  process.env['CAUSEWAY_TEST_NATS_URL'] = servers.natsUrl('worker-1')
}

export default globalSetup
