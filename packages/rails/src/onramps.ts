/** Adapters of the providers that sell crypto to payers. */
export type {
  OnrampNotice,
  OnrampProvider,
  OnrampRequest,
  OpenedOrder,
  ProviderOrder,
} from './onramp/adapter.ts'
export { onrampNoticeUrl } from './onramp/account.ts'
export {
  createOnrampProvider,
  ONRAMP_SETTINGS,
  type OnrampAccount,
  toOnrampAccount,
} from './onramp/providers.ts'
