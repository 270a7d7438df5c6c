export {
  createClientOf,
  createMerchantClient,
  createPartnerClient,
  type PartnerCredentials,
} from './client.ts'
export {
  ApiError,
  AuthenticationError,
  CausewayError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProviderError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  type ErrorCode,
  type ErrorDetail,
} from './errors.ts'
export type { OperationRow } from './operation-row.ts'
export type { ClientOptions, LogEvent } from './options.ts'
export type { RetryOptions } from './retries.ts'
export type {
  CallOptions,
  Data,
  FeedEvent,
  FollowInput,
  Input,
  Item,
  MerchantClient,
  Method,
  PartnerClient,
  Reply,
  Schemas,
} from './types.ts'
export type { FileSource, FileUpload } from './upload.ts'
