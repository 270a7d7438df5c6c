import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startOnboarding } from './service.ts'

await runService({ name: 'onboarding', start: () => startOnboarding(loadConfig()) })
