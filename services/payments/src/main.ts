import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startPayments } from './service.ts'

await runService({ name: 'payments', start: () => startPayments(loadConfig()) })
