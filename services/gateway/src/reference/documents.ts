import { createStaticDocument, type SendDocument } from '../http/static-document.ts'
import { EMBEDDABLE_SECURITY, PAGE_SECURITY } from '../http/security-headers.ts'
import type { ReferenceDocuments } from '../routes/public.ts'
import { GUIDES } from './viewer/guide-list.ts'
import { readGuide } from './viewer/guides.ts'
import { renderViewer } from './viewer/page.ts'
import { VIEWER_FILES } from './viewer/files.ts'

const HTML = 'text/html; charset=utf-8'
/** The documents and pages change with a release. */
const MAX_AGE_SECONDS = 300

/** The pages have an opaque origin; what they read is public. */
const READ_BY_ANY_ORIGIN = ['Access-Control-Allow-Origin', '*'] as const

/** The generator is loaded when a document is first requested: few processes are asked for one. */
const documentOf = (name: 'describeApi' | 'describeOperatorApi', baseUrl: string): SendDocument =>
  createStaticDocument({
    type: 'application/json; charset=utf-8',
    make: async () => {
      const reference = await import('@causeway/reference')
      return Buffer.from(JSON.stringify(reference[name](baseUrl)))
    },
    headers: READ_BY_ANY_ORIGIN,
    maxAgeSeconds: MAX_AGE_SECONDS,
  })

const pageOf = (make: () => string | Promise<string>): SendDocument =>
  createStaticDocument({
    type: HTML,
    make: async () => Buffer.from(await make()),
    security: PAGE_SECURITY,
    maxAgeSeconds: MAX_AGE_SECONDS,
  })

/** The OpenAPI documents and the pages, each made when it is first requested. */
export const referenceDocuments = (baseUrl: string): ReferenceDocuments => ({
  openApi: documentOf('describeApi', baseUrl),
  operatorOpenApi: documentOf('describeOperatorApi', baseUrl),
  page: pageOf(renderViewer),
  files: new Map([
    ...VIEWER_FILES.map(
      ({ name, type, read }) =>
        [
          name,
          createStaticDocument({
            type,
            make: read,
            security: EMBEDDABLE_SECURITY,
            headers: READ_BY_ANY_ORIGIN,
            maxAgeSeconds: MAX_AGE_SECONDS,
          }),
        ] as const,
    ),
    ...GUIDES.map((guide) => [guide.name, pageOf(() => readGuide(guide))] as const),
  ]),
})
