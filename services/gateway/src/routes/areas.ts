import { operationRoutes } from '@causeway/contracts/http'
import express, { Router, type Express } from 'express'
import type { Realm } from '../auth/identity.ts'
import { realmOf } from '../auth/realms.ts'
import { isUnder } from '../http/console-host.ts'
import type { PublicRoute } from '../http/public-path.ts'
import type { Route } from '../http/route.ts'
import type { Handler, Pipeline } from '../pipeline/pipeline.ts'

/** An area that needs no credential of the API. */
export type OpenArea = Readonly<{
  /** The paths that it is mounted at. */
  at: readonly string[]
  routes: readonly PublicRoute[]
  /** True if people read it: its errors are then pages too. */
  showsPages: boolean
}>

/** @throws when an operation is outside the protected prefixes */
const operationsByRealm = (realms: readonly Realm[]): ReadonlyMap<Realm, readonly Route[]> => {
  const byRealm = new Map<Realm, Route[]>(realms.map((realm) => [realm, []]))
  for (const route of operationRoutes) {
    const realm = realmOf(realms, route.path)
    if (realm === null) throw new Error(`${route.method} ${route.path} has no protected prefix`)
    byRealm.get(realm)?.push(route)
  }
  return byRealm
}

/**
 * Handles the requests exactly under a prefix, and passes on all others: Express ignores letter case, and drops what follows
 * `#`.
 */
const under =
  (prefix: string, handle: Handler): Handler =>
  (request, response, next) =>
    isUnder(response.locals.exchange.path, prefix) ? handle(request, response, next) : next()

/** Has the errors of an area answered as pages. */
const showPages: Handler = (_request, { locals: { exchange } }, next) => {
  exchange.showsPages = true
  next()
}

/**
 * Mounts the areas of the gateway in Express, those of the API first. Paths outside all areas have no routes.
 * @throws when a route is outside its area
 */
export const mountAreas = (
  pipeline: Pipeline,
  realms: readonly Realm[],
  open: readonly OpenArea[],
): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  for (const [realm, routes] of operationsByRealm(realms))
    app.use(realm.prefix, under(realm.prefix, pipeline.api(realm, routes)))
  for (const { at, routes, showsPages } of open) {
    const stray = routes.find(({ path }) => !at.some((prefix) => isUnder(path, prefix)))
    if (stray !== undefined) throw new Error(`${stray.method} ${stray.path} is outside its area`)
    const area = Router()
    if (showsPages) area.use(showPages)
    area.use(pipeline.open(routes))
    for (const prefix of at) app.use(prefix, under(prefix, area))
  }
  app.use(pipeline.open([]))
  return app
}
