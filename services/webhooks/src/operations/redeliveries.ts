import { implement, reply, type Implementation } from '@causeway/chassis'
import { redeliveries, type RedeliveryOrder } from '@causeway/contracts'
import type { Channel } from '../domain/destination.ts'
import type { Parts } from './parts.ts'
import { createRedeliveryLog } from './redelivery-log.ts'
import { presentRedelivery } from './staff-log.ts'

type Body = RedeliveryOrder & Readonly<{ per_second?: number | undefined }>

/** Sending events again in bulk, in the operator API's words, whoever the path says owns the destination. */
export const redeliveryHandlers = <P extends Readonly<{ webhookId: string }>>(
  parts: Parts,
  channel: Channel,
  ownerOf: (params: P) => string,
) => {
  const log = createRedeliveryLog(parts, channel)
  type One = P & Readonly<{ redeliveryId: string }>
  return {
    async start({ params, body, now }: { params: P; body: Body; now: Date }) {
      const { per_second: perSecond, ...wanted } = body
      const started = await log.start(ownerOf(params), params.webhookId, { ...wanted, perSecond }, now)
      return started.ok ? reply({ redelivery: presentRedelivery(started.value) }) : started
    },

    async list({ params }: { params: P }) {
      const listed = await log.list(ownerOf(params), params.webhookId)
      return listed.ok ? reply({ redeliveries: listed.value.map(presentRedelivery) }) : listed
    },

    async read({ params }: { params: One }) {
      const found = await log.read(ownerOf(params), params.webhookId, params.redeliveryId)
      return found.ok ? reply({ redelivery: presentRedelivery(found.value) }) : found
    },

    async cancel({ params, now }: { params: One; now: Date }) {
      const ended = await log.cancel(ownerOf(params), params.webhookId, params.redeliveryId, now)
      return ended.ok ? reply({ redelivery: presentRedelivery(ended.value) }) : ended
    },
  }
}

type OfPartner = Readonly<{ partnerId: string; webhookId: string }>

/** Sending a partner's events again in bulk. */
export const redeliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    redeliveries,
    redeliveryHandlers(parts, 'partner', ({ partnerId }: OfPartner) => partnerId),
  )
