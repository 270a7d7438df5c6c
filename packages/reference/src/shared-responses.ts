import type { ApiDocument, ApiOperation, Reference, Response } from './document.ts'

type Answer = Response | Reference
type Found = Readonly<{ operationId: string; response: Response }>

const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The shape of a success with JSON; null for other responses. */
function shapeOf(status: string, response: Answer): string | null {
  if (!status.startsWith('2') || '$ref' in response) return null
  const schema = response.content?.['application/json']?.schema
  return schema === undefined ? null : JSON.stringify([schema, response.headers])
}

/** Returns the successes that several operations have alike, by shape: the component's name and its response. */
function commonOf(paths: ApiDocument['paths']): ReadonlyMap<string, readonly [string, Response]> {
  const byShape = new Map<string, Found[]>()
  for (const { operationId, responses } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const [status, response] of Object.entries(responses)) {
      const shape = shapeOf(status, response)
      if (shape === null || '$ref' in response) continue
      byShape.set(shape, [...(byShape.get(shape) ?? []), { operationId, response }])
    }
  return new Map(
    [...byShape].flatMap(([shape, found]) => {
      const first = found.find(({ response }) => response.content?.['application/json']?.example) ?? found[0]
      if (first === undefined || found.length === 1) return []
      return [
        [
          shape,
          [`${pascalCase(first.operationId)}Success`, { ...first.response, description: 'OK' }],
        ] as const,
      ]
    }),
  )
}

/** The document with the successes that operations share among its components, each with one example. */
export const withSharedResponses = (document: ApiDocument): ApiDocument => {
  const common = commonOf(document.paths)
  const share = ([status, response]: readonly [string, Answer]): readonly [string, Answer] => {
    const [name] = common.get(shapeOf(status, response) ?? '') ?? []
    return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }]
  }
  const shareAll = (operation: ApiOperation): ApiOperation => ({
    ...operation,
    responses: Object.fromEntries(Object.entries(operation.responses).map(share)),
  })
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, shareAll(operation)])),
    ]),
  )
  const responses = { ...document.components.responses, ...Object.fromEntries(common.values()) }
  return { ...document, paths, components: { ...document.components, responses } }
}
