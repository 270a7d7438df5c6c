import { DocumentUpload, MAX_DOCUMENT_BYTES, UploadedDocumentType } from '@causeway/contracts'
import type { OperationRoute } from '@causeway/contracts/http'
import type { ApiOperation } from './document.ts'
import { shown, type OperationExample } from './examples.ts'
import type { Schemas } from './json-schema.ts'
import { keyParameters, pathParameters, queryParameters, VERSION_PARAMETER } from './parameters.ts'
import { HELD_REFERENCE } from './held-response.ts'
import { codesOf, errorResponses, successResponses } from './responses.ts'

/** Credentials by the kind of caller of an operation. */
const SECURITY: Readonly<Record<string, (route: OperationRoute) => ApiOperation['security'][number]>> = {
  partner: (route) => ({ partnerToken: route.scopes }),
  merchant: () => ({ merchantKey: [] }),
  operator: (route) => ({ operatorKey: route.role === null ? [] : [route.role] }),
}

/** @throws when an operation that has a route is internal */
const securityOf = (route: OperationRoute): ApiOperation['security'] => {
  const security = SECURITY[route.operation.caller]
  if (security === undefined)
    throw new Error(`${route.operation.subject} has a route but only internal callers`)
  return [security(route)]
}

/** A file in a form, which is preferred, or in JSON. */
const uploadBody = (schemas: Schemas, example: unknown) => ({
  description: 'Prefer a form: the file is streamed.',
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['document_type', 'file'],
        properties: {
          document_type: schemas.request(UploadedDocumentType),
          file: {
            type: 'string',
            format: 'binary',
            description: `PDF, PNG or JPEG, determined by content, at most ${MAX_DOCUMENT_BYTES} bytes`,
          },
        },
      },
      ...shown({ document_type: 'proof_of_address', file: 'proof.pdf' }),
    },
    'application/json': { schema: schemas.request(DocumentUpload), ...shown(example) },
  },
})

/** A periodic file. @throws Error for an operation whose body does not describe it */
const fileBody = ({ operation, xml }: OperationRoute, example: unknown) => {
  const { description } = operation.body
  if (description === undefined) throw new Error(`${operation.subject} does not describe its file`)
  return {
    description,
    required: true,
    content: {
      'text/csv': { schema: { type: 'string' }, ...shown(example) },
      ...(xml && { 'application/xml': { schema: { type: 'string' } } }),
    },
  }
}

const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const bodyOf = (schemas: Schemas, route: OperationRoute, example: unknown) => {
  const { operation, upload, csv } = route
  if (upload) return uploadBody(schemas, example)
  if (csv) return fileBody(route, example)
  const schema = schemas.namedRequest(`${pascalCase(operation.operationId)}Request`, operation.body)
  return {
    required: !operation.body.safeParse(undefined).success,
    content: { 'application/json': { schema, ...shown(example) } },
  }
}

/** Describes the operation of a route. */
export const describeOperation = (
  schemas: Schemas,
  route: OperationRoute,
  example: OperationExample | undefined,
): ApiOperation => {
  const { operation } = route
  const { operationId, summary, description, tag, fourEyes } = operation
  const takesBody = operation.body.type !== 'undefined'
  const { 202: held, ...others } = example?.responses ?? {}
  // An action that waits for a second person has one example for all operations.
  const examples = fourEyes.length > 0 || held === undefined ? others : { ...others, 202: held }
  return {
    operationId,
    summary,
    description,
    tags: tag === null ? [] : [tag],
    security: securityOf(route),
    parameters: [
      ...pathParameters(schemas, operation.params),
      ...queryParameters(schemas, operation.query),
      VERSION_PARAMETER,
      ...keyParameters(operation.idempotent),
    ],
    ...(takesBody ? { requestBody: bodyOf(schemas, route, example?.request) } : {}),
    responses: {
      ...successResponses(schemas, route, examples),
      ...(fourEyes.length > 0 && { 202: HELD_REFERENCE }),
      ...errorResponses(codesOf(route, takesBody), route.messages),
    },
  }
}
