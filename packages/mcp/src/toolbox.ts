import {
  createMerchantClient,
  createPartnerClient,
  type ClientOptions,
  type MerchantClient,
  type PartnerClient,
} from '@causeway/client'
import { MERCHANT_TOOLS, PARTNER_TOOLS } from './generated/tools.ts'
import type { Tool } from './tool.ts'
import { whyNotLive } from './why-not-live.ts'

export type PartnerCaller = Readonly<{ clientId: string; clientSecret: string; scope?: string }>
export type MerchantCaller = Readonly<{ apiKey: string }>

/** Tools that the caller's credential allows now. */
export type Toolbox = Readonly<{ offered: (signal: AbortSignal) => Promise<readonly Tool[]> }>

/** An assistant waits for an answer: fewer and shorter attempts than a program's. */
const PATIENCE = { maxRetries: 2, maxRetryAfterMs: 5_000, timeoutMs: 20_000 }

const partnerTools = (client: PartnerClient): readonly Tool[] => {
  const names = Object.keys(PARTNER_TOOLS) as (keyof typeof PARTNER_TOOLS)[]
  return [...names.map((name) => ({ name, ...PARTNER_TOOLS[name], run: client[name] })), whyNotLive(client)]
}

const merchantTools = (client: MerchantClient): readonly Tool[] => {
  const names = Object.keys(MERCHANT_TOOLS) as (keyof typeof MERCHANT_TOOLS)[]
  return names.map((name) => ({ name, ...MERCHANT_TOOLS[name], run: client[name] }))
}

/** The tools of a caller: of a partner those for which its token has every scope, of a merchant all that it may read. */
export const createToolbox = (
  caller: PartnerCaller | MerchantCaller,
  options: Pick<ClientOptions, 'baseUrl' | 'log'>,
): Toolbox => {
  if ('apiKey' in caller) {
    const tools = merchantTools(createMerchantClient({ ...PATIENCE, ...options, ...caller }))
    return { offered: () => Promise.resolve(tools) }
  }
  const client = createPartnerClient({ ...PATIENCE, ...options, ...caller })
  const tools = partnerTools(client)
  return {
    async offered(signal) {
      const held = new Set(await client.scopes({ signal }))
      return tools.filter(({ scopes }) => scopes.every((scope) => held.has(scope)))
    },
  }
}
