/** `pnpm generate:nats`: regenerates `deploy/nats.conf` after a change of subjects, users or streams. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentNatsConfig } from '@causeway/dev-env/infrastructure/nats-config'

writeFileSync(join(import.meta.dirname, '..', 'deploy', 'nats.conf'), deploymentNatsConfig())
