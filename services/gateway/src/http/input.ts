import { parse } from 'node:querystring'

/** What needs no escaping in JSON: every id that is one. */
const PLAIN = /^[\w.~-]*$/

/** What is no valid percent-encoding stays as it is: an id like any other that names nothing. */
const decode = (raw: string): string => {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

/** Path parameters as a JSON object; none when the path has none. */
export const paramsJsonOf = (names: readonly string[], rawValues: readonly string[]): string | undefined => {
  if (names.length === 0) return undefined
  let json = '{'
  for (const [index, name] of names.entries()) {
    const value = decode(rawValues[index] ?? '')
    json += `${index === 0 ? '' : ','}"${name}":${PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)}`
  }
  return `${json}}`
}

/** The query parameters that an operation knows, as a JSON object; one that is given twice becomes an array. */
export const queryJsonOf = (names: readonly string[], search: string): string | undefined => {
  if (names.length === 0) return undefined
  if (search === '') return '{}'
  const given = parse(search)
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]])))
}
