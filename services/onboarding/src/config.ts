import {
  BLOB_SETTINGS,
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toBlobConfig,
  toKeyConfig,
  toServiceConfig,
  type BlobConfig,
  type SealingConfig,
} from '@causeway/chassis'

/** Every setting of the onboarding service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  ...BLOB_SETTINGS,
  ONBOARDING_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the onboarding service' }),
  PUBLIC_BASE_URL: setting.httpOrigin({ doc: 'Public URL of the gateway' }),
  MERCHANT_LINKING: setting.oneOf(['open', 'confirmed'], {
    default: 'open',
    doc: 'Access that a link gives to a merchant that another partner already linked: immediate access to the merchant’s case (`open`), or a separate case whose capabilities are unavailable until staff confirm the link (`confirmed`)',
  }),
  VERIFICATION_TTL: setting.durationMs({
    default: '8760h',
    doc: 'Validity of an approval; then the case expires',
  }),
  KYB_RETENTION: setting.durationMs({
    default: '43800h',
    doc: 'Retention of the records of a submitted case after the relationship ends, as required by law; then they are erased',
  }),
} as const

export type OnboardingConfig = SealingConfig &
  Readonly<{
    /** Base address without a trailing slash, of document and download URLs. */
    publicBaseUrl: string
    /** Blob store of the documents' bytes. */
    blobs: BlobConfig
    /** Effect of a link to a merchant that another partner linked already. */
    merchantLinking: 'open' | 'confirmed'
    /** Validity of an approval. */
    verificationTtlMs: number
    /** Retention of the records of a submitted case, from the end of the relationship. */
    kybRetentionMs: number
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): OnboardingConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'ONBOARDING_DATABASE_URL', env),
    keys: toKeyConfig(settings, 'onboarding', env),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    blobs: toBlobConfig(settings),
    merchantLinking: settings.MERCHANT_LINKING,
    verificationTtlMs: settings.VERIFICATION_TTL,
    kybRetentionMs: settings.KYB_RETENTION,
  }
}
