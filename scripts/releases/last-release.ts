import { join } from 'node:path'

/** What integrators of the last release were given: the OpenAPI documents and the vectors of the receiver kit. */
export const LAST_RELEASE = join(import.meta.dirname, '..', '..', 'releases', '0.1.0')

/** The platform's address in the documents of a release. */
export const RELEASED_BASE_URL = 'https://payments.example'
