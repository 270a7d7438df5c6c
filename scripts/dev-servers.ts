/**
 * `pnpm dev:servers`: keeps PostgreSQL and NATS for `pnpm test` until it is ended (Ctrl-C), so that a run does not start its
 * own. Each run finds them empty. A run that begins while another has them starts its own.
 */
import { tmpdir } from 'node:os'
import { lendServers } from '../tests/infrastructure/dev-servers.ts'
import { openTestFolder } from './test-folder.ts'

const folder = openTestFolder({ memory: '/dev/shm', disk: tmpdir() })
process.env['TMPDIR'] = folder.path
const stop = await lendServers()
console.log('PostgreSQL and NATS run for `pnpm test`. Ctrl-C ends them')
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => folder.remove()))
