/** Shared parts of all adapters. Each kind of adapter has its own entry, so that a service loads only those that it uses. */
export { withDeadline } from './http/deadline.ts'
export { RailError, type RailFailure } from './rail-error.ts'
