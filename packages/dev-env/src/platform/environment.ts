import { createHmac } from 'node:crypto'
import { databaseOf, type SenderName } from '@causeway/contracts'
import { CARD_SECRETS } from '@causeway/rails/cards'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { verifyingKeyOf } from '../../../chassis/src/statement-signature.ts'
import { streamUserOf } from '../infrastructure/nats-permissions.ts'
import { type ComponentName, hasSigner } from './components.ts'
import { ownerOf, type DatabaseName } from '../infrastructure/postgres-databases.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Ports } from './ports.ts'
import { isSealing, serviceKeyOf } from './service-keys.ts'
import { databaseSetting, SECRET_SETTINGS } from './settings.ts'

export type EnvironmentSources = {
  env: NodeJS.ProcessEnv
  dataDir: string
  ports: Ports
  infrastructure: Pick<Infrastructure, 'databaseUrls' | 'natsUrls' | 'hasStreamUsers'>
  operatorApiKey: string
  keys: RootKeys
  /** Keys of requests on the bus by pair: `gateway>payments`. */
  busKeys: Readonly<Record<string, string>>
  /** Key of the approvals of access, 32 bytes in base64. */
  approvalKey: string
}

/** Root keys, 32 bytes in base64. */
type RootKeys = {
  current: string
  /** Set while the root key is being replaced. */
  previous?: string | undefined
  /** The services' data predates key rings: it is encrypted with keys derived from the root key itself. */
  areAdopted?: boolean
}

/** Defaults of the local start; the environment overrides them. */
const localDefaults = ({ gateway, chain, card, onramp }: Ports): Record<string, string> => ({
  PUBLIC_BASE_URL: `http://127.0.0.1:${gateway}`,
  WEBHOOK_ALLOW_INSECURE: 'true',
  CHAIN_URL: `http://127.0.0.1:${chain}`,
  CARD_URL: `http://127.0.0.1:${card}`,
  ONRAMP_URL: `http://127.0.0.1:${onramp}`,
  SANDBOX_RECEIVING_ACCOUNTS: 'true',
  SANDBOX_RATES: 'true',
  SANDBOX_CLOCK: 'true',
  // An account that the sandbox's bank has.
  PAYOUT_DEBTOR_NAME: 'Causeway Payments',
  PAYOUT_DEBTOR_IBAN: 'DE93999999990000000001',
})

/** The sandbox's mail server, for access alone. */
const mailDefaults = ({ mail }: Ports): Record<string, string> => ({
  MAIL_URL: `smtp://127.0.0.1:${mail}`,
  MAIL_FROM: 'Causeway <no-reply@causeway.example>',
})

/** Processes that access the bytes of documents in an S3 bucket. */
const BLOB_SECRET = 'BLOB_S3_SECRET_ACCESS_KEY'
const BLOB_USERS: readonly ComponentName[] = ['gateway', 'onboarding']

/** Processes that call the card processors; only payments receives their notices. */
const CARD_USERS: readonly ComponentName[] = ['payments', 'refunds']

/** The gateway authenticates the key of the operator; access names it in the audit log. */
const OPERATOR_KEY_USERS: readonly ComponentName[] = ['gateway', 'access']

/** Only the onramp service calls the onramp provider and receives its notices. */
const BANXA_SECRETS = ['BANXA_API_KEY', 'BANXA_WEBHOOK_SECRET']

/** Only payments and the signer reach the chains. Passwords and keys are part of the nodes' addresses. */
const NODE_ADDRESSES = Object.keys(NODE_SETTINGS).filter((name) => name.endsWith('_URLS'))

/** Only access signs staff in at their provider, and sends e-mail. */
const ACCESS_SECRETS = ['CONSOLE_OIDC_CLIENT_SECRET', 'MAIL_URL']

/** The words of the wallet, and the file that holds them. */
const SIGNER_SECRETS = ['SIGNER_SEED']

/** Only processes that encrypt use the key provider, each with a key named after it. */
const KEY_PROVIDER = ['KEY_PROVIDER', 'VAULT_ADDR', 'VAULT_TOKEN', 'VAULT_TRANSIT_KEY']

/** A secret with which the sandbox signs: the same at every start, and used for nothing else. */
const sandboxSecret = ({ env, keys }: EnvironmentSources, setting: string, purpose: string) => ({
  [setting]: env[setting] ?? createHmac('sha256', keys.current).update(purpose).digest('hex'),
})
const cardSecretOf = (sources: EnvironmentSources): Record<string, string> =>
  sandboxSecret(sources, 'SANDBOX_CARD_SECRET', 'sandbox cards')
const onrampSecretOf = (sources: EnvironmentSources): Record<string, string> =>
  sandboxSecret(sources, 'SANDBOX_ONRAMP_SECRET', 'sandbox onramp')

/** The database of a component; null for one that has none. */
const databaseFor = (name: ComponentName): DatabaseName | null =>
  name === 'sandbox' || name === 'gateway' ? null : databaseOf(name)

/** The key-encryption keys of a database, by their settings. */
export const keysOf = (name: DatabaseName | null, keys: RootKeys): Record<string, string> => {
  if (name === null || !isSealing(name)) return {}
  const own = { ENCRYPTION_KEY: serviceKeyOf(keys.current, name) }
  // Only at the start that finds older data: the service then adopts its own keys.
  if (keys.areAdopted === true) return { ...own, PREVIOUS_ENCRYPTION_KEY: keys.current }
  return keys.previous === undefined
    ? own
    : { ...own, PREVIOUS_ENCRYPTION_KEY: serviceKeyOf(keys.previous, name) }
}

/** Stream users exist only on a bus that this start has configured itself. */
const streamUserFor = (name: SenderName, { infrastructure }: EnvironmentSources) =>
  infrastructure.hasStreamUsers ? { NATS_STREAM_USER: streamUserOf(name) } : {}

/** The keys of the pairs that include this process. */
const busKeysOf = (name: ComponentName, { busKeys }: EnvironmentSources): string =>
  Object.entries(busKeys)
    .filter(([pair]) => pair.split('>').includes(name))
    .map(([pair, key]) => `${pair}=${key}`)
    .join(',')

/** Access alone can sign what staff approve; the signer verifies it. */
const approvalKeyOf = (
  name: ComponentName,
  { env, approvalKey }: EnvironmentSources,
): Record<string, string> => {
  if (!hasSigner(env)) return {}
  if (name === 'access') return { APPROVAL_SIGNING_KEY: approvalKey }
  if (name !== 'signer') return {}
  return { APPROVAL_VERIFYING_KEYS: verifyingKeyOf(Buffer.from(approvalKey, 'base64')).toString('base64') }
}

const secretsOf = (name: ComponentName, sources: EnvironmentSources): Record<string, string> => {
  const bus = { NATS_URL: sources.infrastructure.natsUrls[name] }
  if (name === 'sandbox') return { ...bus, ...cardSecretOf(sources), ...onrampSecretOf(sources) }
  const database = databaseFor(name)
  return {
    ...bus,
    BUS_KEYS: busKeysOf(name, sources),
    ...streamUserFor(name, sources),
    ...(database === null
      ? {}
      : { [databaseSetting(database)]: sources.infrastructure.databaseUrls[database] }),
    ...keysOf(database, sources.keys),
    ...(OPERATOR_KEY_USERS.includes(name) ? { OPERATOR_API_KEY: sources.operatorApiKey } : {}),
    ...approvalKeyOf(name, sources),
    ...(name === 'payments' ? cardSecretOf(sources) : {}),
    ...(name === 'onramp' ? onrampSecretOf(sources) : {}),
  }
}

/** The environment of one process: all settings, but only its own secrets. */
export const environmentOf = (name: ComponentName, sources: EnvironmentSources): NodeJS.ProcessEnv => {
  const kept = [
    ...SECRET_SETTINGS,
    ...(BLOB_USERS.includes(name) ? [] : [BLOB_SECRET]),
    ...(CARD_USERS.includes(name) ? [] : CARD_SECRETS.all),
    ...(name === 'payments' ? [] : CARD_SECRETS.checkout),
    ...(name === 'payments' || name === 'signer' ? [] : NODE_ADDRESSES),
    ...(name === 'signer' ? [] : SIGNER_SECRETS),
    ...(name === 'onramp' ? [] : BANXA_SECRETS),
    ...(name === 'access' ? [] : ACCESS_SECRETS),
    ...(Object.keys(keysOf(databaseFor(name), sources.keys)).length > 0 ? [] : KEY_PROVIDER),
  ]
  const secret = new Set(kept.flatMap((setting) => [setting, `${setting}_FILE`]))
  const passed = Object.entries(sources.env).filter(([setting]) => !secret.has(setting))
  return {
    ...localDefaults(sources.ports),
    ...(name === 'access' ? mailDefaults(sources.ports) : {}),
    ...(hasSigner(sources.env) ? { CRYPTO_REFUNDS: 'signer' } : {}),
    ...Object.fromEntries(passed),
    GATEWAY_PORT: String(sources.ports.gateway),
    SANDBOX_PORT: String(sources.ports.sandbox),
    SANDBOX_CHAIN_PORT: String(sources.ports.chain),
    SANDBOX_CARD_PORT: String(sources.ports.card),
    SANDBOX_ONRAMP_PORT: String(sources.ports.onramp),
    SANDBOX_MAIL_PORT: String(sources.ports.mail),
    DATA_DIR: sources.dataDir,
    // A free port each: one setting cannot serve several processes.
    HEALTH_PORT: '0',
    ...secretsOf(name, sources),
  }
}

/** Returns where a component reaches a server, given the server's own address. */
export type Reroute = (name: ComponentName, serverUrl: string) => Promise<string>
type Addresses = EnvironmentSources['infrastructure']

/** Returns the servers' addresses for each component, through `reroute`. */
export const rerouted = async (infrastructure: Addresses, reroute: Reroute): Promise<Addresses> => {
  const through = async <N extends string>(
    urls: Record<N, string>,
    userOf: (name: N) => ComponentName,
  ): Promise<Record<N, string>> => {
    const entries = Object.entries(urls) as [N, string][]
    const moved = await Promise.all(
      entries.map(async ([name, url]) => [name, await reroute(userOf(name), url)]),
    )
    return Object.fromEntries(moved) as Record<N, string>
  }
  const { databaseUrls, natsUrls } = infrastructure
  return {
    ...infrastructure,
    databaseUrls: await through(databaseUrls, ownerOf),
    natsUrls: await through(natsUrls, (name) => name),
  }
}
