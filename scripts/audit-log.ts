/** `pnpm audit:export`, `pnpm audit:verify`: commands of access, on the database of a local start by default. */
import { settingsOfService } from '@causeway/dev-env/platform/local-service'

Object.assign(process.env, settingsOfService('gateway', process.env))
await import('../services/access/src/audit/command.ts')
