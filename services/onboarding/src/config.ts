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
  PUBLIC_BASE_URL: setting.httpUrl({ doc: 'Address under which the public reaches the gateway' }),
  MERCHANT_LINKING: setting.oneOf(['open', 'confirmed'], {
    default: 'open',
    doc: 'Whether a customer whose merchant another partner has linked already shares the merchant’s case at once (`open`), or has every capability unavailable and a case of its own until staff confirm the link (`confirmed`)',
  }),
  VERIFICATION_TTL: setting.durationMs({ default: '8760h', doc: 'How long an approved case stays valid' }),
  KYB_RETENTION: setting.durationMs({
    default: '43800h',
    doc: 'How long records of a submitted case are kept after the relationship ended, as the law asks; then they are erased',
  }),
} as const

export type OnboardingConfig = SealingConfig &
  Readonly<{
    /** Base address without a trailing slash, of document and download URLs. */
    publicBaseUrl: string
    /** Where the bytes of documents lie. */
    blobs: BlobConfig
    /** Whether a link to a merchant that another partner has linked already waits for confirmation. */
    merchantLinking: 'open' | 'confirmed'
    /** How long an approved case stays valid. */
    verificationTtlMs: number
    /** How long the records of a submitted case are kept after the relationship ended. */
    kybRetentionMs: number
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): OnboardingConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, settings.ONBOARDING_DATABASE_URL),
    keys: toKeyConfig(settings, 'onboarding'),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    blobs: toBlobConfig(settings),
    merchantLinking: settings.MERCHANT_LINKING,
    verificationTtlMs: settings.VERIFICATION_TTL,
    kybRetentionMs: settings.KYB_RETENTION,
  }
}
