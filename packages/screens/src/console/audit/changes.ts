/** A value that differs between two states, with its path. */
export type Change = Readonly<{ path: string; before: string | null; after: string | null }>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the values of a state by path. A list is one value, because its order matters. */
const flatten = (state: unknown, path = ''): Map<string, string> => {
  if (state === null || state === undefined) return new Map()
  if (!isObject(state)) return new Map([[path, typeof state === 'string' ? state : JSON.stringify(state)]])
  return new Map(
    Object.entries(state).flatMap(([key, value]) => [
      ...flatten(value, path === '' ? key : `${path}.${key}`),
    ]),
  )
}

/** Returns every value that differs between two states, in the order of the states. */
export const changesOf = (before: unknown, after: unknown): Change[] => {
  const [old, current] = [flatten(before), flatten(after)]
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((path) => ({ path, before: old.get(path) ?? null, after: current.get(path) ?? null }))
    .filter((change) => change.before !== change.after)
}
