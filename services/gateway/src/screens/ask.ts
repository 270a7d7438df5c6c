import { call, type Bus, type Clock } from '@causeway/chassis'
import type { Ask } from '@causeway/screens'

export type AskOptions = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

/** Calls operations for a screen that anybody may open. @param safe whether the request changes nothing */
export const publicAsk =
  ({ bus, clock, timeoutMs }: AskOptions, requestId: string, safe: boolean): Ask =>
  (operation, input) =>
    call(bus, clock, operation, { ...input, caller: { kind: 'public' }, requestId, timeoutMs, safe })
