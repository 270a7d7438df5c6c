import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { crashEverywhere, type Recovery } from './crash-run.ts'
import { startFixture, type Fixture } from './fixture.ts'

/** The soak runs each recovery separately; the short form mixes them. */
const RECOVERIES: readonly Recovery[] =
  process.env['SOAK'] === undefined ? ['mixed'] : ['replayed', 'reconciled']

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.stop())

test.each(RECOVERIES)(
  'makes one refund, with the true answer, the same state everywhere and each event once, when killed before and after every await of the path (%s)',
  async (recovery) => {
    const { crashPoints, unreached } = await crashEverywhere(fixture, recovery)
    // An unreached crash point needs a kind of refund that reaches it (attempts.ts). Only replays reach some.
    if (recovery !== 'reconciled') expect(unreached).toEqual([])
    expect(crashPoints).toBeGreaterThan(100)
  },
  1_800_000,
)
