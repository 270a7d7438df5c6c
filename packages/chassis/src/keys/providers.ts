import { createSecretKey } from 'node:crypto'
import pRetry from 'p-retry'
import { ConfigError } from '../settings/load.ts'
import { decryptWith, deriveKey, encryptWith } from '../crypto.ts'
import type { Logger } from '../log.ts'
import { ProviderUnavailableError, type KeyProvider } from './provider.ts'
import type { KeyConfig } from './settings.ts'
import { openTransit } from './transit.ts'

/** The provider that wraps, and those that still open. */
export type KeyProviders = Readonly<{ current: KeyProvider; previous: readonly KeyProvider[] }>

const RETRY_MS = 500
const DEFAULT_WAIT_MS = 60_000

/** The key of the setting, in this process. */
const openFile = (encryptionKey: Buffer): KeyProvider => {
  const id = `file:${deriveKey(encryptionKey, 'key-encryption-id').toString('hex').slice(0, 8)}`
  const key = createSecretKey(deriveKey(encryptionKey, 'key-encryption'))
  return {
    id,
    opens: (other) => other === id,
    wrap: async (plain, context) => encryptWith(key, plain, context),
    unwrap: async (wrapped, context) => decryptWith(key, wrapped, context),
  }
}

type StartBound = Readonly<{ waitMs: number; endsAtMs: number; log: Logger }>

/** Retries while the provider cannot be reached, until the start has taken `waitMs`. The wait is logged once. */
const retryWhileUnavailable = async <T>(
  ask: () => Promise<T>,
  { waitMs, endsAtMs, log }: StartBound,
): Promise<T> => {
  try {
    return await pRetry(ask, {
      retries: Infinity,
      factor: 1,
      minTimeout: RETRY_MS,
      maxRetryTime: Math.max(endsAtMs - performance.now(), 0),
      shouldRetry: ({ error }) => error instanceof ProviderUnavailableError,
      onFailedAttempt: ({ error, attemptNumber, retryDelay }) => {
        if (!(error instanceof ProviderUnavailableError) || attemptNumber > 1 || retryDelay === 0) return
        log.warn({ event: 'keys.provider_unavailable', error }, 'Waiting for the key provider (VAULT_ADDR)')
      },
    })
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error
    throw new ConfigError(`Stopped waiting after KEY_PROVIDER_WAIT (${waitMs} ms): ${error.message}`)
  }
}

/** @throws ConfigError when a provider refuses, or cannot be reached for too long */
export const openProviders = async (config: KeyConfig, log: Logger): Promise<KeyProviders> => {
  const waitMs = config.waitMs ?? DEFAULT_WAIT_MS
  const bound = { waitMs, endsAtMs: performance.now() + waitMs, log }
  const { encryptionKey, previousEncryptionKey, transit, provider = 'file' } = config
  const files = [encryptionKey, previousEncryptionKey].flatMap((key) => (key ? [openFile(key)] : []))
  const vaults: KeyProvider[] = []
  if (transit !== undefined) {
    const opened = await retryWhileUnavailable(() => openTransit(transit), bound)
    vaults.push({
      ...opened,
      wrap: (key, context) => retryWhileUnavailable(() => opened.wrap(key, context), bound),
      unwrap: (wrapped, context) => retryWhileUnavailable(() => opened.unwrap(wrapped, context), bound),
    })
  }
  const [current, ...previous] = provider === 'vault' ? [...vaults, ...files] : [...files, ...vaults]
  if (current === undefined) throw new ConfigError('Bad settings: ENCRYPTION_KEY is not set')
  return { current, previous }
}
