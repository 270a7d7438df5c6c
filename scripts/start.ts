/** `pnpm start`: runs the whole platform on this machine until Ctrl-C; with `--cluster` two or three of each part. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { onLauncherGone } from '@causeway/dev-env/platform/launchers'
import { startPlatform } from '@causeway/dev-env/platform/platform'
import { report } from '@causeway/dev-env/platform/report'

const { values: flags } = parseArgs({ options: { cluster: { type: 'boolean', default: false } } })
const startedAt = Date.now()
const log = (line: string) => console.log(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${line}`)

const asked = new AbortController()
const ended = once(asked.signal, 'abort')
const end = (reason: string) => {
  if (asked.signal.aborted) return
  log(reason)
  asked.abort()
}
process.on('SIGINT', () => end('Stopping'))
process.on('SIGTERM', () => end('Stopping'))
onLauncherGone(() => end('The process that launched this one is gone: stopping'))

try {
  const platform = await startPlatform({ log, signal: asked.signal, isCluster: flags.cluster })
  console.log(report(platform))
  await ended
  await platform.stop()
  log('Stopped')
} catch (error) {
  if (asked.signal.aborted) {
    log('Stopped')
  } else {
    console.error(`start: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
