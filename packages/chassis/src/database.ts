/** Opens databases, for the start of a service and its commands. Only this entry loads PostgreSQL's driver; the gateway does not import it. */
export { createDb } from './db/db.ts'
export { migrate } from './db/migrate.ts'
export { rotateSealingKey, runReencryption } from './keys/reencryption.ts'
export { openKeyRing } from './keys/ring.ts'
export { runEmitStates } from './outbox/emit-states.ts'
export { startKeylessService, startService } from './service.ts'
