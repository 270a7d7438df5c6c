import { startChild, type Child } from '../parts/child.ts'

export type DelayLineArgument = Readonly<{ port: number; upstreamPort: number }>

/** A proxy process on this machine that delays every exchange with a server. */
export type DelayLine = Readonly<{ child: Child; setDelayMs: (ms: number) => Promise<void> }>

/** @param upstreamPort where the server listens, or will */
export const startDelayLine = async (argument: DelayLineArgument): Promise<DelayLine> => {
  const child = await startChild(new URL('./delay-line.ts', import.meta.url), argument)
  return {
    child,
    async setDelayMs(ms) {
      await child.ask(ms)
    },
  }
}
