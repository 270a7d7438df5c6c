import { runService } from '@causeway/chassis/run'

await runService({
  name: 'ledger',
  start: async () => {
    const { startLedger } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startLedger(loadConfig())
  },
})
