import { implement, notAsExpected, refuse, reply, type Implementation } from '@causeway/chassis'
import { destinations, MAX_DESTINATIONS } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import { managing, pageOfDestinations, type SendSample } from './managing.ts'

/** How staff keep partners' destinations (decisions §12 and §14). */
export const destinationOperations = (dependencies: Dependencies, send: SendSample): Implementation[] =>
  implement(destinations, {
    create: ({ params: { partnerId }, body, now }) =>
      managing.create(dependencies, partnerId, body, { now, limit: MAX_DESTINATIONS }),
    async list({ params: { partnerId }, query, now }) {
      const page = await pageOfDestinations(dependencies, 'webhooks', partnerId, { ...query, now })
      return page ? reply(page) : refuse('invalid_cursor')
    },
    async prepareUpdate({ params, body }) {
      const row = await managing.find(dependencies, params)
      if (!row) return refuse('resource_not_found')
      return reply({ before: { url: row.url }, groups: body.url === undefined ? [] : ['webhooks' as const] })
    },
    async update({ params, body, expected, now }) {
      const outcome = await managing.update(dependencies, params, body, {
        now,
        expectedUrl: expected?.url ?? null,
      })
      const isChanged = !outcome.ok && outcome.code === 'resource_not_found' && expected !== undefined
      return isChanged && (await managing.find(dependencies, params)) ? notAsExpected() : outcome
    },
    delete: ({ params, now }) => managing.remove(dependencies, params, now),
    rotateSecret: ({ params, body, now }) => managing.rotateSecret(dependencies, params, body, now),
    test: ({ params, now, deadlineMs }) => managing.sendTest(dependencies, params, send, { now, deadlineMs }),
  })
