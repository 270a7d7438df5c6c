import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startRefunds } from './service.ts'

await runService({ name: 'refunds', start: () => startRefunds(loadConfig()) })
