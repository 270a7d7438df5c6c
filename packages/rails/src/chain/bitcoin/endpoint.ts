/**
 * One endpoint of Bitcoin's or Litecoin's chain, independent of its protocol. Its responses are not trusted: the reader
 * checks bytes against the hash that it requested.
 */
export type BitcoinEndpoint = Readonly<{
  /** Host and port: what errors call it. */
  name: string
  /** The setting that it is in, such as `BTC_NODE_URLS`. */
  setting: string
  /** Transactions of the mempool that one reading fetches at most. */
  mempoolReads: number
  /** True while it downloads past blocks; false if the endpoint cannot tell. */
  isDownloading: (signal?: AbortSignal) => Promise<boolean>
  /** Its newest block. */
  tip: (signal?: AbortSignal) => Promise<Readonly<{ number: number; hash: string }>>
  /** The hash of the block of this height in its chain; null above its tip. */
  hashAt: (number: number, signal?: AbortSignal) => Promise<string | null>
  /** The 80 bytes in front of a block. */
  header: (hash: string, signal?: AbortSignal) => Promise<Buffer>
  block: (hash: string, signal?: AbortSignal) => Promise<Buffer>
  /** Height of the block that contains a transaction; null if the endpoint knows it in no block. */
  blockOf: (txId: string, signal?: AbortSignal) => Promise<number | null>
  /** Ids of the transactions that wait to be mined. */
  mempool: (signal?: AbortSignal) => Promise<readonly string[]>
  /** In their order; null for one that waits no longer. */
  transactions: (txIds: readonly string[], signal?: AbortSignal) => Promise<readonly (Buffer | null)[]>
  close: () => Promise<void>
}>

export type BitcoinEndpointOptions = Readonly<{
  setting: string
  /** Absolute bound of one exchange. */
  timeoutMs: number
  /** Monotonic; for the rest that a 429 asks for. */
  nowMs?: (() => number) | undefined
}>

/** A block has at most 4 MB (BIP-141) and Litecoin's extension block, written in hex. */
export const MAX_ANSWER_BYTES = 32_000_000
