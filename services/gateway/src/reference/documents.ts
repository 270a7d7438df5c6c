import { createStaticDocument, type SendDocument } from '../http/static-document.ts'
import { describeApi, describeOperatorApi } from './openapi.ts'
import { renderPage } from './page.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const MAX_AGE_SECONDS = 300

/** The OpenAPI documents and the page, each made when it is first asked for: few processes are asked at all. */
export const referenceDocuments = (
  baseUrl: string,
): Readonly<Record<'openApi' | 'operatorOpenApi' | 'page', SendDocument>> => {
  const common = { maxAgeSeconds: MAX_AGE_SECONDS }
  const page = renderPage([describeApi(baseUrl), describeOperatorApi(baseUrl)])
  return {
    openApi: createStaticDocument({
      ...common,
      type: JSON_TYPE,
      make: () => JSON.stringify(describeApi(baseUrl)),
    }),
    operatorOpenApi: createStaticDocument({
      ...common,
      type: JSON_TYPE,
      make: () => JSON.stringify(describeOperatorApi(baseUrl)),
    }),
    page: createStaticDocument({
      ...common,
      type: 'text/html; charset=utf-8',
      make: () => page.html,
      security: page.security,
    }),
  }
}
