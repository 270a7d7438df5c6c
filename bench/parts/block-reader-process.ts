import { createClock, createLogger } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { createBitcoinBlockSource, type BlockSource } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import pg from 'pg'
import { createBlockReading } from '../../services/payments/src/blocks/jobs/block-reader.ts'
import { readFollowing } from '../../services/payments/src/blocks/read-ahead.ts'
import { toTolerance } from '../../services/payments/src/deposits/settlement.ts'
import type { BlocksRead, ReaderArgument, ReadFor } from './block-servers.ts'
import { childArgument, serveParent } from './child-main.ts'

const TIMEOUT_MS = 60_000
/** Blocks that are read simultaneously, as payments does when it is behind. */
const AT_ONCE = 32
const POOL_SIZE = 4

type Reading = Readonly<{
  /** Begins at the first block again. */
  restart: () => Promise<void>
  /** Reads the next blocks; false at the head. */
  step: (signal: AbortSignal) => Promise<boolean>
  /** Number of the last block that was read. */
  position: () => Promise<number>
}>

const readAlone = (source: BlockSource): Reading => {
  const first = { number: 0, hash: null }
  let after: Readonly<{ number: number; hash: string | null }> = first
  return {
    restart: () => Promise.resolve(void (after = first)),
    step: async (signal) => {
      const { blocks } = await readFollowing(source, after, AT_ONCE, signal)
      after = blocks.at(-1)?.header ?? after
      return blocks.length > 0
    },
    position: () => Promise.resolve(after.number),
  }
}

const readAndSettle = async (source: BlockSource, url: string): Promise<Reading> => {
  const log = createLogger({ service: 'bench', level: 'silent' })
  const clock = createClock(Date.now)
  const db = createDb({ url, name: 'bench', log, clock, poolSize: POOL_SIZE, pipelinedConnections: 2 })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const step = createBlockReading(
    {
      ...{ db, clock, log, network: source.network, holder: 'bench' },
      confirmations: CONFIRMATION_DEPTHS,
      tolerance: toTolerance(0),
      links: { publicBaseUrl: 'https://pay.example', chains: {} },
    },
    source,
  )
  const second = await source.next(0)
  return {
    restart: async () => {
      await client.query('DELETE FROM chain_blocks')
      await client.query('DELETE FROM chain_positions')
      await client.query(
        `INSERT INTO chain_positions (network, number, hash, lease_until) VALUES ($1, 0, $2, '-infinity')`,
        [source.network, second?.parentHash],
      )
    },
    step,
    position: async () => {
      const { rows } = await client.query<{ number: string }>('SELECT number FROM chain_positions')
      return Number(rows[0]?.number ?? 0)
    },
  }
}

const { nodeUrl, databaseUrl } = (await childArgument()) as ReaderArgument
const source = createBitcoinBlockSource({
  network: 'BTC',
  chain: 'regtest',
  nodeUrls: [nodeUrl],
  timeoutMs: TIMEOUT_MS,
})
const reading = databaseUrl === undefined ? readAlone(source) : await readAndSettle(source, databaseUrl)
const { signal } = new AbortController()

const read = async (what: ReadFor): Promise<BlocksRead> => {
  const startedMs = performance.now()
  const isOver = () => 'forMs' in what && performance.now() - startedMs >= what.forMs
  let blocks = 0
  do {
    await reading.restart()
    while (!isOver() && (await reading.step(signal)));
    blocks += await reading.position()
  } while ('forMs' in what && !isOver())
  return { blocks, seconds: (performance.now() - startedMs) / 1_000 }
}
serveParent('ready', read)
