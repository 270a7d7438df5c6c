import { parameterNames, type OperationRoute } from '@causeway/contracts/http'
import type { Tenant } from './tenant.ts'

/** The resource that a path parameter names, and the credentials that may see it. */
type Parameter = Readonly<{
  of: (tenant: Tenant) => string
  /**
   * `tenant`: only its tenant sees it; `partner`: its partner sees it, also without any relationship; `owner`: it exists
   * only below the owner named before it in the path; `anyone`: public.
   */
  visibleTo: 'tenant' | 'partner' | 'owner' | 'anyone'
}>

const id = (name: keyof Tenant['ids'], visibleTo: Parameter['visibleTo'] = 'tenant'): Parameter => ({
  of: (tenant) => tenant.ids[name],
  visibleTo,
})
const shared = (value: string): Parameter => ({ of: () => value, visibleTo: 'anyone' })

/** Ids of objects that belong to no tenant; set by preparePlatform. */
export const platformIds = { agreement: '', upcomingAgreement: '', difference: '', staffKey: '', session: '' }

const logOf = (channel: 'partner' | 'merchant', visibleTo: Parameter['visibleTo']) => ({
  webhookId: id(`${channel}Webhook`, visibleTo),
  eventId: id(`${channel}Event`, visibleTo),
  deliveryId: id(`${channel}Delivery`, visibleTo),
  redeliveryId: id(`${channel}Redelivery`, visibleTo),
})

/** No action waits under this id: the platform of these tests holds none. */
export const PENDING_ACTION_ID = 'pac_01h455vb4pex5vsknk084sn02q'
/** Nobody has this id. */
export const PERSON_ID = 'psn_01h455vb4pex5vsknk084sn02q'
/** No money is listed under this id. */
export const UNATTRIBUTED_MONEY_ID = 'umy_01h455vb4pex5vsknk084sn02q'
/** The plan of every order. */
export const DEFAULT_PRICE_PLAN_ID = 'ppl_00000000000000000000000000'
/** No posting has this id. */
export const JOURNAL_ID = 'jnl_01h455vb4pex5vsknk084sn02q'
/** No payment file has this id. */
export const PAYMENT_FILE_ID = 'pfl_01h455vb4pex5vsknk084sn02q'
/** The books and the outside differ in nothing. */
export const DIFFERENCE_ID = 'dif_01h455vb4pex5vsknk084sn02q'
/** The event that onboarding has parked. */
export const PARKED_EVENT_ID = 'evt_01jd3q7v8we3za4n5x6y7z8abc'

/** Every path parameter, by prefix of the path; the longest prefix applies. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, Parameter>>>> = {
  '/api/v1/partner': {
    customerId: id('relationship'),
    verificationId: id('verification'),
    agreementId: { of: () => platformIds.agreement, visibleTo: 'anyone' },
    documentId: id('document'),
    requirementId: id('requirement'),
    onboardingLinkId: id('onboardingLink'),
    orderId: id('order'),
    integrationId: id('integration'),
    orderKey: id('fiatOrder'),
    caseId: id('case'),
    reportId: id('report'),
    payoutId: id('payout'),
    payoutWalletId: id('payoutWallet'),
    month: shared('2026-01'),
    ...logOf('partner', 'partner'),
  },
  '/api/user': {
    ...logOf('merchant', 'tenant'),
    keyId: id('apiKey'),
    month: shared('2026-01'),
    orderId: id('order'),
    orderKey: id('fiatOrder'),
    payoutId: id('payout'),
  },
  '/api/operator': {
    agreementId: { of: () => platformIds.upcomingAgreement, visibleTo: 'anyone' },
    clientId: id('spareClient', 'anyone'),
    integrationId: id('integration', 'anyone'),
    differenceId: { of: () => platformIds.difference, visibleTo: 'anyone' },
    pendingActionId: shared(PENDING_ACTION_ID),
    personId: shared(PERSON_ID),
    unattributedMoneyId: shared(UNATTRIBUTED_MONEY_ID),
    accountId: shared('1'),
    journalId: shared(JOURNAL_ID),
    paymentFileId: shared(PAYMENT_FILE_ID),
    sessionId: { of: () => platformIds.session, visibleTo: 'anyone' },
    staffKeyId: { of: () => platformIds.staffKey, visibleTo: 'anyone' },
    orderId: id('order', 'anyone'),
    payoutId: id('payout', 'anyone'),
    payoutWalletId: id('payoutWallet', 'anyone'),
    partnerCustomerId: id('relationship', 'anyone'),
    capability: shared('payments.crypto'),
    verificationId: id('verification', 'anyone'),
    requirementId: id('requirement', 'anyone'),
    documentId: id('document', 'anyone'),
    orderKey: id('fiatOrder', 'anyone'),
    refundId: id('refund', 'anyone'),
    eventId: id('partnerEvent', 'anyone'),
  },
  '/api/operator/ledger/differences': { differenceId: shared(DIFFERENCE_ID) },
  '/api/operator/parked-events': {
    consumer: shared('onboarding-disputes'),
    eventId: { of: () => PARKED_EVENT_ID, visibleTo: 'anyone' },
  },
  '/api/operator/partners': {
    partnerId: { of: ({ partnerId }) => partnerId, visibleTo: 'anyone' },
    orderKey: id('fiatOrder', 'owner'),
    ...logOf('partner', 'owner'),
  },
  '/api/operator/merchants': {
    customerId: id('merchant', 'anyone'),
    keyId: id('apiKey', 'owner'),
    ...logOf('merchant', 'owner'),
  },
}

/**
 * A route's path parameters with their meaning.
 * @throws Error naming a parameter that is not described
 */
export const parametersOf = (route: OperationRoute): (Parameter & { name: string })[] => {
  const [, named = {}] =
    Object.entries(PARAMETERS)
      .filter(([prefix]) => route.path.startsWith(`${prefix}/`))
      .sort(([a], [b]) => b.length - a.length)[0] ?? []
  return parameterNames(route.path).map((name) => {
    const parameter = named[name]
    if (parameter === undefined)
      throw new Error(
        `${route.method} ${route.path}: nothing is known of its parameter ${name}. ` +
          'Say in tests/contract/parameters.ts what it names and who sees it, and in tests/contract/tenant.ts how one is made',
      )
    return { ...parameter, name }
  })
}

/** A route's path with these values. */
export const pathWith = (route: OperationRoute, values: Readonly<Record<string, string>>): string =>
  route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

const LAST_LETTERS = /.{6}$/

/** A well-formed id of the same kind that does not exist. */
export const unknownLike = (value: string): string => {
  if (/^\d+$/.test(value)) return '999999999999999999'
  if (value.includes('_')) return value.replace(LAST_LETTERS, 'zzzzzz')
  return 'unknown.name'
}
