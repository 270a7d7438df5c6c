/** `pnpm signer:sweep`: has the running signer look for addresses to empty now (docs/OPERATIONS.md). */
import { createClock, createLogger } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { loadDatabaseUrl } from '../config.ts'
import { startSweeps } from './store.ts'

const clock = createClock()
const db = createDb({
  url: loadDatabaseUrl(),
  name: 'signer-sweep',
  log: createLogger({ service: 'signer-sweep', level: 'warn' }),
  clock,
  poolSize: 1,
  pipelinedConnections: 1,
})
try {
  const started = await startSweeps(db, { now: clock.now() })
  if (started.length === 0) {
    process.stderr.write('Nothing can be swept: set <NETWORK>_SWEEP_ADDRESS for the signer and start it\n')
    process.exitCode = 1
  } else
    process.stdout.write(
      `Sweeping ${started.map(({ network, asset }) => `${asset} on ${network}`).join(', ')}\n`,
    )
} finally {
  await db.close()
}
