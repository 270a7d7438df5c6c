import { z } from 'zod'
import { bytes, json, ownPath } from './public-path.ts'

const readiness = (status: 'ready' | 'not_ready') =>
  z.object({ status: z.literal(status), parts: z.record(z.string(), z.boolean()) })

/** Health has no rate limit; its one error is a malformed request, which is refused before the path is looked up. */
const health = { unlimited: true, refusals: ['invalid_request'] } as const

/** Health and the API's description (decisions §1). */
export const platformPaths = {
  health: ownPath('GET', '/healthz', {
    operationId: 'getHealth',
    tag: 'Platform',
    summary: 'Check that the process is up',
    description: 'For a supervisor that restarts failed processes. It checks nothing else.',
    ...health,
    answers: { 200: json('It is up', z.object({ status: z.literal('ok') })) },
  }),
  readiness: ownPath('GET', '/readyz', {
    operationId: 'getReadiness',
    tag: 'Platform',
    summary: 'Check that the database, the bus and every service respond',
    description: 'For a load balancer: 200 when the platform is ready, else 503 with the failing parts.',
    ...health,
    answers: {
      200: json('All respond', readiness('ready')),
      503: json('The parts that do not respond', readiness('not_ready')),
    },
  }),
  openApi: ownPath('GET', '/openapi.json', {
    operationId: 'getOpenApi',
    tag: 'Platform',
    summary: 'This document',
    description:
      'Use it to generate or check a client. The operator API’s document is `/openapi.operator.json`.',
    answers: { 200: json('OpenAPI 3.1', z.looseObject({})) },
  }),
  operatorOpenApi: ownPath('GET', '/openapi.operator.json', {
    operationId: 'getOperatorOpenApi',
    tag: 'Platform',
    summary: 'The document of the operator API',
    description: 'Use it for staff’s tools.',
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
    summary: 'A guide, or an asset of the page',
    description: 'Follow the page’s links.',
    params: z.object({ file: z.string() }),
    answers: { 200: bytes('The file') },
    refusals: ['resource_not_found', 'rate_limited'],
  }),
}
