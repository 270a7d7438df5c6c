import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { startServerProcess } from '@causeway/dev-env/infrastructure/server-process'
import { whenGone } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-server-process-'))
const sleeper = {
  command: '/bin/sleep',
  args: ['60'],
  logFile: join(folder, 'log'),
  stopSignal: 'TERM',
} as const

afterAll(() => rmSync(folder, { recursive: true }))

test('stops a server process when requested', async () => {
  const server = await startServerProcess(sleeper)
  expect(server.running()).toBe(true)
  await server.stop()
  expect(server.running()).toBe(false)
  expect(await whenGone(server.pid)).toBe(true)
})

test('settles `exited` with the exit code of a server process that ends without a signal', async () => {
  const server = await startServerProcess({ ...sleeper, command: '/bin/sh', args: ['-c', 'exit 7'] })
  expect(await server.exited).toBe(7)
})

test('kills a server process that ignores its stop signal after the stop timeout', async () => {
  const stubborn = {
    ...sleeper,
    command: '/bin/sh',
    args: ['-c', "trap '' TERM; while :; do sleep 0.1; done"],
  }
  const server = await startServerProcess({ ...stubborn, stopTimeoutMs: 200 })
  await server.stop()
  expect(await whenGone(server.pid)).toBe(true)
})

test('stops a server process when the process that started it is killed', async () => {
  const script = `
    import { startServerProcess } from '@causeway/dev-env/infrastructure/server-process'
    const server = await startServerProcess(${JSON.stringify(sleeper)})
    console.log(server.pid)
    setInterval(() => undefined, 1000)`
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await Promise.race([
    once(starter.stdout, 'data'),
    once(starter, 'exit').then(() => Promise.reject(new Error('The starter ended'))),
  ])) as [Buffer]
  starter.kill('SIGKILL')
  expect(await whenGone(Number(line.toString()))).toBe(true)
})
