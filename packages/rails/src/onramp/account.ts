import type { Setting, Settings } from '@causeway/chassis/settings'
import type { OnrampProvider } from './adapter.ts'

export type OnrampOptions = Readonly<{
  /** Public address of the gateway, without a slash at its end. */
  publicBaseUrl: string
  /** Absolute bound of a call. */
  timeoutMs: number
}>

type Table = Readonly<Record<string, Setting<string>>>

/** How an account with an onramp provider is configured and opened; one in each provider's folder. */
export type OnrampAccountKind<S extends Table, A> = Readonly<{
  settings: S
  /**
   * @returns the account that the settings describe, or null
   * @throws ConfigError for one that is half configured
   */
  toAccount: (values: Settings<S>) => A | null
  open: (account: A, options: OnrampOptions) => OnrampProvider
}>

/** Declares the account of a provider, with the types of its settings. */
export const defineOnrampAccount = <const S extends Table, A>(
  kind: OnrampAccountKind<S, A>,
): OnrampAccountKind<S, A> => kind

/** `{publicBaseUrl}/api/callbacks/onramp/{key}`: where the provider with this key posts its notices. */
export const onrampNoticeUrl = (publicBaseUrl: string, key: string): string =>
  `${publicBaseUrl}/api/callbacks/onramp/${key}`
