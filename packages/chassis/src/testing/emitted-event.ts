import {
  CustomerPayout,
  DomainEvent,
  EVENTS,
  MERCHANT_CHANNEL,
  MerchantPayout,
  PartnerEvent,
  readLedgerFact,
  type EventDeclaration,
} from '@causeway/contracts'
import { firstIdAt } from '../ids.ts'
import { testEventSeals } from './keys.ts'

const seals = testEventSeals('webhooks')

/** The seals of webhooks, which alone can open a sealed body. */
const opened = (event: DomainEvent): DomainEvent => {
  const sealed = event.merchant?.sealed_body
  if (!event.merchant || sealed === undefined) return event
  const body = JSON.parse(seals.open('payments', event.id, sealed)) as { event: never }
  return { ...event, merchant: { ...event.merchant, body } }
}

/** Returns the prefix of a TypeID and the ten characters of its time. */
const timeOf = (id: string): string => id.slice(0, 'evt_'.length + 10)

/** @throws unless the summary of a payout adds up to its amount (decisions §49) */
const addUp = (payout: unknown): void => {
  const { payoutId, amountCents, amount, summary } = MerchantPayout.parse(payout)
  const { entryCount: _count, ...amounts } = summary
  requireSum(payoutId, amountCents ?? amount, amounts)
}

const addUpForPartner = (data: unknown): void => {
  const { payout_id: payoutId, amount_cents: amountCents, amount, summary } = CustomerPayout.parse(data)
  const { entry_count: _count, ...amounts } = summary
  requireSum(payoutId, amountCents ?? amount, amounts)
}

/** More decimals than any asset has. */
const DECIMALS = 24

/** Reads cents or a decimal number exactly. */
function partsOf(amount: unknown): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? []
  return BigInt(`${sign}${whole}${fraction.padEnd(DECIMALS, '0')}`)
}

function requireSum(payoutId: string, amount: unknown, amounts: Record<string, unknown>): void {
  const sum = Object.values(amounts).reduce<bigint>((total, each) => total + partsOf(each), 0n)
  if (sum !== partsOf(amount))
    throw new Error(`${payoutId} pays ${String(amount)}, but its summary is ${JSON.stringify(amounts)}`)
}

/**
 * An event from a service's outbox, with its sealed body opened.
 * @throws unless its id was made of the time that it tells, by which the log of events is read, and every body that
 *   receivers will get, and every fact for the ledger, has exactly the shape that the contracts declare, and every payout adds up
 */
export const emittedEvent = (payload: string): DomainEvent => {
  const event = opened(DomainEvent.parse(JSON.parse(payload)))
  if (timeOf(event.id) !== timeOf(firstIdAt('event', Date.parse(event.created_at))))
    throw new Error(`${event.name}: ${event.id} was not created at ${event.created_at}`)
  for (const { partner_id, type, data } of event.partners) {
    PartnerEvent.parse({
      event_id: event.id,
      event_type: type,
      created_at: event.created_at,
      partner_id,
      data,
    })
    if (type.startsWith('payout.')) addUpForPartner(data)
  }
  const { merchant }: EventDeclaration = EVENTS[event.name]
  if (event.merchant && !merchant) throw new Error(`${event.name} is not sent to merchants`)
  if (event.merchant && merchant) MERCHANT_CHANNEL[merchant].body.parse(event.merchant.body)
  if (event.merchant && 'payout' in event.merchant.body) addUp(event.merchant.body['payout'])
  event.ledger_facts?.forEach(readLedgerFact)
  return event
}
