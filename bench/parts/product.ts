import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createPartnerClient, type PartnerClient } from '@causeway/client'
import { createRawClient, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { pathToFileURL } from 'node:url'
import type { Platform, PlatformOptions } from '@causeway/dev-env/platform/platform'
import type { ReadyPartner } from '@causeway/dev-env/platform/ready-partner'
import type { ComponentName } from '@causeway/dev-env/platform/components'
import type { Measured } from '../measure/proc.ts'

/** The whole platform as `pnpm start` runs it, with rate limits that the load does not reach. */
export type Product = Readonly<{
  platform: Platform
  port: number
  /** Headers of an authenticated partner. */
  authorization: Readonly<{ authorization: string }>
  partner: RawClient
  /** The same partner, by the client that partners use. */
  causeway: PartnerClient
  staff: RawClient
  /** Processes of these components, and the servers behind them. */
  processes: (names: readonly ComponentName[]) => Measured[]
  stop: () => Promise<void>
}>

const TOKEN_TTL = '10h'
const UNREACHED = '1000000'

const obtainToken = async (baseUrl: string, partner: ReadyPartner): Promise<string> => {
  const answer = await createRawClient({ baseUrl }).post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: partner.clientId,
    client_secret: partner.clientSecret,
  })
  if (answer.status !== 200) throw new Error(`No token: ${JSON.stringify(answer.body)}`)
  return String(answer.body['access_token'])
}

type PlatformModule = Readonly<{ startPlatform: (options: PlatformOptions) => Promise<Platform> }>

/** This checkout. */
const HERE = resolve(import.meta.dirname, '../..')

/**
 * @param env settings that differ from the local start's
 * @param checkout where the platform's code is
 */
export const startProduct = async (
  folder: string,
  env: Readonly<Record<string, string>> = {},
  checkout = HERE,
): Promise<Product> => {
  // Commits before the package had the platform in `scripts`.
  const paths = ['packages/dev-env/src/platform/platform.ts', 'scripts/platform/platform.ts']
  const path = paths.map((each) => join(checkout, each)).find(existsSync)
  if (path === undefined) throw new Error(`${checkout} has no file ${paths.join(' or ')}`)
  const main = pathToFileURL(path).href
  const { startPlatform } = (await import(main)) as PlatformModule
  const platform = await startPlatform({
    dataDir: join(folder, 'platform'),
    ports: 'free',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      RATE_LIMIT_PER_SECOND: UNREACHED,
      RATE_LIMIT_BURST: UNREACHED,
      ACCESS_TOKEN_TTL: TOKEN_TTL,
      ...env,
    },
  })
  const { postgres, nats, baseUrl, partner } = platform
  if (partner === null) throw new Error('The platform was started without its ready partner')
  const authorization = { authorization: `Bearer ${await obtainToken(baseUrl, partner)}` }
  const operator = { authorization: `Bearer ${platform.operatorKey}` }
  return {
    platform,
    port: Number(new URL(baseUrl).port),
    authorization,
    partner: createRawClient({ baseUrl, headers: authorization }),
    causeway: createPartnerClient({ baseUrl, ...partner }),
    staff: createRawClient({ baseUrl, headers: operator }),
    processes: (names) => [
      ...names.map((name) => ({ name, pid: platform.replicas.get(name)?.pid ?? 0 })),
      ...(nats === null ? [] : [{ name: 'nats', pid: nats.pid ?? 0 }]),
      ...(postgres === null
        ? []
        : [{ name: 'postgres', pid: postgres.pid ?? 0, counts: 'withChildren' as const }]),
    ],
    stop: () => platform.stop(),
  }
}
