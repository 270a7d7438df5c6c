/**
 * The service with a clock that another process can move: the file named by the first argument says by how many
 * milliseconds. It is read on every look at the clock, so that a process which stood still finds the time gone by.
 */
import { createClock } from '@causeway/chassis'
import { runService } from '@causeway/chassis/run'
import { readFileSync } from 'node:fs'
import { loadConfig } from '../../src/config.ts'
import { startWebhooks } from '../../src/service.ts'

const file = process.argv[2] as string
const offsetMs = () => Number(readFileSync(file, 'utf8'))
const clock = createClock(() => performance.timeOrigin + performance.now() + offsetMs())

await runService({ name: 'webhooks', start: () => startWebhooks({ ...loadConfig(), clock }) })
