import type { CallerKind } from '../caller.ts'
import type { StaffRole } from '../gateway/staff-roles.ts'
import type { Operation } from '../operation.ts'
import { HTTP_OPERATIONS } from '../topology.ts'
import { PREFIXES, type Http, type SuccessStatus } from './methods.ts'

/** An operation with its full path. */
export type OperationRoute = Http &
  Readonly<{
    kind: 'operation'
    /** Full path; parameters are written `:name`. */
    path: string
    operation: Operation
    /** Role that a staff key needs; null on routes of partners and merchants. */
    role: StaffRole | null
  }>

const READERS = Object.keys(PREFIXES) as (keyof typeof PREFIXES & CallerKind)[]

/** Every operation that the API offers: of partners, then of merchants, then of staff. */
export const operationRoutes: readonly OperationRoute[] = READERS.flatMap((reader) =>
  HTTP_OPERATIONS.flatMap((operation): OperationRoute[] => {
    const { http, caller, role } = operation
    if (http === null || caller !== reader) return []
    return [{ kind: 'operation', ...http, path: `${PREFIXES[reader]}${http.path}`, operation, role }]
  }),
)

/** Names of a path's parameters, in path order. */
export const parameterNames = (path: string): string[] =>
  path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))

/** Status of a success. @throws when the reply has a variant that the contract does not know */
export const statusOf = (status: SuccessStatus, variant: string | undefined): number => {
  if (typeof status === 'number') return status
  const found = variant === undefined ? undefined : status[variant]
  if (found === undefined) throw new Error(`The contract has no status for the variant ${String(variant)}`)
  return found
}
