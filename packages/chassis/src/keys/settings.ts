import { setting, type Settings } from '../settings/declare.ts'
import { ConfigError, loadSettings } from '../settings/load.ts'

/** Settings of every process that encrypts what it stores: where its key-encryption key is. */
export const KEY_SETTINGS = {
  ENCRYPTION_KEY: setting.key({
    optional: true,
    doc: "Key-encryption key of this service only, 32 bytes in base64. It wraps the service's data keys. Required if KEY_PROVIDER is file",
  }),
  PREVIOUS_ENCRYPTION_KEY: setting.key({
    optional: true,
    doc: 'Previous ENCRYPTION_KEY during a rotation: it unwraps data keys but wraps none',
  }),
  KEY_PROVIDER: setting.oneOf(['file', 'vault'], {
    default: 'file',
    doc: 'Provider that wraps the data keys: file (ENCRYPTION_KEY) or vault (transit engine of HashiCorp Vault)',
  }),
  KEY_PROVIDER_WAIT: setting.durationMs({
    default: '60s',
    doc: 'Maximum time that a start waits for an unavailable key provider',
  }),
  VAULT_ADDR: setting.httpUrl({ optional: true, doc: 'URL of HashiCorp Vault' }),
  VAULT_TOKEN_FILE: setting.string({
    optional: true,
    doc: 'File with a Vault token that may use the key. It is read at each use',
  }),
  VAULT_TRANSIT_MOUNT: setting.string({ default: 'transit', doc: 'Mount path of the transit engine' }),
  VAULT_TRANSIT_KEY: setting.string({
    optional: true,
    doc: 'Name of the key in the transit engine. Default: causeway-<service>',
  }),
} as const

/** A key in the transit engine of a HashiCorp Vault. */
export type TransitConfig = Readonly<{ address: string; tokenFile: string; mount: string; key: string }>

/** Where the key-encryption keys of a service are. One wraps; the others only unwrap. */
export type KeyConfig = Readonly<{
  encryptionKey?: Buffer | undefined
  previousEncryptionKey?: Buffer | undefined
  transit?: TransitConfig | undefined
  /** Left out: file. */
  provider?: 'file' | 'vault'
  /** How long a start waits for a provider that cannot be reached; left out: a minute. */
  waitMs?: number
  /** How often a running process looks for new data keys, and at these settings again; left out: 10 s. */
  refreshMs?: number
  /** Reads the settings again: their files may have changed. Left out: they do not change. @throws ConfigError */
  reread?: () => KeyConfig
}>

/** @throws ConfigError that names the missing settings of the key provider */
export const toKeyConfig = (
  settings: Settings<typeof KEY_SETTINGS>,
  service: string,
  env: NodeJS.ProcessEnv,
): KeyConfig => {
  const { KEY_PROVIDER: provider, ENCRYPTION_KEY: encryptionKey, VAULT_ADDR: address } = settings
  const tokenFile = settings.VAULT_TOKEN_FILE
  if (provider === 'file' && encryptionKey === undefined)
    throw new ConfigError('Bad settings: ENCRYPTION_KEY is not set')
  const needsVault = provider === 'vault' || address !== undefined
  if (needsVault && (address === undefined || tokenFile === undefined)) {
    const missing = address === undefined ? 'VAULT_ADDR' : 'VAULT_TOKEN_FILE'
    const why = address === undefined ? 'KEY_PROVIDER is vault' : 'VAULT_ADDR is set'
    throw new ConfigError(`Bad settings: ${missing} is not set but ${why}`)
  }
  const key = settings.VAULT_TRANSIT_KEY ?? `causeway-${service}`
  return {
    provider,
    encryptionKey,
    previousEncryptionKey: settings.PREVIOUS_ENCRYPTION_KEY,
    transit:
      address === undefined || tokenFile === undefined
        ? undefined
        : { address, tokenFile, mount: settings.VAULT_TRANSIT_MOUNT, key },
    waitMs: settings.KEY_PROVIDER_WAIT,
    reread: () => toKeyConfig(loadSettings(KEY_SETTINGS, env), service, env),
  }
}
