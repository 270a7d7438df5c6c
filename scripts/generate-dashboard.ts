/** `pnpm generate:dashboard`: regenerates `deploy/monitoring/dashboard.json` after a change of a panel. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboard } from './monitoring/dashboard.ts'

writeFileSync(
  join(import.meta.dirname, '..', 'deploy', 'monitoring', 'dashboard.json'),
  `${JSON.stringify(dashboard, null, 2)}\n`,
)
