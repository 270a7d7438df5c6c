/** What came back from one attempt. */
export type Answer = Readonly<{
  /** Null when no status line arrived. */
  statusCode: number | null
  /** Why there is no status line; null when there is one. */
  failure: unknown
  retryAfter: string | undefined
  /** At most 8 KiB of the body, undecoded content codings included. */
  body: Buffer
}>
