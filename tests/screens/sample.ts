import { describe, expect, test } from '@jest/globals'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import type { TestPlatform } from '../journeys/platform.ts'
import { judgeScreens } from './accessibility.ts'
import { openBrowser } from './browser.ts'
import type { TwoTenants } from './two-tenants.ts'
import { walk } from './walk/walk.ts'

const STEPS = 25
/** One state of so many is shown to axe; those of a limit are not, because the platform of this test has none. */
const ONE_OF = 24
const TIMEOUT_MS = 300_000
const SEED = Number(process.env['TEST_SEED'] ?? 1)

type Fixture = Pick<TwoTenants, 'own' | 'another'> & Readonly<{ platform: TestPlatform }>

const testInBrowser = BROWSER === null ? test.skip : test

/** The short form of `pnpm prove:screens`. It changes the tenants, so compare them before. */
export const describeScreenSample = (fixture: () => Fixture): void =>
  describe(`a sample of the screens${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
    testInBrowser(
      'axe finds nothing, and people who walk at random meet no fault',
      async () => {
        const browser = await openBrowser()
        const { states, violations } = await judgeScreens({ browser, ...fixture() }, (all) =>
          all.filter(({ name }, index) => (index + SEED) % ONE_OF === 0 && !name.startsWith('too many')),
        )
        expect(violations).toEqual([])
        expect(states).toBeGreaterThan(4)
        const { steps, faults, pages } = await walk({ browser, ...fixture(), seed: SEED, steps: STEPS })
        expect([steps, faults]).toEqual([STEPS, []])
        expect(pages.length).toBeGreaterThan(4)
        await browser.close()
      },
      TIMEOUT_MS,
    )
  })
