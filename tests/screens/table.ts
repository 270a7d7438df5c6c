import { parameterNames } from '@causeway/contracts/http'
import { screenRoutes, type ScreenRoutesOptions } from '../../services/gateway/src/screens/routes.ts'
import {
  DIFFERENCE_ID,
  JOURNAL_ID,
  PAYMENT_FILE_ID,
  PARKED_EVENT_ID,
  PENDING_ACTION_ID,
  PERSON_ID,
  platformIds,
  UNATTRIBUTED_MONEY_ID,
} from '../contract/parameters.ts'
import type { Tenant } from '../contract/tenant.ts'

/** Credential of a person: a session of an area, the token in an onboarding link, or an order's id. */
export type Entrance = 'console' | 'portal' | 'onboarding' | 'pay'

/** A path of the screens, as the gateway mounts it. */
export type ListedScreen = Readonly<{
  method: 'GET' | 'POST'
  path: string
  /** Null where anybody may open it. */
  entrance: Entrance | null
}>

const ENTRANCES: readonly Entrance[] = ['console', 'portal', 'onboarding', 'pay']

/** Paths that anybody may open: entrances. */
const FOR_ANYBODY: ReadonlySet<string> = new Set([
  'GET /console/sign-in',
  'POST /console/sign-in',
  'GET /portal/sign-in',
  'POST /portal/sign-in',
  'GET /portal/sign-in/sent',
  'GET /portal/sign-in/:token',
  'POST /portal/sign-in/:token',
  'GET /portal/invitations/:token',
  'POST /portal/invitations/:token',
  'GET /portal/:token',
  'POST /portal/:token',
])

const entranceOf = (method: string, path: string): Entrance | null => {
  if (FOR_ANYBODY.has(`${method} ${path}`)) return null
  const entrance = ENTRANCES.find((each) => path === `/${each}` || path.startsWith(`/${each}/`))
  if (entrance === undefined)
    throw new Error(`${method} ${path}: say in tests/screens/table.ts what lets a person in there`)
  return entrance
}

/** Every screen, from the table that the gateway serves. Nothing of the options is used until a request comes. */
export const SCREENS: readonly ListedScreen[] = screenRoutes({
  operations: [],
  hasProvider: false,
} as unknown as ScreenRoutesOptions).map(({ method, path }) => ({
  method,
  path,
  entrance: entranceOf(method, path),
}))

/**
 * True for the portal's pages of other people: those about money are a merchant's, the brand is a partner's, and the
 * people page is an owner's, whom no link signs in.
 */
export const isForOthers = ({ path }: ListedScreen, channel: Channel): boolean =>
  (channel === 'partner'
    ? /^\/portal\/(people|balances|payouts|statements)/
    : /^\/portal\/(people|brand)/
  ).test(path)

export const screensOf = (entrance: Entrance, method?: ListedScreen['method']): readonly ListedScreen[] =>
  SCREENS.filter((screen) => screen.entrance === entrance && (method ?? screen.method) === screen.method)

/** Whose destinations and events a page of the log shows. */
export type Channel = 'partner' | 'merchant'

type Named = Readonly<{
  of: (tenant: Tenant, channel: Channel) => string
  /** True if it belongs to a tenant: it does not exist for others, nor below a different owner. */
  isOwned: boolean
}>

const owned = (of: Named['of']): Named => ({ of, isOwned: true })
const id = (name: keyof Tenant['ids']): Named => owned(({ ids }) => ids[name])
const shared = (value: () => string): Named => ({ of: value, isOwned: false })
const ofLog = (kind: 'Webhook' | 'Event' | 'Delivery' | 'Redelivery'): Named =>
  owned(({ ids }, channel) => ids[`${channel}${kind}`])

const LOG = {
  webhookId: ofLog('Webhook'),
  eventId: ofLog('Event'),
  deliveryId: ofLog('Delivery'),
  redeliveryId: ofLog('Redelivery'),
}

/** Every parameter of the screens' paths, by what lets a person in. */
const PARAMETERS: Readonly<Record<Entrance, Readonly<Record<string, Named>>>> = {
  console: {
    ...LOG,
    partnerId: owned(({ partnerId }) => partnerId),
    clientId: id('spareClient'),
    customerId: id('merchant'),
    keyId: id('apiKey'),
    verificationId: id('verification'),
    requirementId: id('requirement'),
    documentId: id('document'),
    partnerCustomerId: id('relationship'),
    orderId: id('order'),
    orderKey: id('fiatOrder'),
    refundId: id('refund'),
    payoutId: id('payout'),
    payoutWalletId: id('payoutWallet'),
    capability: shared(() => 'payments.crypto'),
    differenceId: shared(() => platformIds.difference),
    agreementId: shared(() => platformIds.upcomingAgreement),
    staffKeyId: shared(() => platformIds.staffKey),
    sessionId: shared(() => platformIds.session),
    personId: shared(() => PERSON_ID),
    pendingActionId: shared(() => PENDING_ACTION_ID),
    unattributedMoneyId: shared(() => UNATTRIBUTED_MONEY_ID),
    accountId: shared(() => '1'),
    journalId: shared(() => JOURNAL_ID),
    paymentFileId: shared(() => PAYMENT_FILE_ID),
    ledgerDifferenceId: shared(() => DIFFERENCE_ID),
  },
  portal: {
    ...LOG,
    sessionId: shared(() => platformIds.session),
    personId: shared(() => PERSON_ID),
    payoutId: id('payout'),
    orderId: id('order'),
    month: shared(() => '2026-01'),
  },
  onboarding: {
    requirementId: id('requirement'),
    documentId: id('document'),
    agreementId: shared(() => platformIds.agreement),
    group: shared(() => 'business'),
    list: shared(() => 'directors'),
    place: shared(() => '0'),
    documentType: shared(() => 'other'),
  },
  pay: { orderId: id('order') },
}

/** A parked event is an event of a service that could not read it: no tenant's. */
const PARKED_EVENTS = '/console/parked-events/'
const OF_PARKED_EVENTS: Readonly<Record<string, Named>> = {
  consumer: shared(() => 'onboarding-disputes'),
  eventId: shared(() => PARKED_EVENT_ID),
}

/** Name of the parameter that is not an id but what lets a person in. */
export const TOKEN = 'token'

/**
 * The parameters of a screen that name something.
 * @throws Error naming one that is not described
 */
export const parametersOf = ({
  method,
  path,
  entrance,
}: ListedScreen): readonly (Named & { name: string })[] =>
  parameterNames(path)
    .filter((name) => name !== TOKEN)
    .map((name) => {
      const ofEntrance: Readonly<Record<string, Named>> = entrance === null ? {} : PARAMETERS[entrance]
      const named = (path.startsWith(PARKED_EVENTS) ? OF_PARKED_EVENTS : ofEntrance)[name]
      if (named === undefined)
        throw new Error(`${method} ${path}: say in tests/screens/table.ts what its parameter ${name} names`)
      return { ...named, name }
    })

/** Whose log the paths of a screen name; in the portal it is the session's. */
export const channelOf = ({ path }: ListedScreen, session: Channel): Channel =>
  path.startsWith('/console') ? (path.startsWith('/console/merchants') ? 'merchant' : 'partner') : session

type Naming = Readonly<{
  tenant: Tenant
  /** Whose session it is, where the path does not tell. */
  channel?: Channel
  token?: string
  /** Values that replace the tenant's. */
  instead?: Readonly<Record<string, string>>
}>

/** The path of a screen, about what is a tenant's. */
export const pathOf = (
  screen: ListedScreen,
  { tenant, channel = 'partner', token = '', instead = {} }: Naming,
): string => {
  const values: Record<string, string> = { [TOKEN]: token }
  for (const { name, of } of parametersOf(screen))
    values[name] = instead[name] ?? of(tenant, channelOf(screen, channel))
  return screen.path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')
}
