import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from './version.ts'

/** The process's Prometheus registry. Names follow OpenTelemetry's semantic conventions where one exists. */
export const registry = new Registry()

/** How often the delay of the event loop is measured. The library's default of 10 ms takes a fifth of an idle process's CPU time. */
const EVENT_LOOP_EVERY_MS = 100

let isCollecting = false

/** Starts the process's own metrics (version, CPU, memory, event loop); once a process, also when a test starts several services. */
export const collectProcessMetrics = (service: string): void => {
  registry.setDefaultLabels({ service_name: service })
  if (isCollecting) return
  isCollecting = true
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_EVERY_MS })
  metrics
    .gauge('causeway_build_info', 'Version of the release; always 1', ['version'])
    .set({ version: VERSION }, 1)
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const metrics = {
  counter: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] }),
  /** @param collect sets the gauge before each scrape */
  gauge: <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void,
  ) =>
    new Gauge<L>({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        collect?.(this)
      },
    }),
  seconds: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Histogram<L>({ name, help, labelNames, buckets: SECONDS, registers: [registry] }),
}
