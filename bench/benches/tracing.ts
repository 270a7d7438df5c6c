import { join } from 'node:path'
import { measureInTurns } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { startChild } from '../parts/child.ts'
import { startProduct } from '../parts/product.ts'
import { contenderLines, ratioLines } from '../report.ts'
import { readContender } from './read-customer.ts'

const SAMPLED = '0.01'

/** Three platforms side by side, two of them idle at any time, so that all three are measured in turns. */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const collector = keep(await startChild(new URL('../load/collector.ts', import.meta.url), null))
  const startReads = async (name: string, tracing: string) => {
    const product = keep(
      await startProduct(join(folder, tracing), {
        TRACING: tracing,
        TRACE_SAMPLE_RATIO: SAMPLED,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(collector.ready)}`,
      }),
    )
    return keep(await readContender(name, product, effort.customers)).contender
  }
  const results = await measureInTurns(
    [
      await startReads('tracing off', 'off'),
      await startReads('own spans, 1 % sampled', 'spans'),
      await startReads('auto-instrumentation', 'auto'),
    ],
    effort,
  )
  const [off, spans, auto] = results
  return [
    ...contenderLines('request', results),
    ...ratioLines(spans, off, 'design 0.93'),
    ...ratioLines(auto, off, 'design 0.5'),
  ]
}

export const tracing: Bench = {
  name: 'tracing',
  title: 'GET customer with tracing, against the same with tracing off',
  run,
}
