import { implement, refuse, reply, type Implementation } from '@causeway/chassis'
import { endpoints, MAX_OWN_ENDPOINTS } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import { managing, pageOfDestinations, type SendSample } from '../destinations/managing.ts'

type Own = Readonly<{
  caller: Readonly<{ partnerId: string }>
  params: Readonly<{ webhookId: string }>
}>

const ownedBy = ({ caller: { partnerId }, params: { webhookId } }: Own) => ({ partnerId, webhookId })

/** How partners keep their own destinations (decisions §55). */
export const endpointOperations = (dependencies: Dependencies, send: SendSample): Implementation[] =>
  implement(endpoints, {
    async list({ caller: { partnerId }, query, now }) {
      const page = await pageOfDestinations(dependencies, 'endpoints', partnerId, { ...query, now })
      return page ? reply(page) : refuse('invalid_cursor')
    },
    async get(request) {
      const row = await managing.find(dependencies, ownedBy(request))
      return row ? reply({ webhook: managing.present(row, request.now) }) : refuse('resource_not_found')
    },
    create: ({ caller: { partnerId }, body, now }) =>
      managing.create(dependencies, partnerId, body, { now, limit: MAX_OWN_ENDPOINTS }),
    update: (request) =>
      managing.update(dependencies, ownedBy(request), request.body, { now: request.now, expectedUrl: null }),
    delete: (request) => managing.remove(dependencies, ownedBy(request), request.now),
    rotateSecret: (request) =>
      managing.rotateSecret(dependencies, ownedBy(request), request.body, request.now),
    test: (request) =>
      managing.sendTest(dependencies, ownedBy(request), send, {
        now: request.now,
        deadlineMs: request.deadlineMs,
      }),
  })
