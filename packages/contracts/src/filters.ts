import { text, TimestampInput } from './primitives.ts'

/** Filters that lists of a partner share, with the same names and the same meaning on each (decisions §62). */
export const createdFilters = {
  created_since: TimestampInput.optional().meta({ description: 'Only those created at this time or later' }),
  created_until: TimestampInput.optional().meta({ description: 'Only those created before this time' }),
}

export const referenceFilter = {
  reference: text(255).optional().meta({ description: 'Only those with exactly this reference of yours' }),
}

/** Description of a list whose filters have no index of their own. */
export const SHORT_PAGES =
  'With a filter, a page before the last can be short or empty: follow `next_cursor` until it is null.'
