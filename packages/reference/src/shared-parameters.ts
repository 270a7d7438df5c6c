import type { ApiDocument, ApiOperation, Parameter, Reference } from './document.ts'

/** A name without hyphens, which references to components do not have: `IdempotencyKey`. */
const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')

const isInline = (parameter: Parameter | Reference): parameter is Parameter => 'name' in parameter

/** Names of the parameters that several operations have alike, by their text: `Limit`, and `Limit2` of another default. */
const commonOf = ({ paths, components }: ApiDocument): ReadonlyMap<string, readonly [string, Parameter]> => {
  const parameters = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters: own = [] }) => own.filter(isInline))
  const alike = Map.groupBy(parameters, (parameter) => JSON.stringify(parameter))
  const commonestFirst = [...alike]
    .filter(([, { length }]) => length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
  const variants = new Map<string, number>(Object.keys(components.parameters ?? {}).map((name) => [name, 1]))
  return new Map(
    commonestFirst.flatMap(([text, [parameter]]) => {
      if (parameter === undefined) return []
      const name = pascalCase(parameter.name)
      const variant = (variants.get(name) ?? 0) + 1
      variants.set(name, variant)
      return [[text, [variant === 1 ? name : `${name}${variant}`, parameter]] as const]
    }),
  )
}

/** The document with the parameters that operations share among its components. */
export const withSharedParameters = (document: ApiDocument): ApiDocument => {
  const common = commonOf(document)
  const share = (parameter: Parameter | Reference): Parameter | Reference => {
    const [name] = common.get(JSON.stringify(parameter)) ?? []
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
  }
  const shareAll = (operation: ApiOperation): ApiOperation =>
    operation.parameters === undefined
      ? operation
      : { ...operation, parameters: operation.parameters.map(share) }
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, shareAll(operation)])),
    ]),
  )
  const parameters = { ...document.components.parameters, ...Object.fromEntries(common.values()) }
  return { ...document, paths, components: { ...document.components, parameters } }
}
