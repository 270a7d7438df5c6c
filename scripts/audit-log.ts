/** `pnpm audit:export`, `pnpm audit:verify`: the gateway's commands, on the database of a local start by default. */
import { settingsOfService } from './platform/local-service.ts'

Object.assign(process.env, settingsOfService('gateway', process.env))
await import('../services/gateway/src/audit/command.ts')
