import { parse } from 'node:querystring'

/** What needs no escaping in JSON: every id that is one. */
const PLAIN = /^[\w.~-]*$/

const decode = (raw: string): string | null => {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return null
  }
}

/** Path parameters as a JSON object; none when the path has none, null when a value is no valid percent-encoding. */
export const paramsJsonOf = (
  names: readonly string[],
  rawValues: readonly string[],
): string | undefined | null => {
  if (names.length === 0) return undefined
  let json = '{'
  for (const [index, name] of names.entries()) {
    const value = decode(rawValues[index] ?? '')
    if (value === null) return null
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
