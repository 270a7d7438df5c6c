import { FOUR_EYES, type FourEyes } from '@causeway/contracts'
import { REFUND_SETTINGS } from './config.ts'
import { setting, type Settings } from './settings/declare.ts'

/** Settings that the gateway and access share: the addresses of the platform, and how its staff work. */
export const STAFF_SETTINGS = {
  ...REFUND_SETTINGS,
  GATEWAY_PORT: setting.port({ default: '8080', doc: 'Port of the API; 0 chooses a free port' }),
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
  CONSOLE_OIDC_ISSUER: setting.httpUrl({
    optional: true,
    doc: 'Issuer at which staff sign in to the console by OpenID Connect; https, or http on this machine; without it they sign in by keys',
  }),
  FOUR_EYES: setting.someOf(FOUR_EYES, {
    optional: true,
    emptyIsValue: true,
    doc: 'Staff actions that a second person must confirm, comma-separated: approval (of cases), reinstatement (of suspended merchants and revoked relationships), keys, money (refunds of crypto orders, payouts, raised refund limits), webhooks (their URLs, and what lets one person set a URL alone: new webhooks of partners, portal links, API keys of merchants), agreements (published or retired), erasure (of personal data), ledger (adjustments of balances), destinations (of payouts, confirmed or refused). Unset: money if CRYPTO_REFUNDS is signer, otherwise no action. Empty: no action. Write-offs of negative balances always need two people',
  }),
} as const

/** Configuration that the gateway and access share. */
export type StaffConfig = Readonly<{
  /** Base address without a trailing slash; the issuer and audience of tokens. */
  publicBaseUrl: string
  /** Base address of the console on its own host; null: with everything else. */
  consoleBaseUrl: string | null
  operatorKey: string
  /** Which actions of staff need two persons. */
  fourEyes: ReadonlySet<FourEyes>
}>

export const toStaffConfig = (settings: Settings<typeof STAFF_SETTINGS>): StaffConfig => ({
  publicBaseUrl: settings.PUBLIC_BASE_URL ?? `http://127.0.0.1:${settings.GATEWAY_PORT}`,
  consoleBaseUrl: settings.CONSOLE_BASE_URL ?? null,
  operatorKey: settings.OPERATOR_API_KEY,
  // Where the signer sends money, two persons decide on it unless the setting says otherwise.
  fourEyes: new Set(settings.FOUR_EYES ?? (settings.CRYPTO_REFUNDS === 'signer' ? ['money' as const] : [])),
})
