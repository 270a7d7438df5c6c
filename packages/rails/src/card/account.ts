import type { Setting } from '@causeway/chassis/settings'
import type { SettlementReport } from '../settlement/line.ts'
import type { CardProcessor } from './adapter.ts'

type TextSetting = Setting<string> & Readonly<{ optional: true }>
export type TextSettings = Readonly<Record<string, TextSetting>>
type Texts<S> = { readonly [K in keyof S]: string }

export type ConnectionOptions = Readonly<{
  /** Absolute bound of a call to a processor. */
  timeoutMs: number
  /** Most connections to each processor; further calls wait, within their bound. */
  connections: number
}>

/** How an account with a card processor is configured and opened; one in each processor's folder. */
export type CardAccountKind<S extends TextSettings, C extends TextSettings, A> = Readonly<{
  /** Development only. */
  isSandbox: boolean
  /** Settings of every service that calls the processor. */
  settings: S
  /** Further settings of the one service that opens checkouts and takes notices: no other knows their secrets. */
  checkoutSettings: C
  /** @param values all of `settings`; of `checkoutSettings` all, or not any */
  toAccount: (values: Texts<S> & Partial<Texts<C>>) => A
  /** Loads the processor's code, which nobody holds who has no account with it. */
  open: (account: A, options: ConnectionOptions) => Promise<readonly CardProcessor[]>
  /** The settlement reports of the account's processors. */
  openReports: (account: A, options: ConnectionOptions) => Promise<readonly SettlementReport[]>
}>

/** Declares the account of a processor, with the types of its settings. */
export const defineCardAccount = <const S extends TextSettings, const C extends TextSettings, A>(
  kind: CardAccountKind<S, C, A>,
): CardAccountKind<S, C, A> => kind
