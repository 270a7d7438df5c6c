import { consoleReporter } from './demo/console-reporter.ts'
import { startOwnPlatform } from './demo/own-platform.ts'
import { findRunning } from './demo/running-platform.ts'
import { walkTour } from './demo/tour.ts'

const startOwn = () => {
  console.log('No platform is running here: starting one for the demo.')
  return startOwnPlatform()
}

const running = await findRunning()
// The demo moves time only on a platform that it started: a clock that was moved forward cannot be moved back.
const platform =
  running === null
    ? { ...(await startOwn()), mayMoveTime: true }
    : { ...running, mayMoveTime: false, stop: async () => {} }
try {
  await walkTour(platform, consoleReporter)
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
