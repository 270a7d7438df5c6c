import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Files for integrators, in a folder named by the version. Only the last release is kept. */
export const RELEASES = join(import.meta.dirname, '..', '..', 'releases')

/** The version of the last release. */
export const LAST_VERSION = readdirSync(RELEASES).sort(new Intl.Collator('en', { numeric: true }).compare).at(-1) ?? ''

/** Files for integrators of the last release: the OpenAPI documents and the vectors of the receiver kit. */
export const LAST_RELEASE = join(RELEASES, LAST_VERSION)

/** The platform's address in the documents of a release. */
export const RELEASED_BASE_URL = 'https://payments.example'
