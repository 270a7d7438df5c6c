import { join } from 'node:path'
import { SERVICES } from '@causeway/contracts'

/** The Node processes of the platform. The gateway comes last: it is ready when all behind it are. */
export const COMPONENTS = [...SERVICES, 'sandbox', 'gateway'] as const
export type ComponentName = (typeof COMPONENTS)[number]

const root = join(import.meta.dirname, '..', '..')

/** The entry file of each component. */
export const mainOf = (name: ComponentName): string =>
  name === 'sandbox'
    ? join(root, 'sandbox', 'src', 'main.ts')
    : join(root, 'services', name, 'src', 'main.ts')
