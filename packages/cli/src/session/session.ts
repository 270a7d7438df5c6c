import {
  createMerchantClient,
  createPartnerClient,
  type MerchantClient,
  type PartnerClient,
} from '@causeway/client'
import { CliError, credentialError, usageError } from '../cli-error.ts'
import type { Environment } from '../config.ts'
import { readProfiles, type Profile } from './credentials-file.ts'
import { identifyPartner } from './partner-identity.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { createStaffClient, type StaffClient } from './staff-client.ts'

/** The platform that a command is for, and who calls it. Each part throws CliError where its credential is missing. */
export type Session = Readonly<{
  baseUrl: string
  credentials: Partial<Profile>
  partner: () => PartnerClient
  merchant: () => MerchantClient
  staff: () => StaffClient
  /** Id of the partner that signed in, or for which staff act. */
  partnerId: () => Promise<string>
  sandbox: () => Sandbox
}>

export const DEFAULT_PROFILE = 'default'
/** Sandbox of a platform that `pnpm start` runs on this machine. */
const LOCAL_SANDBOX_URL = 'http://127.0.0.1:8090'
/** A person waits: a call that cannot be made is said to be so within some seconds. */
const CALLS = { maxRetries: 2, maxRetryAfterMs: 5_000 } as const

/** Returns an address without its final slash. @throws CliError when it is no HTTP address */
export const webAddress = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usageError(`${text} is not an address such as https://payments.example`)
  return text.replace(/\/+$/, '')
}

const isLocal = (baseUrl: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(baseUrl).hostname)

/** Merges stored and set values. A stored credential is sent only to the platform for which it was stored. */
const combine = (stored: Profile | undefined, env: Environment): Partial<Profile> => {
  const baseUrl = env.baseUrl === undefined ? stored?.baseUrl : webAddress(env.baseUrl)
  const kept = baseUrl === stored?.baseUrl ? stored : undefined
  const sandboxUrl =
    env.sandboxUrl ??
    kept?.sandboxUrl ??
    (baseUrl !== undefined && isLocal(baseUrl) ? LOCAL_SANDBOX_URL : undefined)
  return {
    ...kept,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(sandboxUrl !== undefined && { sandboxUrl: webAddress(sandboxUrl) }),
    ...(env.clientId !== undefined &&
      env.clientSecret !== undefined && {
        partner: {
          clientId: env.clientId,
          clientSecret: env.clientSecret,
          partnerId: env.partnerId ?? '',
        },
      }),
    ...(env.apiKey !== undefined && { merchant: { apiKey: env.apiKey } }),
    ...(env.staffKey !== undefined && { staff: { staffKey: env.staffKey } }),
  }
}

/** The partner's id where it is set or stored; else its token says it, or staff have but one partner. */
const findPartnerId = async (
  baseUrl: string,
  { partner }: Partial<Profile>,
  staff: (() => StaffClient) | null,
): Promise<string> => {
  if (partner !== undefined)
    return partner.partnerId === ''
      ? (await identifyPartner({ baseUrl, ...partner })).partnerId
      : partner.partnerId
  const found: string[] = []
  if (staff !== null)
    for await (const { partner_id } of staff().listPartners.all({ limit: 2 })) {
      found.push(partner_id)
      if (found.length > 1) break
    }
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw usageError('Name a partner: --partner prt_…, or CAUSEWAY_PARTNER_ID, or causeway login partner')
}

/** @throws CliError when no platform is named, or the profile does not exist */
export const openSession = (
  environment: Environment,
  named: Readonly<{ profile?: string; baseUrl?: string }>,
): Session => {
  const env = { ...environment, baseUrl: named.baseUrl ?? environment.baseUrl }
  const name = named.profile ?? env.profile ?? DEFAULT_PROFILE
  const profiles = readProfiles(env.credentialsFile)
  const stored = profiles[name]
  const credentials = combine(stored, env)
  const { baseUrl, sandboxUrl, partner, merchant, staff } = credentials
  if (baseUrl === undefined)
    throw credentialError(
      name === DEFAULT_PROFILE
        ? 'Not logged in: run causeway login, or set CAUSEWAY_BASE_URL and a credential'
        : `There is no profile ${name}: run causeway login --profile ${name}`,
    )
  const options = { baseUrl, ...CALLS }
  const missing = (what: string, kind: string, settings: string) =>
    credentialError(`This needs ${what}: run causeway login ${kind}, or set ${settings}`)
  const ofStaff = (): StaffClient => {
    if (staff === undefined) throw missing('a key of staff', 'staff', 'CAUSEWAY_STAFF_KEY')
    return createStaffClient(options, staff.staffKey)
  }
  return {
    baseUrl,
    credentials,
    partner() {
      if (partner === undefined)
        throw missing("a partner's client", 'partner', 'CAUSEWAY_CLIENT_ID and CAUSEWAY_CLIENT_SECRET')
      return createPartnerClient({ ...options, ...partner })
    },
    merchant() {
      if (merchant === undefined) throw missing("a merchant's API key", 'merchant', 'CAUSEWAY_API_KEY')
      return createMerchantClient({ ...options, ...merchant })
    },
    staff: ofStaff,
    partnerId: async () =>
      env.partnerId ?? (await findPartnerId(baseUrl, credentials, staff === undefined ? null : ofStaff)),
    sandbox() {
      if (sandboxUrl === undefined)
        throw new CliError(
          `This needs the platform's sandbox: set CAUSEWAY_SANDBOX_URL. ${baseUrl} may have none`,
        )
      return createSandbox(sandboxUrl)
    },
  }
}
