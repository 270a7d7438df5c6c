import type { ErrorCode } from '../errors.ts'

/** Methods of the API. HEAD is answered wherever GET is. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** HTTP status of a success: one, or one for each variant of the reply. */
export type SuccessStatus = number | Readonly<Record<string, number>>

/** How the gateway offers an operation over HTTP. */
export type Http = Readonly<{
  method: Method
  /** Path under {@link PREFIXES} of the operation's caller; parameters are written `:name`. */
  path: string
  /** Scopes that a partner's token needs, all of them. */
  scopes: readonly string[]
  status: SuccessStatus
  /** The gateway checks that the partner in the path exists: services do not know all partners. */
  ofPartner: boolean
  /** The gateway checks with onboarding that the merchant in the path exists: other services do not know all merchants. */
  ofMerchant: boolean
  /** A partner's people may call it in the portal, for the partner in the path (decisions §22). */
  portal: boolean
  /** The body is a file: a form, or JSON above the usual size. */
  upload: boolean
  /** The body is `text/csv`, passed to the operation as the field `csv`. */
  csv: boolean
  /** The body may be `application/xml` too, passed to the operation as the field `xml`. */
  xml: boolean
  /** A file above the usual size is stored first, and passed as the field `file` (decisions §51). */
  largeFile: boolean
  /** Staff approve with it a refund that the signer sends: the reply contains the refund (decisions §20). */
  approvesRefund: boolean
  /** Staff approve with it a payout that the signer sends (ADR 0089). */
  approvesPayout: boolean
  /** Messages of errors, where the specification has a text that differs from the table of errors. */
  messages: Readonly<Partial<Record<ErrorCode, string>>>
}>

/** Where the operations of each caller are, and under which no path is public. */
export const PREFIXES = {
  partner: '/api/v1/partner',
  merchant: '/api/user',
  operator: '/api/operator',
} as const

type Declare = (path: string, options?: Partial<Omit<Http, 'method' | 'path'>>) => Http

const declare =
  (method: Method): Declare =>
  (path, options) => ({
    method,
    path,
    scopes: [],
    status: 200,
    ofPartner: false,
    ofMerchant: false,
    portal: false,
    upload: false,
    csv: false,
    xml: false,
    largeFile: false,
    approvesRefund: false,
    approvesPayout: false,
    messages: {},
    ...options,
  })

export const get = declare('GET')
export const post = declare('POST')
export const put = declare('PUT')
export const patch = declare('PATCH')
export const del = declare('DELETE')
