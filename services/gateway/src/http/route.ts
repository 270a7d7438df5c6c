import type { OperationRoute } from '@causeway/contracts/http'
import type { PublicRoute } from './public-path.ts'

export type Route = OperationRoute | PublicRoute
