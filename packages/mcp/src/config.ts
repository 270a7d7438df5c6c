import type { MerchantCaller, PartnerCaller } from './toolbox.ts'

/** Where the platform is, and who asks. */
export type Settings = Readonly<{ baseUrl: string }> & (PartnerCaller | MerchantCaller)

export const USAGE = `causeway-mcp: what you may read of a Causeway platform, as tools of an assistant (MCP over stdio)

  CAUSEWAY_BASE_URL       where the platform is, such as https://payments.example
  CAUSEWAY_CLIENT_ID      a partner's OAuth client: the tools are what its scopes allow
  CAUSEWAY_CLIENT_SECRET
  CAUSEWAY_SCOPE          fewer scopes than the client has, separated by blanks
  CAUSEWAY_API_KEY        in place of the client: a merchant's key

An assistant starts this program itself. It takes no arguments.
`

/** Settings that cannot be started with. The message names each, and no value. */
export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

const faultOfUrl = (url: string): string[] => {
  if (url === '') return ['CAUSEWAY_BASE_URL is missing: the address of the platform']
  return /^https?:/i.test(url) && URL.canParse(url)
    ? []
    : ['CAUSEWAY_BASE_URL is no address: it begins with https://']
}

const faultsOfCredential = (env: Environment): string[] => {
  const isMerchant = Boolean(env['CAUSEWAY_API_KEY'])
  const partner = ['CAUSEWAY_CLIENT_ID', 'CAUSEWAY_CLIENT_SECRET']
  if (isMerchant && partner.some((name) => env[name]))
    return [
      'CAUSEWAY_API_KEY is set together with CAUSEWAY_CLIENT_ID or CAUSEWAY_CLIENT_SECRET: remove one of them',
    ]
  if (isMerchant) return []
  return partner
    .filter((name) => !env[name])
    .map((name) => `${name} is missing, or CAUSEWAY_API_KEY in place of the client`)
}

/** @throws SettingsError with every fault */
export const readSettings = (env: Environment = process.env): Settings => {
  const { CAUSEWAY_BASE_URL: baseUrl = '', CAUSEWAY_API_KEY: apiKey, CAUSEWAY_SCOPE: scope } = env
  const faults = [...faultOfUrl(baseUrl), ...faultsOfCredential(env)]
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  if (apiKey) return { baseUrl, apiKey }
  const { CAUSEWAY_CLIENT_ID: clientId = '', CAUSEWAY_CLIENT_SECRET: clientSecret = '' } = env
  return { baseUrl, clientId, clientSecret, ...(scope && { scope }) }
}
