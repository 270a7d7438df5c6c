/** `pnpm signer:sweep`: sweeps now, in the signer of a local start by default. */
import { settingsOfService } from '@causeway/dev-env/platform/local-service'

Object.assign(process.env, settingsOfService('signer', process.env))
await import('../services/signer/src/sweeps/command.ts')
