/** Where a key-encryption key is: a file, or a KMS that never gives it out. One suite runs against each kind. */
export type KeyProvider = Readonly<{
  /** Names the key, and its version, that wraps now. */
  id: string
  /** Checks whether this process can unwrap what the named key wrapped. */
  opens: (id: string) => boolean
  /** @param context is authenticated: a wrapped key is of use for nothing else */
  wrap: (key: Buffer, context: string) => Promise<string>
  /** @throws when it was wrapped by another key or for another context */
  unwrap: (wrapped: string, context: string) => Promise<Buffer>
}>

/** Thrown where asking again may help: the provider is down, or too busy. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError'
}
