import type { Logger } from '@causeway/chassis'
import type { Keyring } from './keyring.ts'
import type { Registry } from '../change-feed/change-feed.ts'

const INTERVAL_MS = 60_000

/** Replaces signing keys by age and forgets the spent ones. Every replica tries; the registry's lock lets one do it. */
export const startKeyRotation = (
  options: Readonly<{ keyring: Keyring; registry: Registry; log: Logger }>,
) => {
  const { keyring, registry, log } = options
  const timer = setInterval(() => {
    keyring
      .rotate()
      .then((changed) => (changed ? registry.changed() : undefined))
      .catch((error: unknown) => log.warn({ error }, 'Signing keys could not be rotated'))
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
