import { callbackPaths } from './callback-paths.ts'
import { filePaths } from './file-paths.ts'
import { platformPaths } from './platform-paths.ts'
import type { PublicPath } from './public-path.ts'
import { tokenPaths } from './token-paths.ts'

export { callbackPaths, filePaths, platformPaths, tokenPaths }
export { OPERATOR_CHAPTERS, PUBLIC_CHAPTERS } from './chapters.ts'
export * from './oauth.ts'
export type { PublicPath } from './public-path.ts'
export * from './routes.ts'

/** Every path that needs no credential, in the order of the API document. */
export const publicPaths: readonly PublicPath[] = [
  tokenPaths,
  callbackPaths,
  filePaths,
  platformPaths,
].flatMap((paths) => Object.values<PublicPath>(paths))
