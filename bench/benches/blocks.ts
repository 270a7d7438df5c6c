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

/** Reads every block once in a new process. @returns a line about its time */
const catchUp = async (reader: BlockReader, blocks: number): Promise<string> => {
  const { blocks: done, seconds } = await reader.read({ toHead: true })
  if (done !== blocks) throw new Error(`${done} of ${blocks} blocks were read`)
  return `catching up ${done.toLocaleString('en')} blocks: ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(0)} blocks/s`
}

/** Lets a reader read on, the chain again and again. @returns a line about its memory in the thirds of this time */
const readOn = async ({ child, read }: BlockReader, forMs: number): Promise<string> => {
  const sizes: number[] = []
  const looking = setInterval(() => sizes.push(residentBytesOf({ name: 'reader', pid: child.pid })), LOOK_MS)
  const { blocks, seconds } = await read({ forMs })
  clearInterval(looking)
  const third = Math.ceil(sizes.length / 3)
  const greatest = [0, 1, 2].map((index) =>
    (Math.max(0, ...sizes.slice(index * third, (index + 1) * third)) / MEBIBYTE).toFixed(0),
  )
  return `memory of its process in ${seconds.toFixed(0)} s of reading on, ${blocks.toLocaleString('en')} blocks: at most ${greatest.join(', ')} MiB in each third (aim: flat)`
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
  const newReader = await start('catching_up', addresses)
  const ofNewReader = [await catchUp(newReader, effort.blocks), await readOn(newReader, effort.readOnMs)]
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
    ...ofNewReader,
  ]
}

export const blocks: Bench = {
  name: 'blocks',
  title:
    'blocks a second that orders are settled from, against the same blocks alone, and of few open orders',
  run,
}
