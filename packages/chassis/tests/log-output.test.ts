import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

/** Every write to it fails as on a full disk; Linux alone has it. */
const FULL = '/dev/full'
const LOG = fileURLToPath(new URL('../src/log.ts', import.meta.url))

/** Logs, waits until that has failed, logs again, and says on standard error that it is still there. */
const PROGRAM = `
  const { createLogger } = await import(${JSON.stringify(LOG)})
  const log = createLogger({ service: 'test', level: 'info' })
  for (const line of ['first', 'second', 'third']) {
    log.info(line)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stderr.write('alive')
  setInterval(() => undefined, 1_000)`

const onLinux = existsSync(FULL) ? test : test.skip

onLinux('keeps a process running whose log cannot be written because the disk is full', async () => {
  const flags = ['--conditions=platform-source', '--input-type=module', '--eval', PROGRAM]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', openSync(FULL, 'w'), 'pipe'] })
  try {
    const [said] = (await once(child.stderr as Readable, 'data')) as [Buffer]
    expect(said.toString()).toBe('alive')
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill('SIGKILL')
  }
})
