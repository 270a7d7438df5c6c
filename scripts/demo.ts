import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Asked } from './platform/raw-client.ts'
import { findRunning } from './demo/running-platform.ts'
import { walkTour } from './demo/tour.ts'
import { startPlatform } from './platform/platform.ts'

const LONGEST_TEXT = 96

/** Truncates long texts, such as inline images and tokens, to 96 characters. */
const truncateLongTexts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value

const reporter = {
  step: (title: string) => console.log(`\n# ${title}`),
  exchange: ({ method, path, body }: Asked, answer: Answer) => {
    console.log(
      `\n${method} ${path}${body === undefined ? '' : `\n${JSON.stringify(body, truncateLongTexts)}`}`,
    )
    console.log(`→ ${answer.status} ${JSON.stringify(answer.body, truncateLongTexts, 2)}`)
  },
  log: (line: string) => console.log(`\n← ${line}`),
}

const startOwn = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-demo-'))
  console.log('No platform is running here: starting one for the demo.')
  const platform = await startPlatform({ dataDir, ports: 'free', log: (line) => console.log(`  ${line}`) })
  if (platform.partner === null) throw new Error('The platform started without its ready partner')
  return {
    ...platform,
    partner: platform.partner,
    stop: async () => {
      await platform.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const running = await findRunning()
// The demo moves time only on a platform of its own: a clock that was moved forward cannot be moved back.
const platform =
  running === null
    ? { ...(await startOwn()), mayMoveTime: true }
    : { ...running, mayMoveTime: false, stop: async () => {} }
try {
  await walkTour(platform, reporter)
  if (!platform.mayMoveTime)
    console.log(
      '\nThe 72 hours of an onramp order were left out: the time of a running platform only goes forward.',
    )
  console.log('\nThe demo went through: every answer was as expected and every signature was verified.')
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await platform.stop()
}
