import {
  ConfigError,
  KEY_SETTINGS,
  loadSettings,
  REFUND_SETTINGS,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
  type Settings,
} from '@causeway/chassis'
import { FOUR_EYES, type FourEyes } from '@causeway/contracts'
import { OIDC_SETTINGS, toOidcConfig, type OidcConfig } from './oidc/settings.ts'

/** Every setting of access. */
export const ACCESS_SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  ...REFUND_SETTINGS,
  GATEWAY_PORT: setting.port({ default: '8080', doc: 'Port of the API; 0 chooses a free port' }),
  GATEWAY_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the gateway' }),
  PUBLIC_BASE_URL: setting.httpOrigin({
    optional: true,
    doc: 'Public URL of the API, also the issuer of tokens. Default: http://127.0.0.1:<GATEWAY_PORT>',
  }),
  CONSOLE_BASE_URL: setting.httpUrl({
    optional: true,
    doc: 'URL of the console on a separate host. The proxy must pass this host in Host; /console then answers only there. Default: PUBLIC_BASE_URL',
  }),
  OPERATOR_API_KEY: setting.secretText({
    minLength: 16,
    doc: 'Key of the operator API with the role admin, at least 16 characters',
  }),
  ...OIDC_SETTINGS,
  FOUR_EYES: setting.someOf(FOUR_EYES, {
    optional: true,
    emptyIsValue: true,
    doc: 'Staff actions that a second person must confirm, comma-separated: approval (of cases), reinstatement (of suspended merchants and revoked relationships), keys, money (refunds of crypto orders, payouts, raised refund limits), webhooks (their URLs), agreements (published or retired), erasure (of personal data). Unset: money if CRYPTO_REFUNDS is signer, otherwise no action. Empty: no action',
  }),
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
  Readonly<{
    /** Base address without a trailing slash; the issuer and audience of tokens. */
    publicBaseUrl: string
    /** Base address of the console on its own host; null: with everything else. */
    consoleBaseUrl: string | null
    operatorKey: string
    /** Where staff sign in to the console; null: by keys. */
    oidc: OidcConfig | null
    /** Which actions of staff need two persons. */
    fourEyes: ReadonlySet<FourEyes>
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
  loadSettings({ GATEWAY_DATABASE_URL: ACCESS_SETTINGS.GATEWAY_DATABASE_URL }, env).GATEWAY_DATABASE_URL

const approvalKeyOf = ({
  CRYPTO_REFUNDS,
  APPROVAL_SIGNING_KEY: key,
}: Settings<typeof ACCESS_SETTINGS>): Uint8Array | null => {
  if (CRYPTO_REFUNDS === 'recorded') return null
  if (key === undefined)
    throw new ConfigError('Bad settings: APPROVAL_SIGNING_KEY is not set, but CRYPTO_REFUNDS is signer')
  return key
}

export const toAccessConfig = (
  settings: Settings<typeof ACCESS_SETTINGS>,
  env: NodeJS.ProcessEnv,
): AccessConfig => {
  const hasSigner = settings.CRYPTO_REFUNDS === 'signer'
  return {
    ...toServiceConfig(settings, 'GATEWAY_DATABASE_URL', env),
    keys: toKeyConfig(settings, 'gateway', env),
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? `http://127.0.0.1:${settings.GATEWAY_PORT}`,
    consoleBaseUrl: settings.CONSOLE_BASE_URL ?? null,
    operatorKey: settings.OPERATOR_API_KEY,
    oidc: toOidcConfig(settings),
    // Where the signer sends money, two persons decide on it unless the setting says otherwise.
    fourEyes: new Set(settings.FOUR_EYES ?? (hasSigner ? ['money' as const] : [])),
    tokenTtlMs: settings.ACCESS_TOKEN_TTL,
    staffIdleAfterMs: settings.SESSION_IDLE_AFTER,
    rotateKeysAfterMs: settings.SIGNING_KEY_ROTATION,
    approvalKey: approvalKeyOf(settings),
    busTimeoutMs: settings.BUS_TIMEOUT * settings.TIMEOUT_FACTOR,
  }
}

/** @throws ConfigError that names every missing or bad setting */
export const loadAccessConfig = (env: NodeJS.ProcessEnv = process.env): AccessConfig =>
  toAccessConfig(loadSettings(ACCESS_SETTINGS, env), env)
