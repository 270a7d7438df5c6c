/** JSON-RPC calls to any node. */
export type NodeCalls = Readonly<{
  /** @throws Error, with the node's own `code` where it has one */
  rpc: <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>
}>
