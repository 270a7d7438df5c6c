import type { Logger } from '@causeway/chassis'
import type { ChangeFeed } from '../../change-feed/change-feed.ts'
import type { Keyring } from '../keyring.ts'

const INTERVAL_MS = 60_000

/** Rotates signing keys, checked every minute. Every replica tries; the change feed's lock lets one succeed. */
export const startKeyRotation = ({
  keyring,
  changeFeed,
  log,
}: Readonly<{ keyring: Keyring; changeFeed: ChangeFeed; log: Logger }>) => {
  const timer = setInterval(() => {
    keyring
      .rotate()
      .then((isChanged) => (isChanged ? changeFeed.changed() : undefined))
      .catch((error: unknown) =>
        log.warn({ event: 'signing_key.rotation_failed', error }, 'The signing keys could not be rotated'),
      )
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
