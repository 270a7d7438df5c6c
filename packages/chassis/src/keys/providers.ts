import { createSecretKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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

type Patience = Readonly<{ waitMs: number; until: number; log: Logger }>

/** Asks until the provider can be reached, at most until the start has taken `waitMs`, and says so once. */
const patiently = async <T>(ask: () => Promise<T>, { waitMs, until, log }: Patience): Promise<T> => {
  let hasSaid = false
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error
      if (performance.now() + RETRY_MS > until)
        throw new ConfigError(`Gave up after KEY_PROVIDER_WAIT (${waitMs} ms): ${error.message}`)
      if (!hasSaid)
        log.warn({ event: 'keys.provider_unavailable', error }, 'Waiting for the key provider (VAULT_ADDR)')
      hasSaid = true
      await sleep(RETRY_MS)
    }
  }
}

/** @throws ConfigError when a provider refuses, or cannot be reached for too long */
export const openProviders = async (config: KeyConfig, log: Logger): Promise<KeyProviders> => {
  const waitMs = config.waitMs ?? DEFAULT_WAIT_MS
  const patience = { waitMs, until: performance.now() + waitMs, log }
  const { encryptionKey, previousEncryptionKey, transit, provider = 'file' } = config
  const files = [encryptionKey, previousEncryptionKey].flatMap((key) => (key ? [openFile(key)] : []))
  const vaults: KeyProvider[] = []
  if (transit !== undefined) {
    const opened = await patiently(() => openTransit(transit), patience)
    vaults.push({
      ...opened,
      wrap: (key, context) => patiently(() => opened.wrap(key, context), patience),
      unwrap: (wrapped, context) => patiently(() => opened.unwrap(wrapped, context), patience),
    })
  }
  const [current, ...previous] = provider === 'vault' ? [...vaults, ...files] : [...files, ...vaults]
  if (current === undefined) throw new ConfigError('Bad settings: ENCRYPTION_KEY is not set')
  return { current, previous }
}
