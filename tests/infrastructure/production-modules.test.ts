import { expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Prints the URL of every module that a process loads. */
const RECORDER = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({
    load(url, context, next) {
      writeSync(1, 'loaded ' + url + '\\n')
      return next(url, context)
    },
  })`)}`

/** The project's modules that a service loads at its start, before it reads a setting. */
const modulesOf = (service: string): string[] => {
  const { stdout } = spawnSync(process.execPath, ['--import', RECORDER, `services/${service}/src/main.ts`], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {},
  })
  const prefix = `loaded file://${ROOT}`
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(prefix) && !line.includes('/node_modules/'))
    .map((line) => line.slice(prefix.length))
}

test.each(['gateway', 'access', 'onboarding', 'payments', 'refunds', 'webhooks', 'onramp', 'ledger'])(
  'loads neither the clock of the sandbox nor code of tests in a production start of %s',
  (service) => {
    const modules = modulesOf(service)
    expect(modules).toContain('packages/chassis/src/clock.ts')
    expect(modules).toContain(`services/${service}/src/service.ts`)
    expect(modules.filter((path) => /sandbox-clock\/|\/testing\/|\/tests\/|^sandbox\//.test(path))).toEqual(
      [],
    )
  },
)
