import type { z } from 'zod'
import type { LedgerFact } from '../ledger/facts.ts'
import type { EVENTS } from './declarations.ts'
import type { MERCHANT_CHANNEL } from './merchant-channel.ts'
import type { EventName, MerchantEventName, PartnerEventType } from './event-names.ts'
import type { Fact } from './facts.ts'
import type { PARTNER_EVENT_DATA } from './partner-data.ts'

type All = typeof EVENTS
type DataByName = {
  [N in PartnerEventType]: z.infer<(typeof PARTNER_EVENT_DATA)[All[N]['partner']['body']]>
}
type FactByName = {
  [N in EventName]: All[N] extends { fact: infer K } ? Extract<Fact, { kind: K }> : never
}

/** `data` of an event for a partner, by the event's name. */
export type PartnerData<N extends PartnerEventType> = DataByName[N]

/** The merchant's event and its body, by the name of the event. */
export type MerchantEventOf<N extends MerchantEventName> = All[N]['merchant']
export type MerchantBody<N extends MerchantEventName> = z.infer<
  (typeof MERCHANT_CHANNEL)[MerchantEventOf<N>]['body']
> &
  Readonly<{ event: MerchantEventOf<N> }>

type PartnerCopy<N extends PartnerEventType> = {
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
  partners: PartnerCopy<N & PartnerEventType>[]
  merchant: [N & MerchantEventName] extends [never] ? null : MerchantCopy<N & MerchantEventName> | null
  fact: FactByName[N] | null
  /** Movements of money that the event reports. Only the ledger reads them. */
  ledger_facts?: LedgerFact[]
}
