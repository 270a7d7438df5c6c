import { sendError, sendRefusal } from '../http/answer.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Exchange } from '../http/exchange.ts'
import { allowOf, type Match } from '../http/router.ts'

/** How a step of the pipeline ends: undefined when it has sent the answer, or a promise where it has to wait. */
export type Completion = undefined | Promise<void>

/** The route table's entry for a request. */
export type FoundRoute = Readonly<{
  /** Null when the path is not in the table. */
  match: Match<Endpoint> | null
  /** Undefined when the path does not take the method. */
  endpoint: Endpoint | undefined
  /** Raw values of the path's parameters. */
  values: readonly string[]
}>

/** Looks up the endpoint for the request's method, and names its route in the exchange. HEAD counts as GET. */
export const findRoute = (exchange: Exchange, match: Match<Endpoint> | null): FoundRoute => {
  const { method = 'GET' } = exchange.request
  const endpoint = match?.methods.get(method === 'HEAD' ? 'GET' : method)
  exchange.routePath = endpoint?.route.path ?? ''
  return { match, endpoint, values: match?.values ?? [] }
}

/** Response for a path that is not in the table, to any caller: which paths exist is public, and no resource is checked. */
const UNKNOWN_PATH =
  'No endpoint has this path: see GET /docs or /openapi.json. Letter case and a slash at the end count.'

/** Answers 404 for a path that is not in the table, 405 for a method that its path does not take. */
export const refuseRoute = (exchange: Exchange, { match }: FoundRoute): void => {
  if (match !== null) sendError(exchange, 'method_not_allowed', undefined, ['Allow', allowOf(match.methods)])
  else if (exchange.showsPages) sendError(exchange, 'resource_not_found')
  else sendRefusal(exchange, { code: 'resource_not_found' }, UNKNOWN_PATH)
}
