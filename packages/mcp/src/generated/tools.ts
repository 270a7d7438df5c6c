/* Made from the OpenAPI document by scripts/generate-client.ts: change the contracts, then run it. */
/* oxlint-disable -- generated */
import type { ToolTable } from '../tool.ts'

/** Operations with which a partner reads, with its token. */
export const PARTNER_TOOLS = {
  listCustomers: {
    description:
      'List the customers of the partner, oldest first. Use it to compare your records with the platform’s, or to find a customer by your own id. To read one customer, get it by its `partner_customer_id`.',
    scopes: ['customers:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        external_customer_id: {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          description: 'Only the customer with this id of yours',
        },
        created_since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Only those created at this time or later',
        },
        created_until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Only those created before this time',
        },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getCustomer: {
    description:
      'Get a customer. Use it to read the status of the relationship, and the name and country from the customer’s verification data. `customer.updated` reports changes.',
    scopes: ['customers:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getBrand: {
    description:
      'Get the brand of the partner. Use it to see what the pages of your customers and their buyers show.',
    scopes: ['partner:read'],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  getCustomerBrand: {
    description:
      'Get the brand of a customer. Fields that the customer’s brand does not set come from the partner’s own brand: `effective_brand` has the result.',
    scopes: ['customers:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listCapabilities: {
    description:
      'Get the customer’s capabilities: granted and available. Read it before you offer a payment method: an order needs a capability that is `enabled` and `available`. `reason` says what is missing. Do not poll: `capability.updated` reports every change.',
    scopes: ['customers:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listNextSteps: {
    description:
      'List the steps until all granted capabilities are available. Use it to show a customer the next steps: everything that blocks a granted capability or the case, in a workable order.',
    scopes: ['customers:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getCustomerVerification: {
    description:
      'Get the verification of a customer with the data that this partner wrote. Use it to show a customer the status and the data so far. It returns 404 before your first write.',
    scopes: ['kyb:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getVerification: {
    description:
      'Get a verification with the data that this partner wrote. Use it when you have a `verification_id`, for example from an event.',
    scopes: ['kyb:read'],
    inputSchema: {
      type: 'object',
      properties: { verificationId: { type: 'string', pattern: '^ver_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['verificationId'],
      additionalProperties: false,
    },
  },
  getVerificationSchema: {
    description:
      'Get the JSON Schema of a verification write, and the rules of submission. Use it to build or check a form. Writes are validated against this JSON Schema. Read it again with every release.',
    scopes: ['kyb:read'],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  listAgreements: {
    description:
      'List all agreements with the customer’s acceptances, in order of first publication. Beyond 512 KiB a page omits the evidence of older acceptances (`evidence_omitted`). Use it to find which agreements the customer must still accept (`required`), to show them (`document_url`), and to prove earlier acceptances.',
    scopes: ['agreements:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listDocuments: {
    description:
      'List the documents that the partner has uploaded for a customer, oldest first. Use it to see the uploaded documents and their review results.',
    scopes: ['documents:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listRequirements: {
    description:
      'List the requirements of a customer, oldest first. Use it to find what a submitted case still needs: filter by `status=open`.',
    scopes: ['kyb:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        status: { type: 'string', const: 'open' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getRequirement: {
    description:
      'Get a requirement. Use it to read a requirement after `requirement.created` or `requirement.resolved`.',
    scopes: ['kyb:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        requirementId: { type: 'string', pattern: '^rqm_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
      },
      required: ['customerId', 'requirementId'],
      additionalProperties: false,
    },
  },
  listCryptoOrders: {
    description:
      'List the orders of this relationship, newest first. Use it to compare your orders with the platform’s. It needs the capability `payments.crypto`.',
    scopes: ['orders:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listAllCryptoOrders: {
    description:
      'List the crypto orders of all your customers, newest first. Use it to find an order by your `reference`, or the orders in a state. Orders of customers without an active relationship or without the capability `payments.crypto` are left out. With a filter, a page before the last can be short or empty: follow `next_cursor` until it is null.',
    scopes: ['orders:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
        status: {
          type: 'string',
          enum: ['pending', 'underpaid', 'paid', 'expired', 'cancelled', 'refunded'],
        },
        reference: {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          description: 'Only those with exactly this reference of yours',
        },
        created_since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Only those created at this time or later',
        },
        created_until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Only those created before this time',
        },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getCryptoOrder: {
    description:
      'Get a crypto order with its QR image. Use it after a payment event or while the payer waits. The QR image is inline.',
    scopes: ['orders:read'],
    inputSchema: {
      type: 'object',
      properties: { orderId: { type: 'string', pattern: '^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['orderId'],
      additionalProperties: false,
    },
  },
  listIntegrations: {
    description:
      'List the checkout configurations. Use it to find the `integration_id` for a card order. An active customer has at least one.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listFiatOrders: {
    description:
      'List the card orders of a customer, newest first. Use it to compare your orders with the platform’s.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getFiatOrder: {
    description:
      'Get a card order. Use it after a payment event: `refunded_cents` and `chargeback_cents` are here, not in events.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { orderKey: { type: 'string', pattern: '^[1-9]\\d{0,17}$' } },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  listAllFiatOrders: {
    description:
      'List the card orders of all your customers, newest first. Use it to find an order by your `merchant_reference`, or the orders in a state. Orders of customers without an active relationship are left out. With a filter, a page before the last can be short or empty: follow `next_cursor` until it is null.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
        status: {
          type: 'string',
          enum: ['pending', 'paid', 'completed', 'cancelled', 'expired', 'refunded', 'chargeback'],
        },
        reference: {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          description: 'Only those with exactly this reference of yours',
        },
        created_since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Only those created at this time or later',
        },
        created_until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Only those created before this time',
        },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listChargebacks: {
    description:
      'List the chargebacks of a customer, newest first. Use it for the disputes of a customer. An empty list does not prove that there are no disputes: some processors send no notices. It needs the capability `payments.fiat_card`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listFiatOrderChargebacks: {
    description:
      'List the chargebacks of a card order. Use it after `payment.chargeback`, which has no amounts. An order that you cannot see returns an empty list.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        orderKey: { type: 'string' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
      },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  listChargebackCases: {
    description:
      'List the chargeback cases of a customer, newest first. Use it to see which payers are blocked after a dispute, and the disputed orders.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listRefunds: {
    description:
      'List the refunds of a card order, newest first. Use it for all refunds of an order, including those made at the processor.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        orderKey: { type: 'string', pattern: '^[1-9]\\d{0,17}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  getOnrampOrder: {
    description:
      'Get the latest purchase of a crypto order. Use it to show the progress while the payer is at the provider.',
    scopes: ['orders:read'],
    inputSchema: {
      type: 'object',
      properties: { orderId: { type: 'string', pattern: '^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['orderId'],
      additionalProperties: false,
    },
  },
  listWallets: {
    description:
      'List the balances of a customer by unit. Use it for what is owed to a customer. A payment is `pending` first and becomes `available` later. It needs the capability `wallets`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listOwnWallets: {
    description:
      'List the partner’s own earnings by unit. Use it for the fees that the partner has earned from its customers’ payments.',
    scopes: ['partner:read'],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  listBalanceEntries: {
    description:
      'List the entries of a customer’s balances, newest first. Use it to explain a balance, or to find what was recorded for an order. A balance is the sum of its entries. It needs the capability `wallets`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        unit: { type: 'string', description: 'Currency (`EUR`), or network and asset (`ETH/USDC`)' },
        kind: {
          type: 'string',
          enum: [
            'payment',
            'service_fee',
            'partner_fee',
            'split',
            'refund',
            'fee_returned',
            'dispute',
            'dispute_fee',
            'dispute_reversed',
            'release',
            'reserve',
            'reserve_released',
            'payout',
            'payout_fee',
            'payout_returned',
            'deposit',
            'deposit_reverted',
            'conversion',
            'network_fee',
            'adjustment',
          ],
        },
        balance: { type: 'string', enum: ['pending', 'available', 'reserved', 'on_the_way'] },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest `recorded_at`, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest `recorded_at`, exclusive',
        },
        payout_id: { type: 'string', maxLength: 100 },
        order_key: { type: 'string', maxLength: 100 },
        order_id: { type: 'string', maxLength: 100 },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listOwnBalanceEntries: {
    description:
      'List the entries of the partner’s own balances, newest first. Use it to explain what the partner has earned.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: {
        unit: { type: 'string', description: 'Currency (`EUR`), or network and asset (`ETH/USDC`)' },
        kind: {
          type: 'string',
          enum: [
            'payment',
            'service_fee',
            'partner_fee',
            'split',
            'refund',
            'fee_returned',
            'dispute',
            'dispute_fee',
            'dispute_reversed',
            'release',
            'reserve',
            'reserve_released',
            'payout',
            'payout_fee',
            'payout_returned',
            'deposit',
            'deposit_reverted',
            'conversion',
            'network_fee',
            'adjustment',
          ],
        },
        balance: { type: 'string', enum: ['pending', 'available', 'reserved', 'on_the_way'] },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest `recorded_at`, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest `recorded_at`, exclusive',
        },
        payout_id: { type: 'string', maxLength: 100 },
        order_key: { type: 'string', maxLength: 100 },
        order_id: { type: 'string', maxLength: 100 },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listDailyTotals: {
    description:
      'List the sums of all customers’ balance entries by day. Use it to draw how payments, refunds, disputes and fees develop. A day is in UTC, and an entry belongs to the day on which it took effect. Transfers between balances of one owner are left out. At most 184 days of the last 400; new entries are included within seconds.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        since: {
          type: 'string',
          format: 'date',
          description: 'First day (UTC); 30 days up to `until` if left out',
        },
        until: {
          type: 'string',
          format: 'date',
          description: 'Last day (UTC), inclusive; today if left out',
        },
        unit: { type: 'string', description: 'Currency (`EUR`), or network and asset (`ETH/USDC`)' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getReport: {
    description:
      'Get a report and the URL of its file. Use it until `status` is `ready`. `url` needs no credential and expires after five minutes; read the report again for another one. A report is kept for seven days.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { reportId: { type: 'string', pattern: '^rpt_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['reportId'],
      additionalProperties: false,
    },
  },
  getOwnStatement: {
    description:
      'Get a month of the partner’s own earnings, with its proof. Use it for the accounts of a month that is over: its statement never changes. The statement is spelled as a merchant’s is (camelCase), because its hashes cover the spelling: `causeway verify` checks both.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: {
        month: { type: 'string', description: 'Month of `recordedAt` in UTC, `yyyy-mm`' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          description: 'Page size, 1 to 1000, default 1000; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['month'],
      additionalProperties: false,
    },
  },
  getPayoutSchedule: {
    description:
      'Get when a customer is paid out, by unit. Use it to show when the next payout is due. Until a schedule is set it is `manual`. It needs the capability `payouts`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listCustomerPayouts: {
    description:
      'List the payouts of a customer, newest first. Use it to match payouts with the customer’s account. It needs the capability `payouts`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listPartnerPayouts: {
    description:
      'List the payouts of the partner’s own earnings, newest first. Use it to match what you were paid with your account.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getPayout: {
    description:
      'Get a payout to a customer, or of the partner’s own earnings. Use it for how a payout adds up: the fields of `summary` together are its amount.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { payoutId: { type: 'string', pattern: '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['payoutId'],
      additionalProperties: false,
    },
  },
  listPayoutEntries: {
    description:
      'List exactly the entries that a payout pays, newest first. Use it to explain a payout, order by order. An entry may be paid in parts by several payouts.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        payoutId: { type: 'string', pattern: '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['payoutId'],
      additionalProperties: false,
    },
  },
  listPayoutWallets: {
    description:
      'List the destinations of a customer’s payouts, newest first. Use it to choose where a payout goes. A customer has at most 20. It needs the capability `payout_wallets`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getPayoutWallet: {
    description:
      'Get a destination of a customer’s payouts. Use it to see whether it is `active`. A deleted one is not found.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        payoutWalletId: { type: 'string', pattern: '^pwt_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
      },
      required: ['customerId', 'payoutWalletId'],
      additionalProperties: false,
    },
  },
  listWebhookSubscriptions: {
    description:
      'Get the destinations, the event types and the signature scheme. Use it to check where your events go. To change it, use the webhook endpoints (scope `webhooks:write`), or ask staff. The secret is never returned.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listWebhookEndpoints: {
    description:
      'List the webhook endpoints, oldest first. Use it to find an endpoint’s id, its status and its event types.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getWebhookEndpoint: {
    description:
      'Get a webhook endpoint. Use it to check where an endpoint sends. Its secret is never returned.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: { webhookId: { type: 'string', pattern: '^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  listEndpointDeliveries: {
    description:
      'List the deliveries of a destination with their attempts, newest first. Use it to find out why a receiver missed an event: each attempt has its time, status code and response. `status=dead` lists deliveries after their last attempt.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest creation, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest creation, exclusive',
        },
        status: { type: 'string', enum: ['waiting', 'delivered', 'dead'] },
        event_type: { type: 'string', maxLength: 100 },
        event_id: { type: 'string', maxLength: 100 },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  listEndpointEvents: {
    description:
      'List the events of a partner or merchant, delivered or not, newest first. Use it to see what happened, delivered or not, and to find the id of an event to send again.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest creation, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest creation, exclusive',
        },
        status: { type: 'string', enum: ['waiting', 'delivered', 'dead', 'missed'] },
        event_type: { type: 'string', maxLength: 100 },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getEndpointEvent: {
    description:
      'Get an event with the body of its deliveries. Use it while writing a receiver: `payload` is the body of a delivery.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: { eventId: { type: 'string', pattern: '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['eventId'],
      additionalProperties: false,
    },
  },
  listEndpointWebhookEvents: {
    description:
      'List the events that a destination received or would have received, newest first. Use it to find what a receiver missed (`status=missed`), such as events before its registration.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest creation, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest creation, exclusive',
        },
        status: { type: 'string', enum: ['waiting', 'delivered', 'dead', 'missed'] },
        event_type: { type: 'string', maxLength: 100 },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  listFeedEvents: {
    description:
      'List your events in the order of the feed, which never changes. Use it instead of webhooks, or after your receiver was down: pass the last event that you have processed as `after`, and read until `next_cursor` is null. Each event has the body of its webhook, whether or not you have an endpoint. With `wait` the response comes with the next event. The feed keeps 30 days, unless the platform is configured otherwise.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: {
        after: {
          type: 'string',
          pattern: '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$',
          description:
            'The last event that you have processed, from this feed or from a webhook; the page begins after it. Without it the page begins with the oldest event',
        },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Begin with events created at this time or later; ignored with `after`',
        },
        types: {
          example: 'payment.confirmed,refund.completed',
          type: 'string',
          maxLength: 255,
          description: 'Event types, separated by commas; without it, every type',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        wait: {
          type: 'integer',
          minimum: 0,
          maximum: 30,
          pattern: '^\\d{1,2}$',
          description: 'Seconds to wait for an event if the last page would be empty, 0 to 30, default 0',
        },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getFeedEvent: {
    description:
      'Get one of your events by its id. Use it to read an event again, such as one whose id you have logged.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: { eventId: { type: 'string', pattern: '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['eventId'],
      additionalProperties: false,
    },
  },
  listEndpointRedeliveries: {
    description:
      'List the redeliveries of a destination, newest first. Use it to see running and earlier redeliveries.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  getEndpointRedelivery: {
    description:
      'Get the progress of a redelivery. Use it during a redelivery: `reached` moves from `since` to `until`.',
    scopes: ['webhooks:read'],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        redeliveryId: { type: 'string', pattern: '^rdl_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
      },
      required: ['webhookId', 'redeliveryId'],
      additionalProperties: false,
    },
  },
} as const satisfies ToolTable

/** Operations with which a merchant reads, with its key. */
export const MERCHANT_TOOLS = {
  listMerchantOrderDeposits: {
    description:
      'List the deposits of a crypto order with their blocks and sweeps. Use it to follow the money of an order: each deposit, its block and confirmations, and the transfer that moved it from its address. An unknown order has none.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: { orderId: { type: 'string', minLength: 1, maxLength: 64 } },
      required: ['orderId'],
      additionalProperties: false,
    },
  },
  listMerchantOrders: {
    description:
      'List the merchant’s crypto and card orders, newest first. Use it to find an order by its reference, or to see which orders are in a state. It has the orders of all relationships. With a filter, a page before the last can be short or empty: follow `nextCursor`.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
        kind: { type: 'string', enum: ['crypto', 'card'], description: 'Left out: both kinds' },
        status: {
          type: 'string',
          enum: [
            'pending',
            'underpaid',
            'paid',
            'expired',
            'cancelled',
            'refunded',
            'completed',
            'chargeback',
          ],
          description: 'Left out: any status',
        },
        search: {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          description: 'Only orders with this reference, id or order key',
        },
        currency: {
          type: 'string',
          description: 'Only orders with a price in this currency',
          pattern: '^[A-Z]{3}$',
        },
        asset: {
          type: 'string',
          enum: ['BTC', 'LTC', 'ETH', 'USDT', 'USDC', 'SOL', 'XRP'],
          description: 'Only crypto orders in this asset',
        },
        amount_from: {
          type: 'string',
          description: 'Smallest price, in the order’s currency: `12.50`',
          pattern: '^-?\\d+(\\.\\d+)?$',
        },
        amount_to: {
          type: 'string',
          description: 'Largest price, in the order’s currency: `12.50`',
          pattern: '^-?\\d+(\\.\\d+)?$',
        },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest `created_at`, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest `created_at`, exclusive',
        },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listBalances: {
    description:
      'List the merchant’s balances by relationship and unit, and their sums. Use it for what is owed to the merchant. Balances whose `partnerCustomerId` is null are sums over all of them; one with your own id is booked at no relationship.',
    scopes: [],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  listMerchantBalanceEntries: {
    description:
      'List the entries of the merchant’s balances, newest first. Use it to explain the merchant’s balances, over all of its relationships.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        unit: { type: 'string', description: 'Currency (`EUR`), or network and asset (`ETH/USDC`)' },
        kind: {
          type: 'string',
          enum: [
            'payment',
            'service_fee',
            'partner_fee',
            'split',
            'refund',
            'fee_returned',
            'dispute',
            'dispute_fee',
            'dispute_reversed',
            'release',
            'reserve',
            'reserve_released',
            'payout',
            'payout_fee',
            'payout_returned',
            'deposit',
            'deposit_reverted',
            'conversion',
            'network_fee',
            'adjustment',
          ],
        },
        balance: { type: 'string', enum: ['pending', 'available', 'reserved', 'on_the_way'] },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest `recorded_at`, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest `recorded_at`, exclusive',
        },
        payout_id: { type: 'string', maxLength: 100 },
        order_key: { type: 'string', maxLength: 100 },
        order_id: { type: 'string', maxLength: 100 },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listMerchantDailyTotals: {
    description:
      'List the sums of the merchant’s balance entries by day. Use it to draw how payments, refunds, disputes and fees develop. A day is in UTC, and an entry belongs to the day on which it took effect. Transfers between balances of one owner are left out. At most 184 days of the last 400; new entries are included within seconds.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        since: {
          type: 'string',
          format: 'date',
          description: 'First day (UTC); 30 days up to `until` if left out',
        },
        until: {
          type: 'string',
          format: 'date',
          description: 'Last day (UTC), inclusive; today if left out',
        },
        unit: { type: 'string', description: 'Currency (`EUR`), or network and asset (`ETH/USDC`)' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getStatement: {
    description:
      'Get a month of the merchant’s balances, with its proof. Use it for the accounts of a month that is over: its statement never changes. `causeway verify` checks it offline and names a line that was altered, added or left out. A statement of more than `limit` lines has pages: `causeway statement` joins them. The statement of the current month has what was recorded until a minute ago.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        month: { type: 'string', description: 'Month of `recordedAt` in UTC, `yyyy-mm`' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          description: 'Page size, 1 to 1000, default 1000; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['month'],
      additionalProperties: false,
    },
  },
  listMerchantPayouts: {
    description: 'List the merchant’s payouts, newest first. Use it to match payouts with your account.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getMerchantPayout: {
    description:
      'Get a payout. Use it for how a payout adds up: the fields of `summary` together are its amount.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: { payoutId: { type: 'string', pattern: '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['payoutId'],
      additionalProperties: false,
    },
  },
  listMerchantPayoutEntries: {
    description:
      'List exactly the entries that a payout pays, newest first. Use it to explain a payout, order by order. An entry may be paid in parts by several payouts.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        payoutId: { type: 'string', pattern: '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; other values are clamped',
        },
        before: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: ['payoutId'],
      additionalProperties: false,
    },
  },
  listMerchantOrderSettlements: {
    description:
      'List how a processor has settled a card order. Use it to follow the money of an order: the lines of the processor’s report, its payout and the day on which the bank booked that. An unknown order has none.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: { orderKey: { type: 'string' } },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  listApiKeys: {
    description:
      'List the valid API keys, oldest first. Use it to see which keys are valid, by their last characters.',
    scopes: [],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  listWebhooks: {
    description:
      'List the registered webhooks, oldest first. Use it to find a webhook’s id and its checkout.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listDeliveries: {
    description:
      'List the deliveries of a destination with their attempts, newest first. Use it to find out why a receiver missed an event: each attempt has its time, status code and response. `status=dead` lists deliveries after their last attempt.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest creation, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest creation, exclusive',
        },
        status: { type: 'string', enum: ['waiting', 'delivered', 'dead'] },
        event_type: { type: 'string', maxLength: 100 },
        event_id: { type: 'string', maxLength: 100 },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  listEvents: {
    description:
      'List the events of a partner or merchant, delivered or not, newest first. Use it to see what happened, delivered or not, and to find the id of an event to send again.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest creation, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest creation, exclusive',
        },
        status: { type: 'string', enum: ['waiting', 'delivered', 'dead', 'missed'] },
        event_type: { type: 'string', maxLength: 100 },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getEvent: {
    description:
      'Get an event with the body of its deliveries. Use it while writing a receiver: `payload` is the body of a delivery.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: { eventId: { type: 'string', pattern: '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['eventId'],
      additionalProperties: false,
    },
  },
  listWebhookEvents: {
    description:
      'List the events that a destination received or would have received, newest first. Use it to find what a receiver missed (`status=missed`), such as events before its registration.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; other values are clamped',
        },
        cursor: { type: 'string', description: '`next_cursor` of the previous page' },
        since: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Earliest creation, inclusive',
        },
        until: {
          type: 'string',
          maxLength: 64,
          format: 'date-time',
          description: 'Latest creation, exclusive',
        },
        status: { type: 'string', enum: ['waiting', 'delivered', 'dead', 'missed'] },
        event_type: { type: 'string', maxLength: 100 },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  listRedeliveries: {
    description:
      'List the redeliveries of a destination, newest first. Use it to see running and earlier redeliveries.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  getRedelivery: {
    description:
      'Get the progress of a redelivery. Use it during a redelivery: `reached` moves from `since` to `until`.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        redeliveryId: { type: 'string', pattern: '^rdl_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
      },
      required: ['webhookId', 'redeliveryId'],
      additionalProperties: false,
    },
  },
} as const satisfies ToolTable
