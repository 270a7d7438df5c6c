import { parse } from 'node:querystring'
import { createDetails, didYouMean } from '@causeway/chassis'
import type { ErrorDetail } from '@causeway/contracts'

/** Text that needs no escaping in JSON, as all ids of the platform. */
const PLAIN = /^[\w.~-]*$/

/** Invalid percent-encoding is left as it is: an id that does not exist, which is 404 like any other. */
const decode = (raw: string): string => {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

/** Path parameters as a JSON object; undefined when the path has none. */
export const paramsJsonOf = (names: readonly string[], rawValues: readonly string[]): string | undefined => {
  if (names.length === 0) return undefined
  let json = '{'
  for (const [index, name] of names.entries()) {
    const value = decode(rawValues[index] ?? '')
    json += `${index === 0 ? '' : ','}"${name}":${PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)}`
  }
  return `${json}}`
}

type Query = Readonly<{ queryNames: readonly string[]; queryIsOptional: boolean }>

/** The details of query parameters that an operation does not have; null where there are none (decisions §59). */
export const unknownParameters = (
  { queryNames: names }: Pick<Query, 'queryNames'>,
  search: string,
): readonly ErrorDetail[] | null => {
  if (search === '') return null
  const details = createDetails()
  const expected = names.length === 0 ? 'no query parameters' : `one of the parameters ${names.join(', ')}`
  for (const name of Object.keys(parse(search)))
    if (!names.includes(name))
      details.add([name], 'unknown_field', () => ({ expected, ...didYouMean(name, names) }))
  return details.isEmpty() ? null : details.list()
}

/** The query parameters of an operation as a JSON object; one that is given twice becomes an array. */
export const queryJsonOf = (
  { queryNames: names, queryIsOptional }: Query,
  search: string,
): string | undefined => {
  if (names.length === 0) return undefined
  if (search === '') return queryIsOptional ? undefined : '{}'
  const given = parse(search)
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]])))
}
