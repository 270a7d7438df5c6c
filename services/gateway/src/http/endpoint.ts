import { receiverOf } from '@causeway/contracts'
import { z } from 'zod'
import type { PublicRoute } from './public-path.ts'
import { parameterNames, type OperationRoute } from '@causeway/contracts/http'
import type { Route } from './route.ts'
import type { Entry } from './router.ts'

/** An operation's route with all that can be computed before the first request. */
export type OperationEndpoint = Readonly<{
  kind: 'operation'
  route: OperationRoute
  /** The service that carries the operation out. */
  service: string
  parameterNames: readonly string[]
  queryNames: readonly string[]
  /** True if an empty query is not sent: a service from before the query existed refuses one. */
  queryIsOptional: boolean
  takesBody: boolean
  /** True if the operation changes nothing: by its method (RFC 9110 §9.2.1), or as it is declared. */
  safe: boolean
}>
export type Endpoint = OperationEndpoint | Readonly<{ kind: 'public'; route: PublicRoute }>

const namesOf = (query: unknown): string[] => {
  const declared = query instanceof z.ZodOptional ? query.unwrap() : query
  return declared instanceof z.ZodObject ? Object.keys(declared.shape) : []
}

const compile = (route: Route): Endpoint => {
  if (route.kind === 'public') return { kind: 'public', route }
  const { query, body, subject, safe } = route.operation
  return {
    kind: 'operation',
    route,
    service: receiverOf(subject),
    parameterNames: parameterNames(route.path),
    queryNames: namesOf(query),
    queryIsOptional: query instanceof z.ZodOptional,
    takesBody: !(body instanceof z.ZodUndefined),
    safe: safe || route.method === 'GET',
  }
}

/** The route table as entries for the router. */
export const entriesOf = (routes: readonly Route[]): Entry<Endpoint>[] =>
  routes.map((route) => ({ method: route.method, path: route.path, endpoint: compile(route) }))

/** The operations among routes, by their subjects. */
export const operationEndpoints = (
  routes: readonly OperationRoute[],
): ReadonlyMap<string, OperationEndpoint> =>
  new Map(
    entriesOf(routes).flatMap(({ endpoint }) =>
      endpoint.kind === 'operation' ? [[endpoint.route.operation.subject, endpoint] as const] : [],
    ),
  )
