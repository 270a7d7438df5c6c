import { z } from 'zod'

/** Maximum ids in a request for names: those of a page of a list. */
export const MAX_NAMES = 100

/** Names by id, for lists that show ids. Ids that are unknown or have no name are left out. */
export const NameList = z.object({
  names: z.array(z.object({ id: z.string(), name: z.string() })).max(MAX_NAMES),
})
