import { type ApiDocument, type ApiOperation, type MediaType, type Parameter, type Response, withoutReferences } from '@causeway/reference'
import { schemaFaults, type Schema } from './schema-faults.ts'

type Operations = ReadonlyMap<string, ApiOperation>

const operationsOf = (paths: ApiDocument['paths'] = {}): Operations =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  )

const contentOf = (holder: unknown): Readonly<Record<string, MediaType>> =>
  (holder as Pick<Response, 'content'> | undefined)?.content ?? {}

const parametersOf = ({ parameters = [] }: ApiOperation) =>
  new Map((parameters as readonly Parameter[]).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))

const parameterFaults = (before: ApiOperation, after: ApiOperation): string[] => {
  const known = parametersOf(before)
  const now = parametersOf(after)
  return [
    ...[...known].flatMap(([name, { schema }]) => {
      const parameter = now.get(name)
      if (parameter === undefined) return [`${name} is gone`]
      return schemaFaults(schema as Schema, parameter.schema as Schema).map((fault) => `${name}: ${fault}`)
    }),
    ...[...now].flatMap(([name, { required }]) =>
      required === true && known.get(name)?.required !== true ? [`${name} is required`] : [],
    ),
  ]
}

/** Bodies by media type. @param faults compares the two schemas, in the direction in which the body travels */
const contentFaults = (
  before: Readonly<Record<string, MediaType>>,
  after: Readonly<Record<string, MediaType>>,
  faults: (before: Schema, after: Schema) => string[],
): string[] =>
  Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type]
    if (now === undefined) return [`${type} is gone`]
    return faults(schema as Schema, now.schema as Schema).map((fault) => `body${fault}`)
  })

const sent = (before: Schema, after: Schema) => schemaFaults(before, after)
const answered = (before: Schema, after: Schema) => schemaFaults(after, before)

const responseFaults = (before: ApiOperation, after: ApiOperation): string[] =>
  Object.entries(before.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => {
      const now = after.responses[status]
      if (now === undefined) return [`${status} is gone`]
      return contentFaults(contentOf(response), contentOf(now), answered).map((fault) => `${status} ${fault}`)
    })

const scopesOf = ({ security }: ApiOperation) => security.flatMap((each) => Object.values(each).flat())

const operationFaults = (before: ApiOperation, after: ApiOperation): string[] => [
  ...(before.operationId === after.operationId ? [] : [`is now called ${after.operationId}`]),
  ...scopesOf(after)
    .filter((scope) => !scopesOf(before).includes(scope))
    .map((scope) => `needs ${scope}`),
  ...parameterFaults(before, after),
  ...(after.requestBody?.required === true && before.requestBody?.required !== true ? ['needs a body'] : []),
  ...contentFaults(contentOf(before.requestBody), contentOf(after.requestBody), sent),
  ...responseFaults(before, after),
]

/** A receiver was written for the event as it was: what is sent now must be such an event. */
const eventFaults = (before: ApiOperation, after: ApiOperation): string[] =>
  contentFaults(contentOf(before.requestBody), contentOf(after.requestBody), answered)

const changesOf = (
  before: Operations,
  after: Operations,
  faults: (before: ApiOperation, after: ApiOperation) => string[],
): string[] =>
  [...before].flatMap(([name, operation]) => {
    const now = after.get(name)
    return now === undefined ? [`${name} is gone`] : faults(operation, now).map((fault) => `${name}: ${fault}`)
  })

/**
* Lists the changes between two releases that break a client or receiver, one line each. New operations, optional
 * parameters and response fields are no breaking changes.
 */
export const breakingChanges = (before: ApiDocument, after: ApiDocument): string[] => {
  const [old, now] = [withoutReferences(before), withoutReferences(after)]
  const types = after.components.schemas ?? {}
  return [
    ...changesOf(operationsOf(old.paths), operationsOf(now.paths), operationFaults),
    ...changesOf(operationsOf(old.webhooks), operationsOf(now.webhooks), eventFaults),
    ...Object.keys(before.components.schemas ?? {})
      .filter((name) => !(name in types))
      .map((name) => `the component ${name} is gone: generated clients name it`),
  ]
}
