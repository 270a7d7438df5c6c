import { runService } from '@causeway/chassis/run'

await runService({
  name: 'onramp',
  start: async () => {
    const { startOnramp } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startOnramp(loadConfig())
  },
})
