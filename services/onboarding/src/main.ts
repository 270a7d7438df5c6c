import { runService } from '@causeway/chassis/run'

await runService({
  name: 'onboarding',
  start: async () => {
    const { startOnboarding } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startOnboarding(loadConfig())
  },
})
