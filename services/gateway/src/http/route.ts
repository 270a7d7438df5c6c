import type { ErrorCode, Operation, StaffRole } from '@causeway/contracts'
import type { PublicRoute } from './public-path.ts'

/** Methods of the public API. HEAD is answered wherever GET is. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** HTTP status of a success: one, or one for each variant of the reply. */
export type SuccessStatus = number | Readonly<Record<string, number>>

/** A path with the operation that it calls, of a service or of the gateway itself. */
export type OperationRoute = Readonly<{
  kind: 'operation'
  method: Method
  /** Full path; parameters are written `:name`. */
  path: string
  operation: Operation
  /** Scopes that the token must hold, all of them. */
  scopes: readonly string[]
  /** Role that a staff key must have; null on routes of partners and merchants. */
  role: StaffRole | null
  status: SuccessStatus
  /** Whether the gateway checks that the partner of the path exists: services do not know all partners. */
  ofPartner: boolean
  /** Whether the gateway asks onboarding if the merchant of the path exists: other services do not know all merchants. */
  ofMerchant: boolean
  /** Whether a partner's people may call it in the portal, for the partner of the path (decisions §22). */
  portal: boolean
  /** Whether the body is a file: a form, or JSON of more than the usual size. */
  upload: boolean
  /** Whether the body is `text/csv`, passed to the operation as the field `csv`. */
  csv: boolean
  /** Whether staff approve with it what the signer sends: the reply has the refund (decisions §20). */
  approvesRefund: boolean
  /** Messages of errors, where the specification has another text than the table of errors. */
  messages: Messages
}>

type Messages = Readonly<Partial<Record<ErrorCode, string>>>

export type Route = OperationRoute | PublicRoute

type Options = Readonly<{
  scopes?: readonly string[]
  status?: SuccessStatus
  ofPartner?: boolean
  ofMerchant?: boolean
  portal?: true
  upload?: true
  csv?: true
  approvesRefund?: true
  messages?: Messages
}>

type Declare = (path: string, operation: Operation, options?: Options) => OperationRoute

const declare =
  (prefix: string, method: Method, role: StaffRole | null): Declare =>
  (path, operation, options = {}) => ({
    kind: 'operation',
    method,
    path: `${prefix}${path}`,
    operation,
    scopes: options.scopes ?? [],
    role,
    status: options.status ?? 200,
    ofPartner: options.ofPartner ?? false,
    ofMerchant: options.ofMerchant ?? false,
    portal: options.portal ?? false,
    upload: options.upload ?? false,
    csv: options.csv ?? false,
    approvesRefund: options.approvesRefund ?? false,
    messages: options.messages ?? {},
  })

const builders = (prefix: string, role: StaffRole | null) => ({
  get: declare(prefix, 'GET', role),
  post: declare(prefix, 'POST', role),
  put: declare(prefix, 'PUT', role),
  patch: declare(prefix, 'PATCH', role),
  del: declare(prefix, 'DELETE', role),
})

/** Route builders for one prefix of partners or merchants. */
export const routesUnder = (prefix: '/api/v1/partner' | '/api/user') => builders(prefix, null)

/** Route builders of the operator API, for keys of one role and of `admin`; `viewer`: for every key. */
export const staffRoutes = (role: StaffRole) => builders('/api/operator', role)

/** Names of a path's parameters, in path order. */
export const parameterNames = (path: string): string[] =>
  path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))

/** Status of a success. @throws when the reply has a variant that the table does not know */
export const statusOf = (status: SuccessStatus, variant: string | undefined): number => {
  if (typeof status === 'number') return status
  const found = variant === undefined ? undefined : status[variant]
  if (found === undefined) throw new Error(`The route has no status for the variant ${String(variant)}`)
  return found
}
