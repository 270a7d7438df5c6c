import { z } from 'zod'
import { send, sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { handlePaths, json, ownPath } from '../http/public-path.ts'
import type { GetReadiness } from '../http/readiness.ts'
import type { FlatHeaders } from '../http/security-headers.ts'

export type PublicRoutesOptions = Readonly<{
  getReadiness: GetReadiness
  /** The OpenAPI document in JSON. */
  openApiJson: string
  /** The reference page in HTML, and the headers that allow its style. */
  page: Readonly<{ html: string; security: FlatHeaders }>
}>

const readiness = (status: 'ready' | 'not_ready') =>
  z.object({ status: z.literal(status), parts: z.record(z.string(), z.boolean()) })

/** Health has no rate limit; its one error is a malformed request, which is refused before the path is looked up. */
const health = { unlimited: true, refusals: ['invalid_request'] } as const

/** Health and the API's description (decisions §1). */
export const publicPaths = {
  health: ownPath('GET', '/healthz', {
    operationId: 'public.health',
    tag: 'public',
    summary: 'Whether the process is up',
    ...health,
    answers: { 200: json('It is', z.object({ status: z.literal('ok') })) },
  }),
  readiness: ownPath('GET', '/readyz', {
    operationId: 'public.readiness',
    tag: 'public',
    summary: 'Whether database, bus and every service answer',
    ...health,
    answers: {
      200: json('All do', readiness('ready')),
      503: json('Which of them do not', readiness('not_ready')),
    },
  }),
  openApi: ownPath('GET', '/openapi.json', {
    operationId: 'public.openapi',
    tag: 'public',
    summary: 'This document',
    answers: { 200: json('OpenAPI 3.1', z.looseObject({})) },
  }),
  page: ownPath('GET', '/docs', {
    operationId: 'public.docs',
    tag: 'public',
    summary: 'This document as a page',
    answers: { 200: { description: 'The page', content: { 'text/html': z.string() } } },
  }),
}

const DOCUMENT_CACHE: FlatHeaders = ['Cache-Control', 'public, max-age=300']

const sendReadiness = async (getReadiness: GetReadiness, exchange: Exchange): Promise<void> => {
  const { ready, parts } = await getReadiness()
  sendJson(exchange, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ready' : 'not_ready', parts }))
}

export const publicRoutes = ({ getReadiness, openApiJson, page }: PublicRoutesOptions) =>
  handlePaths(publicPaths, {
    health: (exchange) => sendJson(exchange, 200, '{"status":"ok"}'),
    readiness: (exchange) => sendReadiness(getReadiness, exchange),
    openApi: (exchange) => sendJson(exchange, 200, openApiJson, DOCUMENT_CACHE),
    page: (exchange) =>
      send(exchange, {
        status: 200,
        type: 'text/html; charset=utf-8',
        bytes: page.html,
        headers: DOCUMENT_CACHE,
        security: page.security,
      }),
  })
