import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until `probe` returns a value other than undefined and false, or throws its last error.
 * @param options.withinMs bound of the wait, default 240 s: it ends a test that hangs, and is not a measurement
 */
export const eventually = async <T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  options: { withinMs?: number } = {},
): Promise<T> => {
  const endsAtMs = performance.now() + (options.withinMs ?? 240_000)
  let last: unknown = 'nothing yet'
  for (;;) {
    try {
      const value = await probe()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      last = error
    }
    if (performance.now() > endsAtMs)
      throw last instanceof Error ? last : new Error(`The condition was not met in time: ${String(last)}`)
    await sleep(20)
  }
}
