/** Returns a field of an unknown value; undefined without a field of that name. */
export const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
