import { PARTNER_EVENT_TYPES, type PartnerEventType } from '@causeway/contracts'
import type { KeyObject } from 'node:crypto'
import type { ChannelPolicy } from '../sending/retry-schedule.ts'
import type { Target } from './url.ts'

export type Channel = 'partner' | 'merchant'

/** A destination as the engine keeps it in memory, everything that an attempt needs prepared. */
export type Destination = Readonly<{
  /** Sent as `x-webhook-id`. */
  id: string
  channel: Channel
  /** The partner or merchant that it belongs to. */
  ownerId: string
  /** Merchant channel: the integration whose events it takes; null takes those of all. */
  integrationId: string | null
  url: string
  target: Target
  /** Null takes every type. */
  eventTypes: ReadonlySet<string> | null
  key: KeyObject
  policy: ChannelPolicy
  /** Grows with every change. */
  revision: number
}>

/** An empty list means every type; replies have the explicit list (spec: Partner webhook subscription). */
export const explicitEventTypes = (stored: readonly string[]): PartnerEventType[] =>
  PARTNER_EVENT_TYPES.filter((type) => stored.length === 0 || stored.includes(type))
