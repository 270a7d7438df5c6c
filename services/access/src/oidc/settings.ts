import { ConfigError, setting, STAFF_SETTINGS, type Settings } from '@causeway/chassis'

/** How people of the staff sign in at an identity provider (decisions §22 and §42); all three settings, or not any. */
export const OIDC_SETTINGS = {
  CONSOLE_OIDC_ISSUER: STAFF_SETTINGS.CONSOLE_OIDC_ISSUER,
  CONSOLE_OIDC_CLIENT_ID: setting.string({
    optional: true,
    doc: 'Id of the console at the issuer, whose redirect URI is PUBLIC_BASE_URL/console/sign-in/callback',
  }),
  CONSOLE_OIDC_CLIENT_SECRET: setting.secretText({
    optional: true,
    minLength: 8,
    doc: 'Secret of the console at the issuer, at least 8 characters',
  }),
} as const

/** The identity provider of the staff. */
export type OidcConfig = Readonly<{ issuer: string; clientId: string; clientSecret: string }>

const NAMES = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'] as const
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** @throws ConfigError that names the settings that are missing while another is set, or an issuer that is not safe to ask */
export const toOidcConfig = (settings: Settings<typeof OIDC_SETTINGS>): OidcConfig | null => {
  const {
    CONSOLE_OIDC_ISSUER: issuer,
    CONSOLE_OIDC_CLIENT_ID: clientId,
    CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
  } = settings
  const set = NAMES.filter((name) => settings[name] !== undefined)
  if (set.length === 0) return null
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    const missing = NAMES.filter((name) => settings[name] === undefined)
    throw new ConfigError(`Bad settings: ${missing.join(' and ')} not set, but ${set.join(' and ')}`)
  }
  const { protocol, hostname } = new URL(issuer)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new ConfigError('Bad settings: CONSOLE_OIDC_ISSUER must be https, or http on a loopback address')
  return { issuer, clientId, clientSecret }
}
