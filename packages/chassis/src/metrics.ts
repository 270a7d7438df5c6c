import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The process's Prometheus registry. Names follow OpenTelemetry's semantic conventions where one exists. */
export const registry = new Registry()

/** How often the delay of the event loop is measured. The library's default of 10 ms takes a fifth of an idle process's CPU time. */
const EVENT_LOOP_EVERY_MS = 100

let isCollecting = false

/** Starts the process's own metrics (CPU, memory, event loop); once a process, also when a test starts several services. */
export const collectProcessMetrics = (service: string): void => {
  registry.setDefaultLabels({ service_name: service })
  if (!isCollecting)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_EVERY_MS })
  isCollecting = true
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const metrics = {
  counter: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] }),
  gauge: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers: [registry] }),
  seconds: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Histogram<L>({ name, help, labelNames, buckets: SECONDS, registers: [registry] }),
}
