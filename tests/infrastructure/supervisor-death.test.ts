import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from '@jest/globals'
import { whenGone } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-death-'))
const platform = join(import.meta.dirname, '../../packages/dev-env/src/platform')
const script = `
  import { startPlatform } from '${platform}/platform.ts'
  import { COMPONENTS } from '${platform}/components.ts'
  const mains = Object.fromEntries(COMPONENTS.map((name) => [name, '${import.meta.dirname}/stub-component.ts']))
  const platform = await startPlatform({ dataDir: '${folder}/data', ports: 'free', mains, withPartner: false })
  const parts = [platform.postgres, platform.nats, ...Object.values(platform.processes)]
  console.log(JSON.stringify(parts.map((part) => part.pid)))
`

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const startSupervisor = async (): Promise<{ supervisor: ChildProcess; pids: number[] }> => {
  const supervisor = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: supervisor.stdout })) {
    return { supervisor, pids: JSON.parse(line) as number[] }
  }
  throw new Error('the supervisor ended before it had started everything')
}

test('ends all eleven processes when the supervisor is killed, and leaves everything free for the next start', async () => {
  const first = await startSupervisor()
  first.supervisor.kill('SIGKILL')
  const second = await startSupervisor()
  expect(await Promise.all(first.pids.map(whenGone))).toEqual(first.pids.map(() => true))
  second.supervisor.kill('SIGKILL')
  expect(await Promise.all(second.pids.map(whenGone))).toEqual(second.pids.map(() => true))
  expect(second.pids).toHaveLength(11)
})
