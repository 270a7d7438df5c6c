import type { Target } from '../connect-guard/target.ts'
import type { Channel } from '../destinations/domain.ts'
import type { RequestTemplate } from './request.ts'
import type { ChannelPolicy } from './retry-schedule.ts'

/** Signing templates for the requests to a destination. */
export type Signing = Readonly<{
  /** Signs with the destination's secret. */
  template: RequestTemplate
  /** Signs with the former secret and also with the current one, until the overlap of a rotation ends. */
  overlap: Readonly<{ template: RequestTemplate; untilMs: number }> | null
}>

export const templateAt = ({ template, overlap }: Signing, nowMs: number): RequestTemplate =>
  overlap !== null && nowMs < overlap.untilMs ? overlap.template : template

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
  /** Null takes every type that need not be named. */
  eventTypes: ReadonlySet<string> | null
  signing: Signing
  policy: ChannelPolicy
  /** Grows with every change. */
  revision: number
}>
