import type { MERCHANT_OPERATIONS, PARTNER_OPERATIONS } from './generated/operations.ts'
import type { components, operations } from './generated/api.ts'
import type { FileUpload } from './upload.ts'

export type Schemas = components['schemas']
type Operations = typeof PARTNER_OPERATIONS & typeof MERCHANT_OPERATIONS
export type OperationName = keyof Operations & keyof operations

// oxlint-disable-next-line typescript/no-empty-object-type -- what adds nothing to an intersection
type None = {}
type Given<T> = [NonNullable<T>] extends [never] ? None : Loose<NonNullable<T>>
/** Undefined says no more than leaving a field out does: neither is sent. */
type Loose<T> = T extends readonly (infer I)[]
  ? Loose<I>[]
  : T extends object
    ? { [K in keyof T]: None extends Pick<T, K> ? Loose<T[K]> | undefined : Loose<T[K]> }
    : T
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never
type Form<T> = T extends { content: { 'multipart/form-data': infer B } } ? Omit<B, 'file'> : never

type BodyOf<K extends OperationName> = operations[K] extends { requestBody: infer B }
  ? { body: [Form<B>] extends [never] ? Loose<Json<B>> : FileUpload<Form<B>> }
  : operations[K] extends { requestBody?: infer B }
    ? [Json<NonNullable<B>>] extends [never]
      ? None
      : { body?: Loose<Json<NonNullable<B>>> | undefined }
    : None

/** Input of a call: the parameters of its path and query by name, and its `body`. */
export type Input<K extends OperationName> = Given<operations[K]['parameters']['path']> &
  Given<operations[K]['parameters']['query']> &
  BodyOf<K>

/** Result of a call: `data` of the response. */
export type Data<K extends OperationName> =
  Json<operations[K]['responses'][keyof operations[K]['responses']]> extends { data: infer D } ? D : never

/** One of a list. */
export type Item<K extends OperationName> = Operations[K] extends readonly [
  unknown,
  unknown,
  { readonly items: infer N },
]
  ? N extends keyof Data<K>
    ? Data<K>[N] extends readonly (infer I)[]
      ? I
      : never
    : never
  : never

export type CallOptions = Readonly<{
  /** Ends the call, its retries included, with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Idempotency key of a call that takes one; by default the client makes one for each call. Reuse it for your own retries. */
  idempotencyKey?: string | undefined
  /** Timeout of one attempt; by default the client's. */
  timeoutMs?: number | undefined
}>

/** An answer with what is around its data. */
export type Reply<T> = Readonly<{
  data: T
  status: number
  requestId: string
  /** True if this is the response to an earlier call with the same idempotency key. */
  isReplayed: boolean
  headers: Headers
}>

type Parameters<K extends OperationName> =
  None extends Input<K> ? [input?: Input<K>, options?: CallOptions] : [input: Input<K>, options?: CallOptions]

type Paged<K extends OperationName> = [Item<K>] extends [never]
  ? unknown
  : Readonly<{
      /** Every item, page after page as they are needed. */
      all: (...parameters: Parameters<K>) => AsyncIterableIterator<Item<K>>
      /** Every page. */
      pages: (...parameters: Parameters<K>) => AsyncIterableIterator<Data<K>>
    }>

/** An operation as a function. */
export type Method<K extends OperationName> = ((...parameters: Parameters<K>) => Promise<Data<K>>) &
  Readonly<{
    /** As the call, with status, request id and headers. */
    reply: (...parameters: Parameters<K>) => Promise<Reply<Data<K>>>
  }> &
  Paged<K>

export type PartnerClient = Readonly<{ [K in keyof typeof PARTNER_OPERATIONS]: Method<K> }> &
  Readonly<{
    /** Scopes of the token, such as `orders:read`; null if you provide the tokens. */
    scopes: (options?: Pick<CallOptions, 'signal'>) => Promise<readonly string[] | null>
    /**
     * Yields every event after a position, and then each new one as it occurs, until the signal aborts or the loop is left.
     * It reconnects after interruptions. Store the `event_id` that you have processed, and pass it as `after` next time.
     */
    followEvents: (input?: FollowInput, options?: CallOptions) => AsyncIterableIterator<FeedEvent>
  }>
export type MerchantClient = Readonly<{ [K in keyof typeof MERCHANT_OPERATIONS]: Method<K> }>

/** An event as the feed has it. */
export type FeedEvent = Data<'listFeedEvents'>['events'][number]
/** Where to begin to follow the feed, and its filter. */
export type FollowInput = Omit<NonNullable<Input<'listFeedEvents'>>, 'wait'>
