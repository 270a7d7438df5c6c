import { platformPaths } from '@causeway/contracts/http'
import { sendError, sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { handlePaths } from '../http/public-path.ts'
import type { GetReadiness } from '../http/readiness.ts'
import type { SendDocument } from '../http/static-document.ts'

/** The OpenAPI document, that of the operator API, the reference page, and the files that it loads and links to. */
export type ReferenceDocuments = Readonly<Record<'openApi' | 'operatorOpenApi' | 'page', SendDocument>> &
  Readonly<{ files: ReadonlyMap<string, SendDocument> }>

export type PublicRoutesOptions = Readonly<{
  getReadiness: GetReadiness
  documents: ReferenceDocuments
}>

const sendReadiness = async (getReadiness: GetReadiness, exchange: Exchange): Promise<void> => {
  const { ready, parts } = await getReadiness()
  sendJson(exchange, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ready' : 'not_ready', parts }))
}

export const publicRoutes = ({ getReadiness, documents }: PublicRoutesOptions) =>
  handlePaths(platformPaths, {
    health: (exchange) => sendJson(exchange, 200, '{"status":"ok"}'),
    readiness: (exchange) => sendReadiness(getReadiness, exchange),
    openApi: documents.openApi,
    operatorOpenApi: documents.operatorOpenApi,
    page: documents.page,
    file: async (exchange, [name = '']) => {
      const send = documents.files.get(name)
      if (send === undefined) sendError(exchange, 'resource_not_found')
      else await send(exchange)
    },
  })
