import { z } from 'zod'

/** A process tells how far its time was moved; `isGone` once it stops. */
export const Report = z.object({ instance: z.string(), offsetMs: z.number(), isGone: z.boolean() })
export type Report = z.infer<typeof Report>

/** How far the time is moved. */
export const Told = z.object({ offsetMs: z.number() })

/** How often each process reports, so that one that missed a move learns of it, and one that has died is known. */
export const REPORT_EVERY_MS = 1_000
