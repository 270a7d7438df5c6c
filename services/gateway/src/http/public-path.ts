import type { PublicPath } from '@causeway/contracts/http'
import type { Exchange } from './exchange.ts'

type Handle = (exchange: Exchange, values: readonly string[]) => void | Promise<void>

/** A public path with its handler. */
export type PublicRoute = Omit<PublicPath, 'description'> &
  Readonly<{
    kind: 'public'
    handle: Handle
  }>

/** Binds declared paths to their handlers; a missing one does not compile. */
export const handlePaths = <K extends string>(
  paths: Readonly<Record<K, PublicPath>>,
  handlers: Readonly<Record<K, Handle>>,
): PublicRoute[] =>
  Object.entries<PublicPath>(paths).map(([name, path]) => ({
    ...path,
    kind: 'public',
    handle: handlers[name as K],
  }))
