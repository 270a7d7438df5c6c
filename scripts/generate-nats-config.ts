/** `pnpm generate:nats`: writes `deploy/nats.conf` anew after a change of the topology. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentNatsConfig } from './infrastructure/nats-config.ts'

writeFileSync(join(import.meta.dirname, '..', 'deploy', 'nats.conf'), deploymentNatsConfig())
