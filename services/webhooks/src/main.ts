import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startWebhooks } from './service.ts'

await runService({ name: 'webhooks', start: () => startWebhooks(loadConfig()) })
