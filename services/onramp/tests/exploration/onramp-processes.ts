import { contextOf, createProcesses, type Body, type Outside } from '@causeway/chassis/exploration'
import { onrampNotices, onrampOrders, type CryptoOrderTerms } from '@causeway/contracts'
import type { OnrampProvider, ProviderOrder } from '@causeway/rails/onramps'
import type { OnrampHolds } from '../../src/clients/payments.ts'
import { noticeOperations } from '../../src/notices/operations.ts'
import { createStatusUpdates, type StatusUpdates } from '../../src/orders/apply-provider-status.ts'
import { createFinalCheck, type FinalCheck } from '../../src/orders/final-check.ts'
import { createDueSteps } from '../../src/orders/jobs/perform-due-steps.ts'
import { createPolling } from '../../src/orders/jobs/poll-provider.ts'
import { orderOperations } from '../../src/orders/operations.ts'

export const HOUR_MS = 3_600_000
const PUBLIC_BASE_URL = 'http://127.0.0.1'
const PARTNER_ID = 'ptn_00000000000000000900000001'
export const START_MS = Date.parse('2026-01-01T00:00:00Z')

const TERMS: CryptoOrderTerms = {
  order_id: 'ord_00000000000000000900000002',
  partner_id: PARTNER_ID,
  partner_customer_id: 'pcu_00000000000000000900000003',
  customer_id: 'cus_00000000000000000900000004',
  status: 'pending',
  network: 'BTC',
  asset: 'BTC',
  amount: '0.0005',
  currency: 'EUR',
  fiat_amount: '30.00',
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  expires_at: new Date(START_MS + 12 * HOUR_MS).toISOString(),
}

/** Production code that a mutant replaces. */
export type OnrampMutant = Readonly<{
  finalCheck?: (shipped: FinalCheck) => FinalCheck
  statusUpdates?: (shipped: StatusUpdates) => StatusUpdates
  holds?: (shipped: OnrampHolds) => OnrampHolds
  /** Payments transfers a hold to the latest caller. */
  takesHoldsOver?: boolean
}>

const holdsOver = ({ ask }: Outside, { takesHoldsOver = false }: OnrampMutant): OnrampHolds => {
  const change = (does: string) => (purchase: Readonly<{ id: string }>) =>
    ask<Awaited<ReturnType<OnrampHolds['create']>>>('payments', does, purchase.id)
  return {
    getOrder: () => Promise.resolve({ ok: true, value: { order: TERMS } }),
    getOrderByBuyer: () => Promise.resolve({ ok: true, value: { order: TERMS } }),
    create: change(takesHoldsOver ? 'take over the hold' : 'hold'),
    extend: change('extend'),
    release: change('release'),
    cancelOrder: change('cancel'),
  }
}

const providerOver = ({ ask }: Outside, notice: ProviderOrder | null): OnrampProvider => ({
  key: 'provider',
  createOrder: () => ask('provider', 'createOrder', null),
  readOrder: () => ask('provider', 'readOrder', null),
  verifyNotice: () => ({
    ok: true,
    notice: notice && { providerOrderId: notice.providerOrderId, order: notice, postId: null },
  }),
  close: () => Promise.resolve(),
})

/** The service as `service.ts` puts it together, over what is outside. */
const wire = (outside: Outside, mutant: OnrampMutant, notice: ProviderOrder | null = null) => {
  const { db, clock, log } = contextOf(outside)
  const holds = (mutant.holds ?? ((each) => each))(holdsOver(outside, mutant))
  const provider = providerOver(outside, notice)
  const shipped = createStatusUpdates({ db, clock, onDue: () => undefined })
  const statusUpdates = mutant.statusUpdates?.(shipped) ?? shipped
  const check = createFinalCheck({ provider, statusUpdates, clock, log })
  const finalCheck = mutant.finalCheck?.(check) ?? check
  return { db, clock, log, holds, provider, statusUpdates, finalCheck }
}
type Wired = ReturnType<typeof wire>
type Operations = ReturnType<typeof orderOperations>

const handle = (
  operations: Operations,
  subject: string,
  { log, clock }: Wired,
  params: unknown,
  body: unknown,
) => {
  const found = operations.find((each) => each.operation.subject === subject)
  if (!found) throw new Error(`No operation ${subject}`)
  const caller = { kind: 'partner', partnerId: PARTNER_ID, clientId: 'client' }
  const request = { caller, params, body, now: clock.now(), log }
  return found.handle(request as unknown as Parameters<typeof found.handle>[0])
}

const createBody =
  (mutant: OnrampMutant): Body =>
  (outside) => {
    const parts = wire(outside, mutant)
    const limits = { publicBaseUrl: PUBLIC_BASE_URL, extendAfterMs: 10 * HOUR_MS, hardCapMs: 72 * HOUR_MS }
    const operations = orderOperations({ ...parts, ...limits })
    return handle(
      operations,
      onrampOrders.create.subject,
      parts,
      { orderId: TERMS.order_id },
      { fiat: 'EUR' },
    )
  }

/** Handles notices in any order: a late or repeated one reports a past status. */
const noticeBody =
  (mutant: OnrampMutant): Body =>
  async (outside) => {
    const reported = await outside.ask<ProviderOrder>('provider', 'notify', null)
    const parts = wire(outside, mutant, reported)
    const body = { headers: {}, raw_body_base64: '' }
    const subject = onrampNotices.receive.subject
    return handle(noticeOperations(parts), subject, parts, { provider: 'provider' }, body)
  }

/** Calls that create the order, notices, the poller, and the job that performs what falls due. */
export const createOnrampProcesses = (mutant: OnrampMutant) =>
  createProcesses({
    create: createBody(mutant),
    again: createBody(mutant),
    third: createBody(mutant),
    notice: noticeBody(mutant),
    poller: (outside) => {
      const parts = wire(outside, mutant)
      return createPolling(parts, { ...parts, publicBaseUrl: PUBLIC_BASE_URL, pollAfterMs: 60_000 })()
    },
    steps: (outside) => {
      const parts = wire(outside, mutant)
      return createDueSteps(parts, parts)()
    },
  })
