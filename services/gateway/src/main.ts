import { runService } from '@causeway/chassis/run'

await runService({
  name: 'gateway',
  start: async () => {
    const { startGateway } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startGateway(loadConfig())
  },
})
