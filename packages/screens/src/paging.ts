import type { ScreenRequest } from './screen.ts'

/** Reads the cursor from the request's query, in the form that list operations take. */
export const cursorOf = ({ query }: Pick<ScreenRequest, 'query'>): Readonly<{ cursor?: string }> => {
  const cursor = query.get('cursor')
  return cursor === null ? {} : { cursor }
}

/**
 * Returns the links to the first and the next page of a list, keeping the current filter.
 * @param next the cursor of the next page; null at the end
 */
export const pageLinks = (
  path: string,
  { query }: Pick<ScreenRequest, 'query'>,
  next: string | null,
): Readonly<{ first: string | null; next: string | null }> => {
  const to = (cursor: string | null) => {
    const target = new URLSearchParams(query)
    target.delete('cursor')
    if (cursor !== null) target.set('cursor', cursor)
    return target.size === 0 ? path : `${path}?${target.toString()}`
  }
  return { first: query.has('cursor') ? to(null) : null, next: next === null ? null : to(next) }
}
