/** Formats, names and roles of access that the edge uses without a call. Nothing here reads or writes. */
export { API_KEY } from './api-keys/key.ts'
export { HELD, heldIdOf } from './audit/held.ts'
export { SIGN_IN_CALLBACK_PATH } from './oidc/provider.ts'
export { ALGORITHM as TOKEN_ALGORITHM, PUBLISH_LEAD_MS } from './signing-keys/domain.ts'
export { STAFF_KEY } from './staff-keys/key.ts'
export { roleAllows } from './staff-keys/roles.ts'
