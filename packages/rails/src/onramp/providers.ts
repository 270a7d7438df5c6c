import type { OnrampProvider } from './adapter.ts'
import { BANXA_KEY, createBanxaProvider, type BanxaOptions } from './banxa/adapter.ts'
import { createSandboxOnrampProvider, type SandboxOnrampOptions } from './sandbox-adapter.ts'

/** The account that a deployment has with an onramp provider. */
export type OnrampAccount =
  | (Readonly<{ provider: 'sandbox' }> & Omit<SandboxOnrampOptions, 'timeoutMs'>)
  | (Readonly<{ provider: 'banxa' }> & Omit<BanxaOptions, 'timeoutMs' | 'noticeUrl' | 'fallbackReturnUrl'>)

export const ONRAMP_PROVIDERS = ['sandbox', 'banxa'] as const satisfies readonly OnrampAccount['provider'][]

/** `{publicBaseUrl}/api/callbacks/onramp/{key}`: where the provider with this key posts its notices. */
export const onrampNoticeUrl = (publicBaseUrl: string, key: string): string =>
  `${publicBaseUrl}/api/callbacks/onramp/${key}`

/** @param options.publicBaseUrl without a slash at its end */
export const createOnrampProvider = (
  account: OnrampAccount,
  { publicBaseUrl, timeoutMs }: { publicBaseUrl: string; timeoutMs: number },
): OnrampProvider =>
  account.provider === 'sandbox'
    ? createSandboxOnrampProvider({ ...account, timeoutMs })
    : createBanxaProvider({
        ...account,
        timeoutMs,
        noticeUrl: onrampNoticeUrl(publicBaseUrl, BANXA_KEY),
        fallbackReturnUrl: `${publicBaseUrl}/`,
      })
