/**
 * `pnpm prove:migrations [--since REF]`: runs the services of an earlier commit under a load, brings their databases up
 * to this version meanwhile, lets them serve on what they do not know, and replaces them one by one. REF is by default
 * the commit before the newest migration. The exit code is 1 where a request failed while the databases were changed,
 * or where an order or an event was lost or doubled by the end.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLogger } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { eventually } from '@causeway/chassis/testing'
import { databaseOf, REQUIRED_SERVICES } from '@causeway/contracts'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { COMPONENTS, mainOf, type ComponentName } from '@causeway/dev-env/platform/components'
import { settingsOfService } from '@causeway/dev-env/platform/local-service'
import { databaseSetting } from '@causeway/dev-env/platform/settings'
import { findLosses } from '../journeys/losses.ts'
import { startOrderLoad } from '../journeys/order-load.ts'
import { newCustomer, newPartner, registerReceiver, startTestPlatform } from '../journeys/platform.ts'

const WORKERS = 4
const PAUSE_MS = 30
const ORDERS_BETWEEN = 100
const MIGRATIONS = ['services/*/migrations/*.sql', 'packages/chassis/migrations/*.sql']
const CREATED = 201

type Load = ReturnType<typeof startOrderLoad>
type Mains = Partial<Record<ComponentName, string>>

const git = (...args: string[]): string => execFileSync('git', args).toString().trim()

const beforeNewestMigration = (): string =>
  `${git('log', '-1', '--diff-filter=A', '--format=%H', '--', ...MIGRATIONS)}^`

/** Installs the services of a commit in a separate folder. @returns their entry files */
const checkOut = (folder: string, since: string): Mains => {
  git('worktree', 'add', '--detach', '--quiet', folder, since)
  execFileSync('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const mains = COMPONENTS.map(
    (name) =>
      [name, join(folder, name === 'sandbox' ? 'sandbox' : `services/${name}`, 'src/main.ts')] as const,
  )
  // A service that is newer than the commit runs in this version.
  return Object.fromEntries(mains.filter(([, main]) => existsSync(main)))
}

const more = (load: Load) => {
  const reached = load.orders.length + ORDERS_BETWEEN
  return eventually(() => load.orders.length >= reached)
}

/** Runs this version's migrations while the services run. @returns the names of the applied migrations, a line each */
const migrateAll = async (dataDir: string): Promise<string[]> => {
  const made: string[] = []
  const log = createLogger({ service: 'migrations', level: 'silent' })
  for (const service of REQUIRED_SERVICES) {
    const name = databaseOf(service)
    const url = settingsOfService(name, { DATA_DIR: dataDir })?.[databaseSetting(name)]
    if (url === undefined) throw new Error(`${name} has no database`)
    const startedMs = performance.now()
    const info = ({ migration }: { migration?: string }) =>
      made.push(`${name}: ${migration ?? ''}, ${(performance.now() - startedMs).toFixed(0)} ms`)
    await migrate({ url, folder: `services/${service}/migrations`, log: { ...log, info } as never })
  }
  return made
}

/** The longest that an order took of those answered since, with all its repetitions. */
const longestWaitMs = ({ orders }: Load, since: number): number =>
  Math.max(...orders.slice(since).map(({ firstSentAtMs, answeredAtMs }) => answeredAtMs - firstSentAtMs))

const failuresOf = ({ statuses }: Load): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (status === CREATED ? 0 : count), 0)

const prove = async (mains: Mains, dataDir: string): Promise<string[]> => {
  const receiver = await startReceiver()
  const platform = await startTestPlatform(
    { TIMEOUT_FACTOR: '1', ACCESS_TOKEN_TTL: '12h' },
    { dataDir, mains },
  )
  try {
    const partner = await newPartner(platform)
    await registerReceiver(platform, partner.partnerId, receiver)
    const { path: customer } = await newCustomer(platform, partner.causeway)
    const load = startOrderLoad(partner.api, customer, WORKERS, { pauseMs: PAUSE_MS })
    const roll = async () => {
      try {
        await more(load)
        const before = load.orders.length
        const made = await migrateAll(dataDir)
        await more(load)
        console.log(made.length === 0 ? 'no migration' : made.join('\n'))
        console.log(`the longest wait of a caller meanwhile: ${longestWaitMs(load, before).toFixed(0)} ms`)
        const failures = failuresOf(load)
        for (const name of COMPONENTS) {
          mains[name] = mainOf(name)
          await platform.processes[name].restart()
        }
        await more(load)
        return failures
      } finally {
        await load.stop()
      }
    }
    const failures = await roll()
    const losses = await findLosses({ baseUrl: platform.baseUrl, api: partner.api, customer, load, receiver })
    console.log(`${load.orders.length} orders acknowledged`)
    return [
      ...(failures === 0 ? [] : [`${failures} requests failed while the databases were changed`]),
      ...Object.entries(losses).flatMap(([kind, found]) =>
        found.length === 0 ? [] : [`${kind}: ${found.slice(0, 10).join(', ')} (${found.length})`],
      ),
    ]
  } finally {
    await platform.stop()
    await receiver.stop()
  }
}

const { values } = parseArgs({ options: { since: { type: 'string' } } })
const since = git('rev-parse', values.since ?? beforeNewestMigration())
console.log(`services of ${git('log', '-1', '--format=%h %s', since)}`)
const [checkout, dataDir] = ['earlier', 'data'].map((name) =>
  mkdtempSync(join(tmpdir(), `causeway-${name}-`)),
) as [string, string]
// The server's own user reaches it.
chmodSync(dataDir, 0o711)
try {
  const faults = await prove(checkOut(checkout, since), dataDir)
  for (const fault of faults) console.error(fault)
  if (faults.length === 0) console.log('nothing failed, nothing lost, nothing doubled')
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  git('worktree', 'remove', '--force', checkout)
  rmSync(dataDir, { recursive: true, force: true })
}
