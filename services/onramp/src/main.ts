import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startOnramp } from './service.ts'

await runService({ name: 'onramp', start: () => startOnramp(loadConfig()) })
