import { implement, reply, type Implementation } from '@causeway/chassis'
import { redeliveries, type RedeliveryOrder } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import type { Parts } from '../dependencies.ts'
import { createRedeliveryLog } from './log.ts'
import { presentRedelivery } from '../events/presentation.ts'

type Body = RedeliveryOrder & Readonly<{ per_second?: number | undefined }>

/** Sending events again in bulk, whoever the request says owns the destination. */
export const redeliveryHandlers = <R extends Readonly<{ params: Readonly<{ webhookId: string }> }>>(
  parts: Parts,
  channel: Channel,
  ownerOf: (request: R) => string,
) => {
  const log = createRedeliveryLog(parts, channel)
  type One = R & Readonly<{ params: Readonly<{ redeliveryId: string }> }>
  return {
    async start(request: R & Readonly<{ body: Body; now: Date }>) {
      const { params, body, now } = request
      const { per_second: perSecond, ...wanted } = body
      const started = await log.start(ownerOf(request), params.webhookId, { ...wanted, perSecond }, now)
      return started.ok ? reply({ redelivery: presentRedelivery(started.value) }) : started
    },

    async list(request: R) {
      const listed = await log.list(ownerOf(request), request.params.webhookId)
      return listed.ok ? reply({ redeliveries: listed.value.map(presentRedelivery) }) : listed
    },

    async read(request: One) {
      const { webhookId, redeliveryId } = request.params
      const found = await log.read(ownerOf(request), webhookId, redeliveryId)
      return found.ok ? reply({ redelivery: presentRedelivery(found.value) }) : found
    },

    async cancel(request: One & Readonly<{ now: Date }>) {
      const { webhookId, redeliveryId } = request.params
      const ended = await log.cancel(ownerOf(request), webhookId, redeliveryId, request.now)
      return ended.ok ? reply({ redelivery: presentRedelivery(ended.value) }) : ended
    },
  }
}

type OfPartner = Readonly<{ params: Readonly<{ partnerId: string; webhookId: string }> }>

/** Sending a partner's events again in bulk. */
export const redeliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    redeliveries,
    redeliveryHandlers(parts, 'partner', ({ params }: OfPartner) => params.partnerId),
  )
