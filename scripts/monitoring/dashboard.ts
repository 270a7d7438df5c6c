/** One panel: a title, Grafana's unit, and expressions with their legends. */
type Lines = readonly (readonly [expr: string, legend: string])[]
type Panel = Readonly<{ title: string; unit: string; lines: Lines }>

const rate = (name: string) => `rate(${name}[$__rate_interval])`
const byService = (expr: string): readonly [string, string] => [
  `max by (service_name) (${expr})`,
  '{{service_name}}',
]
const DURATION = 'http_server_request_duration_seconds'
const quantile = (share: number): readonly [string, string] => [
  `histogram_quantile(${share}, sum by (le) (${rate(`${DURATION}_bucket`)}))`,
  `p${share * 100}`,
]

/** From the outside in: requests, events, deliveries, money, processes. */
const PANELS: readonly Panel[] = [
  {
    title: 'Requests by status',
    unit: 'reqps',
    lines: [
      [`sum by (http_response_status_code) (${rate(`${DURATION}_count`)})`, '{{http_response_status_code}}'],
    ],
  },
  { title: 'Duration of requests', unit: 's', lines: [quantile(0.5), quantile(0.99)] },
  {
    title: 'Failed operations',
    unit: 'reqps',
    lines: [
      [
        `sum by (operation, outcome) (${rate('causeway_bus_operations_total{outcome=~"internal_error|temporarily_unavailable"}')})`,
        '{{operation}} {{outcome}}',
      ],
    ],
  },
  {
    title: 'Slowest operations (p99)',
    unit: 's',
    lines: [
      [
        `topk(10, histogram_quantile(0.99, sum by (le, operation) (${rate('causeway_bus_operation_duration_seconds_bucket')})))`,
        '{{operation}}',
      ],
    ],
  },
  {
    title: 'Wait for a database connection (p99)',
    unit: 's',
    lines: [
      [
        `histogram_quantile(0.99, sum by (le, service_name) (${rate('db_client_connection_wait_time_seconds_bucket')}))`,
        '{{service_name}}',
      ],
    ],
  },
  {
    title: 'Dropped requests',
    unit: 'reqps',
    lines: [
      [
        `sum by (service_name, reason) (${rate('causeway_bus_requests_dropped_total')})`,
        '{{service_name}} {{reason}}',
      ],
    ],
  },
  {
    title: 'Published events',
    unit: 'ops',
    lines: [[`sum by (service_name) (${rate('causeway_outbox_published_total')})`, '{{service_name}}']],
  },
  {
    title: 'Oldest unpublished event',
    unit: 's',
    lines: [byService('causeway_outbox_oldest_unpublished_age_seconds')],
  },
  { title: 'Unpublished events', unit: 'short', lines: [byService('causeway_outbox_unpublished_events')] },
  { title: 'Parked events', unit: 'short', lines: [byService('causeway_parked_events')] },
  {
    title: 'Events that consumers have not had',
    unit: 'short',
    lines: [
      ['max by (consumer) (causeway_stream_pending_messages)', '{{consumer}} pending'],
      ['max by (consumer) (causeway_stream_unacknowledged_messages)', '{{consumer}} unacknowledged'],
    ],
  },
  {
    title: 'Servers of the streams',
    unit: 'short',
    lines: [
      ['max by (stream) (causeway_stream_replicas_current)', '{{stream}} current'],
      ['max by (stream) (causeway_stream_replicas)', '{{stream}} wanted'],
      ['max by (stream) (causeway_stream_has_leader)', '{{stream}} leader'],
    ],
  },
  {
    title: 'Use of the streams',
    unit: 'percentunit',
    lines: [
      [
        'max by (stream) (causeway_stream_bytes) / max by (stream) (causeway_stream_limit_bytes)',
        '{{stream}}',
      ],
    ],
  },
  {
    title: 'Attempts of deliveries',
    unit: 'ops',
    lines: [
      [`sum by (channel, verdict) (${rate('causeway_webhook_attempts_total')})`, '{{channel}} {{verdict}}'],
    ],
  },
  {
    title: 'Deliveries that wait, and dead ones',
    unit: 'short',
    lines: [
      ['max(causeway_webhook_deliveries_waiting)', 'waiting'],
      ['max(causeway_webhook_deliveries_dead)', 'dead'],
    ],
  },
  {
    title: 'Delivery due for longest',
    unit: 's',
    lines: [['max(causeway_webhook_oldest_due_age_seconds)', 'oldest']],
  },
  {
    title: 'Refunds that differ from their processor',
    unit: 'short',
    lines: [['max by (processor, kind) (causeway_refund_differences)', '{{processor}} {{kind}}']],
  },
  {
    title: 'Since the last comparison of refunds',
    unit: 's',
    lines: [
      [
        'time() - max by (processor) (causeway_refund_reconciliation_finished_timestamp_seconds)',
        '{{processor}}',
      ],
    ],
  },
  {
    title: 'Age of the last block that was read',
    unit: 's',
    lines: [['time() - max by (network) (causeway_chain_block_mined_at_seconds)', '{{network}}']],
  },
  {
    title: 'Since the last successful look for blocks',
    unit: 's',
    lines: [['time() - max by (network) (causeway_chain_looked_at_seconds)', '{{network}}']],
  },
  {
    title: 'Blocks that are read',
    unit: 'ops',
    lines: [
      ['max by (network) (deriv(causeway_chain_block_number[$__rate_interval]))', '{{network}}'],
      [`sum by (network) (${rate('causeway_chain_reorganisations_total')})`, '{{network}} reorganisations'],
    ],
  },
  {
    title: 'CPU',
    unit: 'percentunit',
    lines: [
      [
        `sum by (service_name, instance) (${rate('process_cpu_seconds_total')})`,
        '{{service_name}} {{instance}}',
      ],
    ],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    lines: [
      ['max by (service_name, instance) (process_resident_memory_bytes)', '{{service_name}} {{instance}}'],
    ],
  },
  {
    title: 'Lag of the event loop, p99',
    unit: 's',
    lines: [
      ['max by (service_name, instance) (nodejs_eventloop_lag_p99_seconds)', '{{service_name}} {{instance}}'],
    ],
  },
]

const COLUMNS = 3
const WIDTH = 24 / COLUMNS
const HEIGHT = 8
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

const panelAt = ({ title, unit, lines }: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource: DATASOURCE,
  gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: lines.map(([expr, legendFormat], target) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + target),
    datasource: DATASOURCE,
    expr,
    legendFormat,
  })),
})

/** The dashboard in Grafana's JSON model. */
export const dashboard = {
  uid: 'causeway',
  title: 'Causeway',
  schemaVersion: 39,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: PANELS.map(panelAt),
}
