import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

const WITHIN_MS = 60_000
const POLL_MS = 150

/** Repeats a probe until it returns a value. @throws CliError when that takes longer than a minute */
export const until = async <T>(what: string, probe: () => Promise<T | null>): Promise<T> => {
  const endsMs = performance.now() + WITHIN_MS
  for (;;) {
    const found = await probe()
    if (found !== null) return found
    if (performance.now() > endsMs)
      throw new CliError(`${what} did not come within ${WITHIN_MS / 1_000} s`, EXIT.unavailable)
    await sleep(POLL_MS)
  }
}
