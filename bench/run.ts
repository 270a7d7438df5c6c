/**
 * `pnpm bench [name…] [--quick] [--rounds N] [--hold-seconds N] [--against FOLDER]`: measures the platform, each figure as a ratio to a
 * floor that runs in turns with it, so that other load on the machine affects both equally. `--quick` takes seconds and
 * proves only that the benchmarks still run. `--against` names another checkout of the platform, its packages
 * installed: read, write, fan-out, fiat-write and refund then measure the product of both in the same rounds, so that one step
 * is judged alone.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { arch, cpus, platform, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { backlog } from './benches/backlog.ts'
import { blocks } from './benches/blocks.ts'
import { createFiatOrder } from './benches/create-fiat-order.ts'
import { createOrder } from './benches/create-order.ts'
import { deadDestinations } from './benches/dead-destinations.ts'
import { fanOut } from './benches/fan-out.ts'
import { heldSnapshot } from './benches/held-snapshot.ts'
import { latency } from './benches/latency.ts'
import { ledger } from './benches/ledger.ts'
import { ledgerLatency } from './benches/ledger-latency.ts'
import { listCustomers } from './benches/list-customers.ts'
import { lists } from './benches/lists.ts'
import { memory } from './benches/memory.ts'
import { noticeStorm } from './benches/notice-storm.ts'
import { onrampTimers } from './benches/onramp-timers.ts'
import { queueCases } from './benches/queue-cases.ts'
import { readCustomer } from './benches/read-customer.ts'
import { refund } from './benches/refund.ts'
import { replicas } from './benches/replicas.ts'
import { rivals } from './benches/rivals.ts'
import { tracing } from './benches/tracing.ts'
import { writeVerification } from './benches/write-verification.ts'
import { FULL, QUICK, type Bench, type Effort, type Site } from './parts/bench.ts'

const BENCHES: readonly Bench[] = [
  readCustomer,
  createOrder,
  replicas,
  fanOut,
  rivals,
  backlog,
  deadDestinations,
  latency,
  heldSnapshot,
  queueCases,
  createFiatOrder,
  noticeStorm,
  refund,
  writeVerification,
  listCustomers,
  lists,
  onrampTimers,
  blocks,
  ledger,
  ledgerLatency,
  memory,
  tracing,
]

const chosen = (names: readonly string[]): readonly Bench[] => {
  const known = BENCHES.map((bench) => bench.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`No benchmark is called ${unknown.join(', ')}: there are ${known.join(', ')}`)
  return names.length === 0 ? BENCHES : BENCHES.filter((bench) => names.includes(bench.name))
}

const machine = (): string => {
  const processors = cpus()
  const memoryGiB = (totalmem() / 1024 ** 3).toFixed(0)
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${memoryGiB} GiB, ${platform()} ${arch()}, Node ${process.version}`
}

const wholeNumber = (flag: string, text: string): number => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${flag} takes a whole number from 1, not ${text}`)
  return number
}

const chosenEffort = (values: Readonly<{ rounds?: string; 'hold-seconds'?: string }>): Partial<Effort> => ({
  ...(values.rounds === undefined ? {} : { rounds: wholeNumber('--rounds', values.rounds) }),
  ...(values['hold-seconds'] === undefined
    ? {}
    : { holdMs: 1_000 * wholeNumber('--hold-seconds', values['hold-seconds']) }),
})

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      'hold-seconds': { type: 'string' },
      against: { type: 'string' },
    },
    allowPositionals: true,
  })
  const benches = chosen(positionals)
  const effort = { ...(values.quick ? QUICK : FULL), ...chosenEffort(values) }
  console.log(machine())
  console.log(
    values.quick
      ? 'Quick: proves that the benchmarks run; the figures mean nothing'
      : `${effort.rounds} rounds of ${effort.durationMs / 1_000} s each, contenders in turns`,
  )
  for (const bench of benches) {
    console.log(`\n${bench.name}: ${bench.title}`)
    await runOne(bench, effort, values.against)
  }
}

/** A folder for one benchmark's data; PostgreSQL's unprivileged user may pass through it. */
const createFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const runOne = async (bench: Bench, effort: Effort, against: string | undefined): Promise<void> => {
  const folder = createFolder()
  try {
    await using started = new AsyncDisposableStack()
    const keep: Site['keep'] = (part) => {
      started.defer(() => part.stop())
      return part
    }
    const site = { folder: folder.path, keep, ...(against === undefined ? {} : { against }) }
    for (const line of await bench.run(effort, site)) console.log(line)
  } catch (error) {
    console.error(`${bench.name} failed; its data and logs are kept in ${folder.path}`)
    throw error
  }
  folder.remove()
}

try {
  await main()
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
