import type { Target } from '../connect-guard/target.ts'
import type { Channel } from '../destinations/domain.ts'
import type { RequestTemplate } from './request.ts'
import type { ChannelPolicy } from './retry-schedule.ts'

/** A destination in memory, with everything that an attempt needs prepared. */
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
  /** Signs with the destination's secret. */
  template: RequestTemplate
  policy: ChannelPolicy
  /** Grows with every change. */
  revision: number
}>
