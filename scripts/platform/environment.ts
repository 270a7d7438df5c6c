import { createHmac } from 'node:crypto'
import type { SenderName } from '@causeway/contracts'
import { CARD_SECRETS } from '@causeway/rails'
import { streamUserOf } from '../infrastructure/nats-config.ts'
import type { ComponentName } from './components.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Ports } from './ports.ts'
import { isSealing, serviceKeyOf } from './service-keys.ts'
import { databaseSetting, SECRET_SETTINGS } from './settings.ts'

export type Surroundings = {
  env: NodeJS.ProcessEnv
  dataDir: string
  ports: Ports
  infrastructure: Pick<Infrastructure, 'databaseUrls' | 'natsUrls' | 'hasStreamUsers'>
  operatorApiKey: string
  keys: RootKeys
  /** Keys of requests on the bus by pair: `gateway>payments`. */
  busKeys: Readonly<Record<string, string>>
}

/** Root keys, 32 bytes in base64. */
type RootKeys = {
  current: string
  /** While the root key is being replaced. */
  previous?: string | undefined
  /** Whether the services' data is from before they had key rings, and sealed with keys of the root key itself. */
  areAdopted?: boolean
}

/** What the local start sets where the environment says nothing. */
const localDefaults = ({ gateway, chain, card, onramp }: Ports): Record<string, string> => ({
  PUBLIC_BASE_URL: `http://127.0.0.1:${gateway}`,
  WEBHOOK_ALLOW_INSECURE: 'true',
  CHAIN_URL: `http://127.0.0.1:${chain}`,
  CARD_URL: `http://127.0.0.1:${card}`,
  ONRAMP_URL: `http://127.0.0.1:${onramp}`,
  SANDBOX_RECEIVING_ACCOUNTS: 'true',
  SANDBOX_CLOCK: 'true',
})

/** Who may reach the bytes of documents where an S3 bucket keeps them. */
const BLOB_SECRET = 'BLOB_S3_SECRET_ACCESS_KEY'
const BLOB_USERS: readonly ComponentName[] = ['gateway', 'onboarding']

/** Who calls the card processors; payments alone takes their notices. */
const CARD_USERS: readonly ComponentName[] = ['payments', 'refunds']

/** Who speaks with the onramp provider, and takes its notices. */
const BANXA_SECRETS = ['BANXA_API_KEY', 'BANXA_WEBHOOK_SECRET']

/** A key provider is for those that seal; each uses a key of its own name. */
const KEY_PROVIDER = ['KEY_PROVIDER', 'VAULT_ADDR', 'VAULT_TOKEN', 'VAULT_TRANSIT_KEY']

/** What the outside world signs with: the same at every start, and no key to anything else. */
const sandboxSecret = ({ env, keys }: Surroundings, setting: string, purpose: string) => ({
  [setting]: env[setting] ?? createHmac('sha256', keys.current).update(purpose).digest('hex'),
})
const cardSecretOf = (surroundings: Surroundings): Record<string, string> =>
  sandboxSecret(surroundings, 'SANDBOX_CARD_SECRET', 'sandbox cards')
const onrampSecretOf = (surroundings: Surroundings): Record<string, string> =>
  sandboxSecret(surroundings, 'SANDBOX_ONRAMP_SECRET', 'sandbox onramp')

/** The key-encryption keys of a process, by their settings. */
export const keysOf = (name: ComponentName, keys: RootKeys): Record<string, string> => {
  if (!isSealing(name)) return {}
  const own = { ENCRYPTION_KEY: serviceKeyOf(keys.current, name) }
  // Once, at the start that finds older data: the service takes over the keys that were its own, and no more.
  if (keys.areAdopted === true) return { ...own, PREVIOUS_ENCRYPTION_KEY: keys.current }
  return keys.previous === undefined
    ? own
    : { ...own, PREVIOUS_ENCRYPTION_KEY: serviceKeyOf(keys.previous, name) }
}

/** Where this start set the bus up itself; a server of somebody else's has the users that it has. */
const streamUserFor = (name: SenderName, { infrastructure }: Surroundings) =>
  infrastructure.hasStreamUsers ? { NATS_STREAM_USER: streamUserOf(name) } : {}

/** The keys of the pairs that a process is one of, and no other. */
const busKeysOf = (name: ComponentName, { busKeys }: Surroundings): string =>
  Object.entries(busKeys)
    .filter(([pair]) => pair.split('>').includes(name))
    .map(([pair, key]) => `${pair}=${key}`)
    .join(',')

const secretsOf = (name: ComponentName, surroundings: Surroundings): Record<string, string> => {
  const bus = { NATS_URL: surroundings.infrastructure.natsUrls[name] }
  if (name === 'sandbox') return { ...bus, ...cardSecretOf(surroundings), ...onrampSecretOf(surroundings) }
  return {
    ...bus,
    BUS_KEYS: busKeysOf(name, surroundings),
    ...streamUserFor(name, surroundings),
    [databaseSetting(name)]: surroundings.infrastructure.databaseUrls[name],
    ...keysOf(name, surroundings.keys),
    ...(name === 'gateway' ? { OPERATOR_API_KEY: surroundings.operatorApiKey } : {}),
    ...(name === 'payments' ? cardSecretOf(surroundings) : {}),
    ...(name === 'onramp' ? onrampSecretOf(surroundings) : {}),
  }
}

/** The environment of one process: all settings pass through, but of the secrets it gets its own alone. */
export const environmentOf = (name: ComponentName, surroundings: Surroundings): NodeJS.ProcessEnv => {
  const kept = [
    ...SECRET_SETTINGS,
    ...(BLOB_USERS.includes(name) ? [] : [BLOB_SECRET]),
    ...(CARD_USERS.includes(name) ? [] : CARD_SECRETS.all),
    ...(name === 'payments' ? [] : CARD_SECRETS.checkout),
    ...(name === 'onramp' ? [] : BANXA_SECRETS),
    ...(isSealing(name) ? [] : KEY_PROVIDER),
  ]
  const secret = new Set(kept.flatMap((setting) => [setting, `${setting}_FILE`]))
  const passed = Object.entries(surroundings.env).filter(([setting]) => !secret.has(setting))
  return {
    ...localDefaults(surroundings.ports),
    ...Object.fromEntries(passed),
    GATEWAY_PORT: String(surroundings.ports.gateway),
    SANDBOX_PORT: String(surroundings.ports.sandbox),
    SANDBOX_CHAIN_PORT: String(surroundings.ports.chain),
    SANDBOX_CARD_PORT: String(surroundings.ports.card),
    SANDBOX_ONRAMP_PORT: String(surroundings.ports.onramp),
    DATA_DIR: surroundings.dataDir,
    // One setting cannot give several processes their ports.
    HEALTH_PORT: '0',
    ...secretsOf(name, surroundings),
  }
}
