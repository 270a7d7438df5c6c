import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { residentBytesOf } from '../measure/proc.ts'
import type { Bench } from '../parts/bench.ts'
import { startBlockReading, startBlockServer, type BlockReader } from '../parts/block-servers.ts'
import { createOrdersDatabase, orderAddresses } from '../parts/open-crypto-orders.ts'
import { startPostgresServer, type PostgresServer } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'

/** A payment to an order in each so many blocks. */
const PAY_EVERY = 100
const LOOK_MS = 100
const MEBIBYTE = 1024 ** 2

const contenderOf = (name: string, reader: BlockReader, postgres: PostgresServer): Contender => ({
  name,
  processes: [{ name: 'reader', pid: reader.child.pid }, postgres.process],
  run: async (durationMs) => {
    const { blocks, seconds } = await reader.read({ forMs: durationMs })
    return { done: blocks, seconds }
  },
})

/** Reads every block once in a new process. @returns lines about its time, and its memory at a tenth and at the end */
const catchUp = async (reader: BlockReader, blocks: number): Promise<string[]> => {
  const sizes: number[] = []
  const looking = setInterval(
    () => sizes.push(residentBytesOf({ name: 'reader', pid: reader.child.pid })),
    LOOK_MS,
  )
  const { blocks: done, seconds } = await reader.read({ toHead: true })
  clearInterval(looking)
  if (done !== blocks) throw new Error(`${done} of ${blocks} blocks were read`)
  const mebibytes = (from: number, to: number) => {
    const some = sizes.slice(Math.floor(from * sizes.length), Math.ceil(to * sizes.length))
    return (Math.max(0, ...some) / MEBIBYTE).toFixed(0)
  }
  return [
    `catching up ${done.toLocaleString('en')} blocks: ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(0)} blocks/s`,
    `memory of the reader meanwhile: at most ${mebibytes(0, 0.5)} MiB in the first half, ${mebibytes(0.5, 1)} MiB in the second`,
  ]
}

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const postgres = keep(await startPostgresServer(folder))
  const addresses = orderAddresses(effort.openOrders)
  const few = addresses.slice(0, effort.fewOpenOrders)
  const server = await startBlockServer({ blocks: effort.blocks, paid: few, payEvery: PAY_EVERY })
  keep(server.child)
  const start = async (name: string, orders?: readonly string[]) => {
    const database =
      orders === undefined ? {} : { databaseUrl: await createOrdersDatabase(postgres, name, orders) }
    const reader = await startBlockReading({ nodeUrl: server.url, ...database })
    keep(reader.child)
    return reader
  }
  const caughtUp = await catchUp(await start('catching_up', addresses), effort.blocks)
  const open = (count: number) => `${count.toLocaleString('en')} open orders`
  const results = await measureInTurns(
    [
      contenderOf('the blocks alone', await start('none'), postgres),
      contenderOf(open(few.length), await start('few', few), postgres),
      contenderOf(open(addresses.length), await start('many', addresses), postgres),
    ] as const,
    effort,
  )
  const [alone, ofFew, ofMany] = results
  return [
    ...contenderLines('block', results),
    ...ratioLines(ofMany, alone, 'reading and settling against reading'),
    ...ratioLines(ofMany, ofFew, 'aim 1: flat'),
    ...caughtUp,
  ]
}

export const blocks: Bench = {
  name: 'blocks',
  title:
    'blocks a second that orders are settled from, against the same blocks alone, and of few open orders',
  run,
}
