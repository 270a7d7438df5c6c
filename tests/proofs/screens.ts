/**
 * `pnpm prove:screens [--steps N] [--seed S]`: shows every page and error state to axe, in light and in dark; then
 * people of every kind walk through the screens at random, on a platform with two tenants. The exit code is 1 where anything was found.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startTestPlatform } from '../journeys/platform.ts'
import { judgeScreens } from '../screens/accessibility.ts'
import { openBrowser } from '../screens/browser.ts'
import { buildTwoTenants, TENANTS_ENV } from '../screens/two-tenants.ts'
import { walk, type WalkResult } from '../screens/walk/walk.ts'
import { wholeNumber } from './arguments.ts'

const STEPS = 1_000

const shown = ({ steps, actions, people, pages, faults }: WalkResult): string =>
  [
    ...pages,
    `${steps} steps over ${pages.length} pages: ${JSON.stringify(actions)}, by ${JSON.stringify(people)}`,
    ...faults,
    `${faults.length} faults`,
  ].join('\n')

const prove = async (steps: number, seed: number): Promise<boolean> => {
  const platform = await startTestPlatform(TENANTS_ENV)
  const browser = await openBrowser()
  try {
    const { own, another, stop } = await buildTwoTenants(platform)
    const { states, violations } = await judgeScreens({ browser, platform, own })
    console.log(
      [...violations, `axe: ${states} pages and states, ${violations.length} violations`].join('\n'),
    )
    console.log(`${steps} steps by the seed ${seed}`)
    const result = await walk({ browser, platform, own, another, seed, steps, log: console.log })
    console.log(shown(result))
    await stop()
    return result.faults.length === 0 && violations.length === 0
  } finally {
    await browser.close()
    await platform.stop()
  }
}

const { values } = parseArgs({ options: { steps: { type: 'string' }, seed: { type: 'string' } } })
const isProven = await prove(
  wholeNumber('--steps', values.steps) ?? STEPS,
  wholeNumber('--seed', values.seed) ?? randomInt(2 ** 31),
)
process.exitCode = isProven ? 0 : 1
