import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { createSandboxChainAdapter, type ChainAdapter, type WatchEntry } from '@causeway/rails/chains'
import type { Sandbox } from '../src/sandbox.ts'
import { control } from './control.ts'
import { startSandbox } from '../src/testing/index.ts'

const order: WatchEntry = {
  orderId: 'ord_1',
  network: 'XRP',
  asset: 'XRP',
  address: 'XVMFQQBMhdouRqhPMuawgBMN1AVFToUENPog68xVFnq7ief',
  due: '100',
}

describe('faults of the chain', () => {
  let sandbox: Sandbox
  let chain: ChainAdapter
  let impatient: ChainAdapter

  const start = async (chainPort: number | null) => {
    sandbox = await startSandbox({ chainPort })
    const adapterOf = (timeoutMs: number) =>
      createSandboxChainAdapter({ baseUrl: sandbox.chainUrl(), timeoutMs })
    chain = adapterOf(TEST_DEADLINE_MS)
    impatient = adapterOf(1_000)
  }
  const stop = async () => {
    await Promise.all([chain.close(), impatient.close()])
    await sandbox.stop()
  }

  beforeEach(async () => {
    await start(null)
  })
  afterEach(stop)

  const fault = (body: Record<string, unknown>) =>
    control(sandbox, 'PUT', '/control/faults', { target: 'chain', ...body })
  const watch = (adapter = chain) => adapter.watch([order])
  const poll = () => chain.deposits({ after: 0, waitMs: 0 })
  /** A watch of the same order with another amount due is a conflict. */
  const isWatched = () =>
    chain.watch([{ ...order, due: '101' }]).then(
      () => false,
      () => true,
    )

  test('repeats in the answer what was set', async () => {
    expect(await fault({ mode: 'error', count: 2 })).toEqual({
      status: 200,
      body: { target: 'chain', mode: 'error', count: 2, calls: 'effect' },
    })
  })

  test('fails only calls that change something when calls is missing', async () => {
    await fault({ mode: 'error' })
    await expect(watch()).rejects.toMatchObject({ failure: 'unavailable' })
    expect(await poll()).toEqual({ deposits: [], next: 0 })
  })

  test('lets other calls through with calls: read', async () => {
    await fault({ mode: 'error', calls: 'read' })
    await watch()
    await expect(poll()).rejects.toMatchObject({ failure: 'unavailable' })
  })

  test('applies a fault with a count to exactly that many calls', async () => {
    await fault({ mode: 'error', count: 2 })
    await expect(watch()).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(watch()).rejects.toMatchObject({ failure: 'unavailable' })
    await watch()
  })

  test.each([
    ['connections on the port of the sandbox are cut', null, 'reset'],
    ['connections on a separate port are refused', 0, 'unreachable'],
  ] as const)('makes the chain unreachable until the fault is cleared: %s', async (_, chainPort, failure) => {
    await stop()
    await start(chainPort)
    await watch()
    await fault({ mode: 'unreachable' })
    await expect(watch()).rejects.toMatchObject({ failure })
    await expect(poll()).rejects.toMatchObject({ failure })
    await fault({ mode: 'ok' })
    expect(await poll()).toEqual({ deposits: [], next: 0 })
  })

  test('handles the call with after_effect_timeout and never answers', async () => {
    await fault({ mode: 'after_effect_timeout', count: 1 })
    await expect(watch(impatient)).rejects.toMatchObject({ failure: 'timeout' })
    expect(await isWatched()).toBe(true)
  })

  test.each([
    ['timeout', 'timeout'],
    ['reset', 'reset'],
    ['refuse', 'refused'],
  ])('changes nothing with %s', async (mode, failure) => {
    await fault({ mode, count: 1 })
    const asked = watch(mode === 'timeout' ? impatient : chain)
    await expect(asked).rejects.toMatchObject({ failure })
    expect(await isWatched()).toBe(false)
  })

  test('answers in the end with slow', async () => {
    await fault({ mode: 'slow', count: 1 })
    const startedAt = performance.now()
    await watch()
    expect(performance.now() - startedAt).toBeGreaterThan(2_900)
  })

  test.each(['card', 'onramp'])('leaves the chain unchanged by a fault of the %s', async (target) => {
    expect((await control(sandbox, 'PUT', '/control/faults', { target, mode: 'unreachable' })).status).toBe(
      200,
    )
    await watch()
  })

  test.each([
    [{ mode: 'broken' }, 'mode', 'invalid_value'],
    [{ mode: 'error', count: 0 }, 'count', 'too_small'],
    [{ mode: 'error', calls: 'write' }, 'calls', 'invalid_value'],
    [{ mode: 'error', times: 1 }, 'times', 'unknown_field'],
    [{ mode: 'ok', target: 'bank' }, 'target', 'invalid_value'],
  ])('refuses %j by field', async (body, field, reason) => {
    const answer = await fault(body)
    expect(answer.status).toBe(400)
    expect(answer.body['error']).toMatchObject({ code: 'invalid_request', details: [{ field, reason }] })
  })
})
