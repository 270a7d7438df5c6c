/** A field of a value that may be anything; undefined where it has none of that name. */
export const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
