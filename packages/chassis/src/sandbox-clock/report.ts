import { z } from 'zod'

/** A process reports how far its time was moved; `isGone`: it stops. */
export const Report = z.object({ instance: z.string(), offsetMs: z.number(), isGone: z.boolean() })
export type Report = z.infer<typeof Report>

/** How far the time is moved. */
export const Told = z.object({ offsetMs: z.number() })

/** How often each process reports: one that missed a move learns of it, and one that has died is noticed. */
export const REPORT_EVERY_MS = 1_000
