/** A form's fields as Stripe nests them: `a[b][0]=c`. */
export type Fields = { [name: string]: string | Fields }

const assign = (fields: Fields, [name = '', ...rest]: readonly string[], value: string): void => {
  const [next] = rest
  if (next === undefined) fields[name] = value
  else {
    const inner = fields[name]
    const nested: Fields = typeof inner === 'object' ? inner : {}
    fields[name] = nested
    assign(nested, next === '' ? [String(Object.keys(nested).length), ...rest.slice(1)] : rest, value)
  }
}

/** Reads `application/x-www-form-urlencoded` with brackets. */
export const parseForm = (text: string): Fields => {
  const fields: Fields = {}
  for (const [name, value] of new URLSearchParams(text))
    assign(fields, name.replaceAll(']', '').split('['), value)
  return fields
}

export const text = (field: string | Fields | undefined): string | null =>
  typeof field === 'string' ? field : null

export const nested = (field: string | Fields | undefined): Fields => (typeof field === 'object' ? field : {})

export const list = (field: string | Fields | undefined): string[] =>
  Object.values(nested(field)).filter((value) => typeof value === 'string')

export const textFields = (field: string | Fields | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(nested(field)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
