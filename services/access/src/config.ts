import {
  ConfigError,
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  STAFF_SETTINGS,
  toKeyConfig,
  toServiceConfig,
  toStaffConfig,
  type SealingConfig,
  type Settings,
  type StaffConfig,
} from '@causeway/chassis'
import { databaseOf } from '@causeway/contracts'
import { MAIL_SETTINGS, toMailConfig, type MailConfig } from './mail/settings.ts'
import { OIDC_SETTINGS, toOidcConfig, type OidcConfig } from './oidc/settings.ts'

/** Every setting of access; the reference is made from this table (decisions §17). */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  ...STAFF_SETTINGS,
  GATEWAY_DATABASE_URL: setting.postgresUrl({
    doc: 'Database of the service access, named after the gateway, which had it before',
  }),
  ...OIDC_SETTINGS,
  ...MAIL_SETTINGS,
  SESSION_IDLE_AFTER: setting.durationMs({
    default: '30m',
    doc: 'Idle time after which a console session ends. Every session ends after 8h',
  }),
  ACCESS_TOKEN_TTL: setting.durationMs({ default: '15m', doc: 'Lifetime of an access token' }),
  SIGNING_KEY_ROTATION: setting.durationMs({
    default: '720h',
    doc: 'Age at which a signing key is rotated',
  }),
  APPROVAL_SIGNING_KEY: setting.key({
    optional: true,
    doc: 'Ed25519 private key that signs refunds that staff approve, 32 bytes in base64. Required if CRYPTO_REFUNDS is signer, which verifies with APPROVAL_VERIFYING_KEYS',
  }),
} as const

/** Configuration of access. */
export type AccessConfig = SealingConfig &
  StaffConfig &
  Readonly<{
    /** Where staff sign in to the console; null: by keys. */
    oidc: OidcConfig | null
    /** The mail server; null: nothing sends e-mail. */
    mail: MailConfig | null
    tokenTtlMs: number
    /** Time without a request after which a session of the console ends. */
    staffIdleAfterMs: number
    rotateKeysAfterMs: number
    /** Ed25519 key that signs what staff approve for the signer; null: it sends no refunds. */
    approvalKey: Uint8Array | null
    /** Deadline of a request on the bus. */
    busTimeoutMs: number
  }>

/** The one setting that the commands of the audit log need. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ GATEWAY_DATABASE_URL: SETTINGS.GATEWAY_DATABASE_URL }, env).GATEWAY_DATABASE_URL

const approvalKeyOf = ({
  CRYPTO_REFUNDS,
  APPROVAL_SIGNING_KEY: key,
}: Settings<typeof SETTINGS>): Uint8Array | null => {
  if (CRYPTO_REFUNDS === 'recorded') return null
  if (key === undefined)
    throw new ConfigError('Bad settings: APPROVAL_SIGNING_KEY is not set, but CRYPTO_REFUNDS is signer')
  return key
}

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): AccessConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'GATEWAY_DATABASE_URL', env),
    ...toStaffConfig(settings),
    keys: toKeyConfig(settings, databaseOf('access'), env),
    oidc: toOidcConfig(settings),
    mail: toMailConfig(settings),
    tokenTtlMs: settings.ACCESS_TOKEN_TTL,
    staffIdleAfterMs: settings.SESSION_IDLE_AFTER,
    rotateKeysAfterMs: settings.SIGNING_KEY_ROTATION,
    approvalKey: approvalKeyOf(settings),
    busTimeoutMs: settings.BUS_TIMEOUT * settings.TIMEOUT_FACTOR,
  }
}
