import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { crashEverywhere, type Recovery } from './crash-run.ts'
import { startWorld, type World } from './world.ts'

/** The soak takes every way of recovery by itself; the short form mixes them. */
const RECOVERIES: readonly Recovery[] =
  process.env['SOAK'] === undefined ? ['mixed'] : ['replayed', 'reconciled']

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop(), 60_000)

test.each(RECOVERIES)(
  'killed before and after every await of the path (%s): one refund, the true answer, equal books, each event once',
  async (recovery) => {
    const { stops, unreached } = await crashEverywhere(world, recovery)
    // A stop that nobody comes to wants a kind of refund that does (attempts.ts). To some only a replay comes.
    if (recovery !== 'reconciled') expect(unreached).toEqual([])
    expect(stops).toBeGreaterThan(100)
  },
  600_000,
)
