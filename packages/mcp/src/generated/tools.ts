/* Made from the OpenAPI document by scripts/generate-client.ts: change the contracts, then run it. */
/* eslint-disable -- generated */
import type { ToolTable } from '../tool.ts'

/** What a partner may read, with its token. */
export const PARTNER_TOOLS = {
  listCustomers: {
    description:
      'List the customers of the partner, oldest first. Use it to compare your own records with the platform’s, page by page. To read one customer, get it by its `partner_customer_id`.',
    scopes: ['customers:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  getCustomer: {
    description:
      'Read one customer. Read it for the status of the relationship and the name and country of the customer’s own verification data. `customer.updated` tells when to read it again.',
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
      'Read what the customer may use and what is available now. Read it before you offer a way to pay: an order needs its capability both `enabled` and `available`, and `reason` says what is missing. `capability.updated` tells of every change, so there is no need to poll.',
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
      'Read what is left to do until everything granted is available. Use it to show a customer what comes next: every thing that keeps a granted capability from being available or the case from its next state, in an order in which it can be done.',
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
      'Read the verification of a customer with the data that this partner wrote. Use it to show a customer how its verification stands, and what you have sent so far. It is 404 until your first write.',
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
      'Read a verification with the data that this partner wrote. Use it where you hold a `verification_id`, as the events about verifications name it.',
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
      'The JSON Schema of a verification write, and what submission asks for. Use it to build or check a form: the JSON Schema is the one that writes are validated by. Read it again with every release.',
    scopes: ['kyb:read'],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  listAgreements: {
    description:
      'List every agreement with the acceptances of a customer, in the order of their first publication; past the page’s 512 KiB the evidence of older acceptances is left out (`evidence_omitted`). Use it to find what a customer has still to accept (`status` is `required`), to show it by its `document_url`, and to prove what was accepted before.',
    scopes: ['agreements:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listDocuments: {
    description:
      'List the documents that the partner has uploaded for a customer, oldest first. Use it to see which documents are there, and what the review said about each.',
    scopes: ['documents:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listRequirements: {
    description:
      'List the requirements of a customer, oldest first. Use it to find what a submitted case still waits for: `status=open` gives those alone.',
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
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getRequirement: {
    description:
      'Read one requirement. Use it to see how one requirement stands, after `requirement.created` or `requirement.resolved`.',
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
          description: 'Page size, 1 to 100, default 25; clamped, never refused',
        },
        before: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getCryptoOrder: {
    description:
      'Read one order with its QR image. Read it after a payment event, or while the payer waits, with the QR image inline.',
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
      'List the checkout configurations. Use it to find the `integration_id` that a card order needs. It is never empty for a live customer.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
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
          description: 'Page size, 1 to 100, default 25; clamped, never refused',
        },
        before: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  getFiatOrder: {
    description:
      'Get a card order. Read it after a payment event: `refunded_cents` and `chargeback_cents` are here, not in events.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: { orderKey: { type: 'string', pattern: '^[1-9]\\d{0,17}$' } },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  listChargebacks: {
    description:
      'List the chargebacks of a customer, newest first. Use it for the disputes of a customer. An empty list is no proof that there is none: not every processor sends notices. It needs the capability `payments.fiat_card`.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; clamped, never refused',
        },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listFiatOrderChargebacks: {
    description:
      'List the chargebacks of a card order; empty where the order is not visible. Read it after `payment.chargeback`, which has no amounts. An order that you do not see answers an empty list.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        orderKey: { type: 'string' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 25; clamped, never refused',
        },
      },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  listChargebackCases: {
    description:
      'List the chargeback cases of a customer, newest first. Use it to see which payers of a customer are blocked after a dispute, and by which orders.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'string', pattern: '^pcu_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['customerId'],
      additionalProperties: false,
    },
  },
  listRefunds: {
    description:
      'List the refunds of a card order, newest first. Use it for all refunds of an order, with those that were made at the processor itself.',
    scopes: ['payments:read'],
    inputSchema: {
      type: 'object',
      properties: {
        orderKey: { type: 'string', pattern: '^[1-9]\\d{0,17}$' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: ['orderKey'],
      additionalProperties: false,
    },
  },
  getOnrampOrder: {
    description:
      'Get the latest purchase of a crypto order. Read it while the payer is with the provider, to show how far the purchase is.',
    scopes: ['orders:read'],
    inputSchema: {
      type: 'object',
      properties: { orderId: { type: 'string', pattern: '^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$' } },
      required: ['orderId'],
      additionalProperties: false,
    },
  },
  listWebhookSubscriptions: {
    description:
      'Read the destinations, the event types and how deliveries are signed. Use it to check where your events go. Destinations are set up by staff; the secret is never returned.',
    scopes: ['partner:read'],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: [],
      additionalProperties: false,
    },
  },
} as const satisfies ToolTable

/** What a merchant may read, with its key. */
export const MERCHANT_TOOLS = {
  listApiKeys: {
    description:
      'List the valid API keys, oldest first, by their last characters. Use it to see which keys are valid, by their last characters.',
    scopes: [],
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  listWebhooks: {
    description:
      'Read the registered webhooks, oldest first. Use it to find a webhook’s id, and to see which checkout it is bound to.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 100; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  listDeliveries: {
    description:
      'List the deliveries of a destination with their attempts, newest first. Use it to find out why a receiver did not get an event: each attempt with its time, status code and answer. `status=dead` gives those that were given up.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for the own URL of an integration',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
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
      'List the events of a partner or merchant, also those that no destination took, newest first. Use it to see what happened, whether or not anybody was told, and to find the id of an event to send again.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
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
      'Read an event with the body that is sent. Use it while writing a receiver: `payload` is what a delivery of the event holds.',
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
      'List the events that a destination got or would have taken, newest first. Use it to find what a receiver missed (`status=missed`), such as what happened before it was registered.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for the own URL of an integration',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Page size, 1 to 100, default 50; clamped, never refused',
        },
        cursor: { type: 'string', description: '`next_cursor` of the page before' },
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
      'List the redeliveries of a destination, newest first. Use it to see whether one is running, and what was sent again before.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for the own URL of an integration',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
      },
      required: ['webhookId'],
      additionalProperties: false,
    },
  },
  getRedelivery: {
    description:
      'Read how far a redelivery has come. Use it while one is running: `reached` moves from `since` to `until`.',
    scopes: [],
    inputSchema: {
      type: 'object',
      properties: {
        webhookId: {
          type: 'string',
          description:
            'Identifier of a webhook, or `integration:<integrationId>` for the own URL of an integration',
          pattern: '^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$',
        },
        redeliveryId: { type: 'string', pattern: '^rdl_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
      },
      required: ['webhookId', 'redeliveryId'],
      additionalProperties: false,
    },
  },
} as const satisfies ToolTable
