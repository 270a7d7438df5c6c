import type { Realm } from '../auth/identity.ts'
import { realmOf } from '../auth/realms.ts'
import type { PublicPath, PublicRoute } from '../http/public-path.ts'
import type { OperationRoute, Route } from '../http/route.ts'
import { callbackPaths } from './callbacks.ts'
import { filePaths } from './files.ts'
import { onboardingRoutes } from './onboarding.ts'
import { onrampRoutes } from './onramp.ts'
import { operatorRoutes } from './operator.ts'
import { paymentRoutes } from './payments.ts'
import { publicPaths as ownPaths } from './public.ts'
import { refundRoutes } from './refunds.ts'
import { tokenPaths } from './tokens.ts'
import { webhookLogRoutes } from './webhook-logs.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every operation that the API offers. */
export const operationRoutes: readonly OperationRoute[] = [
  ...onboardingRoutes,
  ...paymentRoutes,
  ...refundRoutes,
  ...onrampRoutes,
  ...webhookRoutes,
  ...operatorRoutes,
  ...webhookLogRoutes,
]

/** Every path that needs no credential. */
export const publicPaths: readonly PublicPath[] = [tokenPaths, callbackPaths, filePaths, ownPaths].flatMap(
  (paths) => Object.values<PublicPath>(paths),
)

/** Whether the role does not fit the caller: operations of staff have one, others none. */
const hasWrongBuilder = (route: Route): boolean =>
  route.kind === 'operation' && (route.operation.caller === 'operator') !== (route.role !== null)

/**
 * The whole table.
 * @throws when an operation of staff has no role or another operation has one, when an operation is outside the protected
 *   prefixes, or a public path is under one
 */
export const routeTable = (
  realms: readonly Pick<Realm, 'prefix'>[],
  open: readonly PublicRoute[],
): readonly Route[] => {
  const routes: readonly Route[] = [...operationRoutes, ...open]
  for (const route of routes)
    if ((realmOf(realms, route.path) === null) !== (route.kind === 'public'))
      throw new Error(`${route.method} ${route.path} is protected by the wrong prefix`)
  for (const route of routes)
    if (hasWrongBuilder(route)) throw new Error(`${route.method} ${route.path} has the wrong builder`)
  return routes
}
