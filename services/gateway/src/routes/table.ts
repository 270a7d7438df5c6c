import { operationRoutes } from '@causeway/contracts/http'
import type { Realm } from '../auth/identity.ts'
import { realmOf } from '../auth/realms.ts'
import type { PublicRoute } from '../http/public-path.ts'
import type { Route } from '../http/route.ts'

/**
 * The whole table.
 * @throws when an operation is outside the protected prefixes, or a public path is under one
 */
export const routeTable = (
  realms: readonly Pick<Realm, 'prefix'>[],
  open: readonly PublicRoute[],
): readonly Route[] => {
  const routes: readonly Route[] = [...operationRoutes, ...open]
  for (const route of routes)
    if ((realmOf(realms, route.path) === null) !== (route.kind === 'public'))
      throw new Error(`${route.method} ${route.path} is protected by the wrong prefix`)
  return routes
}
