import { z } from 'zod'
import { sendError, sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { bytes, handlePaths, json, ownPath } from '../http/public-path.ts'
import type { GetReadiness } from '../http/readiness.ts'
import type { SendDocument } from '../http/static-document.ts'

/** The OpenAPI document, that of the operator API, the reference page, and the files that it loads and links to. */
export type ReferenceDocuments = Readonly<Record<'openApi' | 'operatorOpenApi' | 'page', SendDocument>> &
  Readonly<{ files: ReadonlyMap<string, SendDocument> }>

export type PublicRoutesOptions = Readonly<{
  getReadiness: GetReadiness
  documents: ReferenceDocuments
}>

const readiness = (status: 'ready' | 'not_ready') =>
  z.object({ status: z.literal(status), parts: z.record(z.string(), z.boolean()) })

/** Health has no rate limit; its one error is a malformed request, which is refused before the path is looked up. */
const health = { unlimited: true, refusals: ['invalid_request'] } as const

/** Health and the API's description (decisions §1). */
export const publicPaths = {
  health: ownPath('GET', '/healthz', {
    operationId: 'getHealth',
    tag: 'Platform',
    summary: 'Whether the process is up',
    description: 'For a supervisor that restarts what is down. It asks nobody else.',
    ...health,
    answers: { 200: json('It is', z.object({ status: z.literal('ok') })) },
  }),
  readiness: ownPath('GET', '/readyz', {
    operationId: 'getReadiness',
    tag: 'Platform',
    summary: 'Whether database, bus and every service answer',
    description: 'For a load balancer: 200 once everything serves, 503 with the parts that do not.',
    ...health,
    answers: {
      200: json('All do', readiness('ready')),
      503: json('Which of them do not', readiness('not_ready')),
    },
  }),
  openApi: ownPath('GET', '/openapi.json', {
    operationId: 'getOpenApi',
    tag: 'Platform',
    summary: 'This document',
    description:
      'Use it to generate a client, or to check one. The document of the operator API is `/openapi.operator.json`.',
    answers: { 200: json('OpenAPI 3.1', z.looseObject({})) },
  }),
  operatorOpenApi: ownPath('GET', '/openapi.operator.json', {
    operationId: 'getOperatorOpenApi',
    tag: 'Platform',
    summary: 'The document of the operator API',
    description: 'Use it where staff’s own tools call the platform.',
    answers: { 200: json('OpenAPI 3.1', z.looseObject({})) },
  }),
  page: ownPath('GET', '/docs', {
    operationId: 'getReferencePage',
    tag: 'Platform',
    summary: 'This document as a page',
    description: 'Use it to read and search this reference in a browser.',
    answers: { 200: { description: 'The page', content: { 'text/html': z.string() } } },
  }),
  file: ownPath('GET', '/docs/:file', {
    operationId: 'getReferenceFile',
    tag: 'Platform',
    summary: 'A guide, or a file of the page',
    description: 'Follow the links of the page.',
    params: z.object({ file: z.string() }),
    answers: { 200: bytes('The file') },
    refusals: ['resource_not_found', 'rate_limited'],
  }),
}

const sendReadiness = async (getReadiness: GetReadiness, exchange: Exchange): Promise<void> => {
  const { ready, parts } = await getReadiness()
  sendJson(exchange, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ready' : 'not_ready', parts }))
}

export const publicRoutes = ({ getReadiness, documents }: PublicRoutesOptions) =>
  handlePaths(publicPaths, {
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
