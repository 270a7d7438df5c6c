import { setting, type Settings } from '@causeway/chassis/settings'
import type { OnrampOptions } from './account.ts'
import type { OnrampProvider } from './adapter.ts'
import { BANXA_ACCOUNT } from './banxa/account.ts'
import { SANDBOX_ONRAMP_ACCOUNT } from './sandbox/account.ts'

/** Every onramp provider that a deployment may have an account with. */
const KINDS = {
  sandbox: SANDBOX_ONRAMP_ACCOUNT,
  banxa: BANXA_ACCOUNT,
} as const

type Kinds = typeof KINDS
type Name = keyof Kinds
type AccountOf<K extends Name> = Readonly<{ provider: K }> & NonNullable<ReturnType<Kinds[K]['toAccount']>>

/** Settings of the service that calls the onramp provider. */
export const ONRAMP_SETTINGS = {
  ONRAMP_PROVIDER: setting.oneOf(Object.keys(KINDS) as readonly Name[], {
    default: 'sandbox',
    doc: 'Onramp provider: banxa, or sandbox (development). With sandbox but no ONRAMP_URL, purchases are not available',
  }),
  ...KINDS.sandbox.settings,
  ...KINDS.banxa.settings,
} as const

/** The account that a deployment has with an onramp provider, with the provider's name in the table. */
export type OnrampAccount = { [K in Name]: AccountOf<K> }[Name]

/**
 * The account with the provider that `ONRAMP_PROVIDER` names; null: none, so nothing can be bought.
 * @throws ConfigError for an account that is half configured
 */
export const toOnrampAccount = (values: Settings<typeof ONRAMP_SETTINGS>): OnrampAccount | null => {
  const provider = values.ONRAMP_PROVIDER
  const account = KINDS[provider].toAccount(values)
  return account && ({ provider, ...account } as OnrampAccount)
}

export const createOnrampProvider = (account: OnrampAccount, options: OnrampOptions): OnrampProvider => {
  const { provider, ...own } = account
  const open = KINDS[provider].open as (own: unknown, options: OnrampOptions) => OnrampProvider
  return open(own, options)
}
