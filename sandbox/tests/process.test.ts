import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { createSandboxChainAdapter, type WatchEntry } from '@causeway/rails/chains'
import { control } from './control.ts'
import { CARD_SECRET } from '../src/testing/index.ts'

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')
const order: WatchEntry = { orderId: 'ord_1', network: 'LTC', asset: 'LTC', address: 'ltc1q1', due: '1.5' }

describe('the sandbox as a process', () => {
  let folder: string
  const children: ChildProcess[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-sandbox-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true })
  })

  const launch = (port: number): ChildProcess => {
    const env = {
      ...process.env,
      SANDBOX_PORT: String(port),
      SANDBOX_CARD_SECRET: CARD_SECRET,
      SANDBOX_ONRAMP_SECRET: 'secret-of-the-onramp-notices',
      DATA_DIR: folder,
    }
    const child = fork(MAIN, { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    children.push(child)
    return child
  }
  const start = async (port = 0) => {
    const child = launch(port)
    const [message] = (await once(child, 'message')) as [{ type: string; name: string; healthPort: number }]
    const url = `http://127.0.0.1:${message.healthPort}`
    return { child, message, sandbox: { url: () => url } }
  }
  const kill = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }

  test('reports that it is ready, and is healthy then', async () => {
    const { message, sandbox } = await start()
    expect(message).toEqual({ type: 'ready', name: 'sandbox', healthPort: expect.any(Number) })
    expect(await control(sandbox, 'GET', '/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
  })

  test('keeps everything that was answered after a kill -9', async () => {
    const first = await start()
    const before = createSandboxChainAdapter({ baseUrl: first.sandbox.url(), timeoutMs: TEST_DEADLINE_MS })
    await before.watch([order])
    await control(first.sandbox, 'POST', '/control/deposits', { order_id: 'ord_1', amount: '0.5' })
    const page = await before.deposits({ after: 0, waitMs: 0 })
    await before.close()
    await kill(first.child, 'SIGKILL')

    const second = await start()
    const after = createSandboxChainAdapter({ baseUrl: second.sandbox.url(), timeoutMs: TEST_DEADLINE_MS })
    expect(await after.deposits({ after: 0, waitMs: 0 })).toEqual(page)
    const rest = await control(second.sandbox, 'POST', '/control/deposits', { order_id: 'ord_1' })
    expect(rest.body['amount']).toBe('1')
    await after.close()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends successfully at %s while a reader waits',
    async (signal) => {
      const { child, sandbox } = await start()
      const adapter = createSandboxChainAdapter({ baseUrl: sandbox.url(), timeoutMs: TEST_DEADLINE_MS })
      // The reader is connected before the other call starts, so the long poll begins first.
      await adapter.deposits({ after: 0, waitMs: 0 })
      const waiting = adapter.deposits({ after: 0, waitMs: 60_000 })
      await control(sandbox, 'GET', '/healthz')
      const startedAt = performance.now()
      expect(await kill(child, signal)).toBe(0)
      // Long before the reader's time is over.
      expect(performance.now() - startedAt).toBeLessThan(30_000)
      expect(await waiting).toEqual({ deposits: [], next: 0 })
      await adapter.close()
    },
  )

  test('stops when its supervisor has died', async () => {
    const { child } = await start()
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('reports a port in use in one line that names the setting', async () => {
    const { message } = await start()
    const second = launch(message.healthPort)
    const [printed] = await Promise.all([text(second.stderr as Readable), once(second, 'exit')])
    expect(printed).toBe(`sandbox: SANDBOX_PORT ${message.healthPort} is taken\n`)
    expect(second.exitCode).toBe(1)
  })
})
