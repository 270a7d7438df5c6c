import type { z } from 'zod'
import type { Fact } from './event.ts'
import type { EVENT_DATA } from './event-data.ts'
import type { EventName } from './event-names.ts'
import type { LedgerFact } from '../ledger/facts.ts'

type All = typeof EVENT_DATA
/** The names of events that go to partners, and of those that go to the merchant. */
export type PartnerEventName = { [N in EventName]: All[N] extends { data: z.ZodType } ? N : never }[EventName]
export type MerchantEventName = {
  [N in EventName]: All[N] extends { merchant: object } ? N : never
}[EventName]

type DataByName = { [N in PartnerEventName]: z.infer<All[N]['data']> }
type MerchantByName = { [N in MerchantEventName]: All[N]['merchant'] }
type FactByName = {
  [N in EventName]: All[N] extends { fact: infer K } ? Extract<Fact, { kind: K }> : never
}

/** `data` of an event for a partner, by the event's name. */
export type PartnerData<N extends PartnerEventName> = DataByName[N]

/** The merchant's event and its body, by the name of the event. */
export type MerchantEventOf<N extends MerchantEventName> = MerchantByName[N]['event']
export type MerchantBody<N extends MerchantEventName> = z.infer<MerchantByName[N]['body']> &
  Readonly<{ event: MerchantEventOf<N> }>

type PartnerCopy<N extends PartnerEventName> = {
  partner_id: string
  partner_customer_id: string
  type: N
  data: PartnerData<N>
}

type MerchantCopy<N extends MerchantEventName> = {
  merchant_id: string
  /** The originating integration; null for crypto, invoice and ramping events. */
  integration_id: string | null
  event: MerchantEventOf<N>
} & (
  | { body: MerchantBody<N>; sealed_body?: never }
  /** Sealed for webhooks alone (ADR 0044). */
  | { body: { event: MerchantEventOf<N> }; sealed_body: string }
)

/**
 * An event as its service emits it: the name decides what its partners' data, its merchant's body and its fact are.
 * Where one of several names is meant, each part may be of any of them.
 */
export type EventOf<N extends EventName> = {
  id: string
  name: N
  created_at: string
  partners: PartnerCopy<N & PartnerEventName>[]
  merchant: [N & MerchantEventName] extends [never] ? null : MerchantCopy<N & MerchantEventName> | null
  fact: FactByName[N] | null
  /** Movements of money that the event reports. Only the ledger reads them. */
  ledger_facts?: LedgerFact[]
}
