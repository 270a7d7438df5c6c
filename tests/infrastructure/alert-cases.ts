/** Series by name with labels, and their values a minute (promtool's notation). */
type Series = Readonly<Record<string, string>>

/** Cases of one alert: series with which it fires, its labels then, and series with which it does not fire. */
export type AlertCase = Readonly<{ fires: Series; labels: Readonly<Record<string, string>>; silent: Series }>

/** Alerts are looked at after 45 minutes of these. */
const constant = (value: number) => `${value}x60`
const rising = (perMinute: number) => `0+${perMinute}x60`
/** For the last 20 minutes. */
const lately = (value: number) => `0x25 ${value}x35`

const requests = (status: number) =>
  `http_server_request_duration_seconds_count{http_response_status_code="${status}"}`
const bucket = (le: string) => `http_server_request_duration_seconds_bucket{le="${le}"}`
const dropped = (reason: string) =>
  `causeway_bus_requests_dropped_total{service_name="payments",reason="${reason}"}`
const ofStream = (name: string, instance = 'a') =>
  `causeway_stream_${name}{stream="EVENTS",instance="${instance}"}`
const ofChain = (name: string, network: string, instance = 'a') =>
  `causeway_chain_${name}{network="${network}",instance="${instance}"}`
const SECONDS_AT_45_MINUTES = 45 * 60

export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  ProcessDown: {
    fires: { 'up{job="causeway",instance="a"}': constant(0) },
    labels: { job: 'causeway', instance: 'a' },
    silent: {
      'up{job="causeway",instance="a"}': `1x43 0 1x15`,
      'up{job="another",instance="b"}': constant(0),
    },
  },
  LogNotArchived: {
    fires: { 'causeway_database_archive_failing{service_name="payments"}': constant(1) },
    labels: { service_name: 'payments' },
    silent: {
      'causeway_database_archive_failing{service_name="payments"}': constant(0),
      'causeway_database_archive_age_seconds{service_name="payments"}': constant(899),
    },
  },
  BaseBackupOld: {
    fires: { 'causeway_database_base_backup_age_seconds{service_name="payments"}': constant(172_801) },
    labels: { service_name: 'payments' },
    silent: { 'causeway_database_base_backup_age_seconds{service_name="payments"}': constant(172_800) },
  },
  ServerErrors: {
    fires: { [requests(200)]: rising(98), [requests(500)]: rising(2) },
    labels: {},
    silent: { [requests(200)]: rising(1_000), [requests(422)]: rising(500), [requests(503)]: rising(1) },
  },
  RequestsSlow: {
    fires: { [bucket('1')]: rising(90), [bucket('5')]: rising(100), [bucket('+Inf')]: rising(100) },
    labels: {},
    silent: { [bucket('1')]: rising(100), [bucket('5')]: rising(100), [bucket('+Inf')]: rising(100) },
  },
  RequestsDropped: {
    fires: { [dropped('busy')]: rising(60) },
    labels: { service_name: 'payments', reason: 'busy' },
    silent: { [dropped('busy')]: '0x40 20x20', [dropped('seal')]: rising(60) },
  },
  RequestsForged: {
    fires: { [dropped('seal')]: '0x40 1x20' },
    labels: { service_name: 'payments', reason: 'seal' },
    silent: { [dropped('deadline')]: rising(60), [dropped('seal')]: constant(4) },
  },
  EventLoopBlocked: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{service_name="payments",instance="a"}': constant(0.8) },
    labels: { service_name: 'payments', instance: 'a' },
    silent: { 'nodejs_eventloop_lag_p99_seconds{service_name="payments",instance="a"}': constant(0.02) },
  },
  EventsNotPublished: {
    fires: {
      'causeway_outbox_oldest_unpublished_age_seconds{service_name="payments",instance="a"}': rising(60),
      'causeway_outbox_oldest_unpublished_age_seconds{service_name="payments",instance="b"}': rising(60),
    },
    labels: { service_name: 'payments' },
    silent: {
      'causeway_outbox_oldest_unpublished_age_seconds{service_name="payments"}': '0x44 70x15',
      'causeway_outbox_oldest_unpublished_age_seconds{service_name="refunds"}': constant(5),
    },
  },
  StreamWithoutLeader: {
    fires: { [ofStream('has_leader')]: lately(0), [ofStream('has_leader', 'b')]: lately(0) },
    labels: { stream: 'EVENTS' },
    // One gateway alone has lost its bus.
    silent: { [ofStream('has_leader')]: lately(0), [ofStream('has_leader', 'b')]: constant(1) },
  },
  OrderNumbersRunOut: {
    fires: { 'causeway_order_numbers_left{name="XRP",instance="a"}': lately(399_000_000) },
    labels: { name: 'XRP' },
    silent: { 'causeway_order_numbers_left{name="XRP",instance="a"}': constant(401_000_000) },
  },
  OrderNumbersNotMarked: {
    fires: {
      'causeway_order_numbers_marked{instance="a"}': lately(0),
      'causeway_order_numbers_marked{instance="b"}': lately(0),
    },
    labels: {},
    // One replica alone has lost its bus.
    silent: {
      'causeway_order_numbers_marked{instance="a"}': lately(0),
      'causeway_order_numbers_marked{instance="b"}': constant(1),
    },
  },
  StreamReplicaMissing: {
    fires: { [ofStream('replicas')]: constant(3), [ofStream('replicas_current')]: constant(2) },
    labels: { stream: 'EVENTS' },
    silent: { [ofStream('replicas')]: constant(3), [ofStream('replicas_current')]: '3x40 2x3 3x15' },
  },
  StreamFills: {
    fires: { [ofStream('bytes')]: constant(81), [ofStream('limit_bytes')]: constant(100) },
    labels: { stream: 'EVENTS' },
    silent: { [ofStream('bytes')]: constant(79), [ofStream('limit_bytes')]: constant(100) },
  },
  EventStreamFullSoon: {
    fires: { causeway_event_stream_full_in_seconds: constant(4 * 3600 - 1) },
    labels: {},
    silent: { causeway_event_stream_full_in_seconds: constant(4 * 3600) },
  },
  ConsumerBehind: {
    fires: { 'causeway_stream_pending_messages{consumer="webhooks-fanout"}': constant(10_001) },
    labels: { consumer: 'webhooks-fanout' },
    silent: { 'causeway_stream_pending_messages{consumer="webhooks-fanout"}': '0x40 50000x3 0x15' },
  },
  JobFailing: {
    fires: {
      'causeway_job_failing_seconds{service_name="webhooks",background_job="event-retention"}': constant(901),
    },
    labels: { service_name: 'webhooks', background_job: 'event-retention' },
    silent: {
      'causeway_job_failing_seconds{service_name="webhooks",background_job="event-retention"}': constant(900),
    },
  },
  EventsParked: {
    fires: { 'causeway_parked_events{service_name="webhooks"}': lately(1) },
    labels: { service_name: 'webhooks' },
    silent: { 'causeway_parked_events{service_name="webhooks"}': constant(0) },
  },
  MailUndelivered: {
    fires: { causeway_mails_dead: lately(1) },
    labels: {},
    silent: { causeway_mails_dead: constant(0), causeway_mails_waiting: constant(10) },
  },
  BooksWrong: {
    fires: { causeway_ledger_faults: lately(1) },
    labels: {},
    silent: { causeway_ledger_faults: constant(0) },
  },
  LedgerBehind: {
    fires: {
      'causeway_stream_pending_messages{consumer="ledger-facts"}': constant(0),
      causeway_ledger_overdue_postings: constant(1),
    },
    labels: {},
    silent: {
      'causeway_stream_pending_messages{consumer="ledger-facts"}': constant(1_000),
      causeway_ledger_overdue_postings: constant(0),
    },
  },
  FactsDiffer: {
    fires: { causeway_ledger_facts_differing: lately(1) },
    labels: {},
    silent: { causeway_ledger_facts_differing: constant(0) },
  },
  DifferencesOpen: {
    fires: { causeway_ledger_difference_age_seconds: constant(259_201) },
    labels: {},
    silent: { causeway_ledger_difference_age_seconds: constant(259_200) },
  },
  ChainBalanceShort: {
    fires: { causeway_ledger_chain_balances_short: constant(1) },
    labels: {},
    silent: { causeway_ledger_chain_balances_short: constant(0) },
  },
  ChainsNotCompared: {
    fires: { causeway_ledger_chain_compared_age_seconds: constant(21_601) },
    labels: {},
    silent: { causeway_ledger_chain_compared_age_seconds: constant(21_600) },
  },
  SettlementsOverdue: {
    fires: { causeway_ledger_overdue_settlements: constant(1) },
    labels: {},
    silent: { causeway_ledger_overdue_settlements: constant(0) },
  },
  PayoutsInTransit: {
    fires: { causeway_ledger_in_transit_age_seconds: constant(432_001) },
    labels: {},
    silent: { causeway_ledger_in_transit_age_seconds: constant(432_000) },
  },
  FactsNotCompared: {
    fires: { causeway_ledger_facts_compared_age_seconds: constant(301) },
    labels: {},
    silent: { causeway_ledger_facts_compared_age_seconds: constant(300) },
  },
  TransferStuck: {
    fires: { 'causeway_signer_stuck_transfers{network="BTC",instance="a"}': constant(1) },
    labels: { network: 'BTC' },
    silent: { 'causeway_signer_stuck_transfers{network="BTC",instance="a"}': constant(0) },
  },
  DeliveriesStopped: {
    fires: {
      causeway_webhook_oldest_due_age_seconds: rising(60),
      'causeway_webhook_attempts_total{channel="partner",verdict="delivered"}': constant(7),
    },
    labels: {},
    // A dead receiver's deliveries are due for hours: others are attempted.
    silent: {
      causeway_webhook_oldest_due_age_seconds: rising(60),
      'causeway_webhook_attempts_total{channel="partner",verdict="delivered"}': rising(7),
    },
  },
  DeliveriesWait: {
    fires: { causeway_webhook_deliveries_waiting: constant(50_001) },
    labels: {},
    silent: { causeway_webhook_deliveries_waiting: lately(50_001) },
  },
  DeliveriesDie: {
    fires: { causeway_webhook_deliveries_dead: '5x60 5x30 106x60' },
    labels: {},
    silent: { causeway_webhook_deliveries_dead: constant(90_000) },
  },
  RefundsDisagree: {
    fires: { 'causeway_refund_differences{processor="stripe",kind="missing_here"}': lately(1) },
    labels: { processor: 'stripe', kind: 'missing_here' },
    silent: { 'causeway_refund_differences{processor="stripe",kind="missing_here"}': '0x35 1x5 0x20' },
  },
  RefundsNotReconciled: {
    fires: {
      'causeway_refund_reconciliation_finished_timestamp_seconds{processor="stripe",instance="a"}':
        constant(60),
    },
    labels: { processor: 'stripe' },
    // Another replica took over.
    silent: {
      'causeway_refund_reconciliation_finished_timestamp_seconds{processor="stripe",instance="a"}':
        constant(60),
      'causeway_refund_reconciliation_finished_timestamp_seconds{processor="stripe",instance="b"}': constant(
        SECONDS_AT_45_MINUTES - 600,
      ),
    },
  },
  RefundMadeAfterFailure: {
    // A counter with labels appears with its first count.
    fires: { 'causeway_refunds_made_after_failure_total{processor="stripe"}': '_x40 1x20' },
    labels: {},
    silent: { 'causeway_refunds_made_after_failure_total{processor="stripe"}': '_x60' },
  },
  RefundFailedAfterSuccess: {
    // A counter with labels appears with its first count.
    fires: { 'causeway_refunds_failed_after_success_total{processor="stripe"}': '_x40 1x20' },
    labels: {},
    silent: { 'causeway_refunds_failed_after_success_total{processor="stripe"}': '_x60' },
  },
  RefundLimitReached: {
    fires: { 'causeway_refund_limits_reached_total{service_name="refunds"}': '0x40 1x20' },
    labels: { service_name: 'refunds' },
    silent: { 'causeway_refund_limits_reached_total{service_name="refunds"}': constant(3) },
  },
  MoneyUnattributed: {
    fires: { 'causeway_unattributed_money_oldest_age_seconds{kind="late"}': constant(86_401) },
    labels: { kind: 'late' },
    silent: { 'causeway_unattributed_money_oldest_age_seconds{kind="late"}': constant(86_400) },
  },
  ChainNotRead: {
    fires: { [ofChain('looked_at_seconds', 'LTC')]: constant(SECONDS_AT_45_MINUTES - 660) },
    labels: { network: 'LTC' },
    // Another replica took over.
    silent: {
      [ofChain('looked_at_seconds', 'LTC')]: constant(60),
      [ofChain('looked_at_seconds', 'LTC', 'b')]: constant(SECONDS_AT_45_MINUTES - 540),
    },
  },
  ChainBehind: {
    fires: {
      [ofChain('block_mined_at_seconds', 'BTC')]: constant(SECONDS_AT_45_MINUTES - 3_600),
      [ofChain('block_mined_at_seconds', 'LTC')]: constant(SECONDS_AT_45_MINUTES - 2_400),
    },
    labels: { network: 'LTC' },
    silent: {
      [ofChain('block_mined_at_seconds', 'BTC')]: constant(SECONDS_AT_45_MINUTES - 7_000),
      [ofChain('block_mined_at_seconds', 'LTC')]: constant(SECONDS_AT_45_MINUTES - 1_700),
      [ofChain('block_mined_at_seconds', 'ETH')]: constant(60),
      [ofChain('block_mined_at_seconds', 'ETH', 'b')]: constant(SECONDS_AT_45_MINUTES - 500),
    },
  },
}
