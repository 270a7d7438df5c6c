import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { withDeadline } from './deadline.ts'

const LONG_MS = 60_000
const endOf = (bound: AbortSignal) => delay(LONG_MS, undefined, { signal: bound })

test('leaves no listener on the signal of the caller after a call, whether it succeeds or fails', async () => {
  const { signal } = new AbortController()
  const during = await withDeadline({ timeoutMs: LONG_MS, signal }, () =>
    Promise.resolve(getEventListeners(signal, 'abort').length),
  )
  const failed = withDeadline({ timeoutMs: LONG_MS, signal }, () => Promise.reject(new Error('refused')))
  await expect(failed).rejects.toThrow('refused')
  expect([during, getEventListeners(signal, 'abort').length]).toEqual([1, 0])
})

test('aborts a call after its time limit', async () => {
  let reason: unknown
  const call = withDeadline({ timeoutMs: 1 }, (bound) => {
    bound.addEventListener('abort', () => {
      reason = bound.reason
    })
    return endOf(bound)
  })
  await expect(call).rejects.toThrow()
  expect(reason).toMatchObject({ name: 'TimeoutError', message: 'Not finished within 1 ms' })
})

test('aborts a call with the signal of its caller, even if that was aborted before', async () => {
  const caller = new AbortController()
  const reasons: unknown[] = []
  const call = () =>
    withDeadline({ timeoutMs: LONG_MS, signal: caller.signal }, async (bound) => {
      await endOf(bound).catch(() => reasons.push(bound.reason))
    })
  const first = call()
  caller.abort('stopping')
  await first
  await call()
  expect(reasons).toEqual(['stopping', 'stopping'])
})
