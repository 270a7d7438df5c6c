/* Made from the OpenAPI document by scripts/generate-client.ts: change the contracts, then run it. */
/* oxlint-disable -- generated */
export interface paths {
  '/api/v1/partner/customers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the customers of the partner, oldest first
     * @description Use it to compare your records with the platform’s, or to find a customer by your own id. To read one customer, get it by its `partner_customer_id`.
     */
    get: operations['listCustomers']
    put?: never
    /**
     * Link an external customer to a merchant
     * @description Call it when a customer signs up with you. It finds or creates the merchant by e-mail address and links it to your `external_customer_id`. A repeated call returns 200 with the existing customer, so retry after a lost response.
     */
    post: operations['createCustomer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a customer
     * @description Use it to read the status of the relationship, and the name and country from the customer’s verification data. `customer.updated` reports changes.
     */
    get: operations['getCustomer']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/brand': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the brand of the partner
     * @description Use it to see what the pages of your customers and their buyers show.
     */
    get: operations['getBrand']
    /**
     * Set name, colour and support address of the partner’s brand
     * @description Use it for pages that look like your product. It replaces name, colour and support address: a field that is left out is removed. The logo has a separate operation.
     */
    put: operations['putBrand']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/brand/logo': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Set the logo of the partner’s brand
     * @description A PNG, JPEG or WebP image of at most 180 KiB, 4,096 pixels on a side and 8 megapixels. The platform encodes it again as a PNG of at most 400 × 120 pixels; metadata and animations are removed. Each image has its own `url`.
     */
    put: operations['putBrandLogo']
    post?: never
    /**
     * Delete the logo of the partner’s brand
     * @description Use it to show the name instead.
     */
    delete: operations['deleteBrandLogo']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/brand': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the brand of a customer
     * @description Fields that the customer’s brand does not set come from the partner’s own brand: `effective_brand` has the result.
     */
    get: operations['getCustomerBrand']
    /**
     * Set name, colour and support address of a customer’s brand
     * @description Use it for pages that look like the customer’s shop. It replaces name, colour and support address: a field that is left out is removed. Fields that the customer’s brand does not set come from the partner’s own brand: `effective_brand` has the result.
     */
    put: operations['putCustomerBrand']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/brand/logo': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Set the logo of a customer’s brand
     * @description A PNG, JPEG or WebP image of at most 180 KiB, 4,096 pixels on a side and 8 megapixels. The platform encodes it again as a PNG of at most 400 × 120 pixels; metadata and animations are removed. Each image has its own `url`.
     */
    put: operations['putCustomerBrandLogo']
    post?: never
    /**
     * Delete the logo of a customer’s brand
     * @description Use it to show the partner’s logo again.
     */
    delete: operations['deleteCustomerBrandLogo']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/capabilities': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the customer’s capabilities: granted and available
     * @description Read it before you offer a payment method: an order needs a capability that is `enabled` and `available`. `reason` says what is missing. Do not poll: `capability.updated` reports every change.
     */
    get: operations['listCapabilities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/next-steps': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the steps until all granted capabilities are available
     * @description Use it to show a customer the next steps: everything that blocks a granted capability or the case, in a workable order.
     */
    get: operations['listNextSteps']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/verifications': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the verification of a customer with the data that this partner wrote
     * @description Use it to show a customer the status and the data so far. It returns 404 before your first write.
     */
    get: operations['getCustomerVerification']
    put?: never
    /**
     * Write any part of the KYB data and attempt submission
     * @description Send the data that you have, as often as you like: groups merge field by field, lists are replaced, null clears a field. The response lists `incomplete_fields` and `missing_documents`. When both are empty, the case goes to review. An empty body only attempts the submission.
     */
    post: operations['submitVerification']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/verifications/{verificationId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a verification with the data that this partner wrote
     * @description Use it when you have a `verification_id`, for example from an event.
     */
    get: operations['getVerification']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/onboarding/schema': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the JSON Schema of a verification write, and the rules of submission
     * @description Use it to build or check a form. Writes are validated against this JSON Schema. Read it again with every release.
     */
    get: operations['getVerificationSchema']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/onboarding-links': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a link with which a customer completes its onboarding
     * @description Use it to let the customer supply missing data. The link works on any number of visits and devices until it expires or you end it. Send it only to the customer: anyone who has it acts for the customer.
     */
    post: operations['createOnboardingLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/onboarding-links/{onboardingLinkId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End an onboarding link
     * @description Use it when a link went to the wrong person or is no longer needed.
     */
    delete: operations['endOnboardingLink']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/agreements': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List all agreements with the customer’s acceptances, in order of first publication. Beyond 512 KiB a page omits the evidence of older acceptances (`evidence_omitted`)
     * @description Use it to find which agreements the customer must still accept (`required`), to show them (`document_url`), and to prove earlier acceptances.
     */
    get: operations['listAgreements']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/agreements/{agreementId}/acceptances': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Record that the customer accepted the current version of an agreement
     * @description Call it with the evidence when the customer has agreed in your user interface. A repeated call for the same version returns 200 with the first record.
     */
    post: operations['acceptAgreement']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/documents': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the documents that the partner has uploaded for a customer, oldest first
     * @description Use it to see the uploaded documents and their review results.
     */
    get: operations['listDocuments']
    put?: never
    /**
     * Upload a document
     * @description Use it for the evidence that `missing_documents` and requirements name. Send a form (`multipart/form-data`, preferred: it is streamed), or JSON with the file in base64. The content determines the type, not the file name.
     */
    post: operations['uploadDocument']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/documents/{documentId}/download': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a short-lived download URL of a document
     * @description Use it to show a document that you uploaded. `download_url` needs no credential and expires after five minutes. Do not store it.
     */
    get: operations['getDocumentDownload']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/requirements': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the requirements of a customer, oldest first
     * @description Use it to find what a submitted case still needs: filter by `status=open`.
     */
    get: operations['listRequirements']
    put?: never
    /**
     * Raise a requirement on a customer whose verification has started
     * @description Use it to request a document, a field or a clarification for a started case. You may have at most 50 open requirements.
     */
    post: operations['raiseRequirement']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/requirements/{requirementId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a requirement
     * @description Use it to read a requirement after `requirement.created` or `requirement.resolved`.
     */
    get: operations['getRequirement']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Update a requirement: fulfil, accept or cancel it
     * @description Set `fulfilled` when the requested item is there; name the document if it is one. On requirements that you raised you can also set `satisfied` (once fulfilled) or `cancelled` (while open).
     */
    patch: operations['updateRequirement']
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the orders of this relationship, newest first
     * @description Use it to compare your orders with the platform’s. It needs the capability `payments.crypto`.
     */
    get: operations['listCryptoOrders']
    put?: never
    /**
     * Create a crypto payment order at a locked rate
     * @description Use it for a crypto payment: send the payer to `payUrl`, or show `address`, `paymentUri` or the image at `qrUrl`. The rate is locked until `expiresAt`. The same `reference` returns the first order (`replayed`), so retry after a lost response. `differs` names what your request has changed: then use another reference.
     */
    post: operations['createCryptoOrder']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the crypto orders of all your customers, newest first
     * @description Use it to find an order by your `reference`, or the orders in a state. Orders of customers without an active relationship or without the capability `payments.crypto` are left out. With a filter, a page before the last can be short or empty: follow `next_cursor` until it is null.
     */
    get: operations['listAllCryptoOrders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/orders/{orderId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a crypto order with its QR image
     * @description Use it after a payment event or while the payer waits. The QR image is inline.
     */
    get: operations['getCryptoOrder']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/orders/{orderId}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a pending order
     * @description Use it when the payer gives up, while the order is `pending`.
     */
    post: operations['cancelCryptoOrder']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/fiat-integrations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the checkout configurations
     * @description Use it to find the `integration_id` for a card order. An active customer has at least one.
     */
    get: operations['listIntegrations']
    put?: never
    /**
     * Create a checkout configuration
     * @description Use it for another checkout, such as a second shop with its own `return_url`. Each customer starts with one and can have 25.
     */
    post: operations['createIntegration']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/fiat-integrations/{integrationId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a checkout configuration, except the last one
     * @description Use it for a checkout that is no longer used. Its orders remain.
     */
    delete: operations['deleteIntegration']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/fiat-orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the card orders of a customer, newest first
     * @description Use it to compare your orders with the platform’s.
     */
    get: operations['listFiatOrders']
    put?: never
    /**
     * Create a card order with a hosted checkout
     * @description Use it for a card payment: send the payer to `order_url`, then wait for `payment.confirmed`. After a lost response, retry with the same key.
     */
    post: operations['createFiatOrder']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/fiat-orders/{orderKey}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a card order
     * @description Use it after a payment event: `refunded_cents` and `chargeback_cents` are here, not in events.
     */
    get: operations['getFiatOrder']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/fiat-orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the card orders of all your customers, newest first
     * @description Use it to find an order by your `merchant_reference`, or the orders in a state. Orders of customers without an active relationship are left out. With a filter, a page before the last can be short or empty: follow `next_cursor` until it is null.
     */
    get: operations['listAllFiatOrders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/chargebacks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the chargebacks of a customer, newest first
     * @description Use it for the disputes of a customer. An empty list does not prove that there are no disputes: some processors send no notices. It needs the capability `payments.fiat_card`.
     */
    get: operations['listChargebacks']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/fiat-orders/{orderKey}/chargebacks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the chargebacks of a card order
     * @description Use it after `payment.chargeback`, which has no amounts. An order that you cannot see returns an empty list.
     */
    get: operations['listFiatOrderChargebacks']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/chargeback-cases': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the chargeback cases of a customer, newest first
     * @description Use it to see which payers are blocked after a dispute, and the disputed orders.
     */
    get: operations['listChargebackCases']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/chargeback-cases/{caseId}/lift': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Lift a chargeback case
     * @description Use it once a dispute is settled, so that the payer can pay again.
     */
    post: operations['liftChargebackCase']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/fiat-orders/{orderKey}/refunds': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the refunds of a card order, newest first
     * @description Use it for all refunds of an order, including those made at the processor.
     */
    get: operations['listRefunds']
    put?: never
    /**
     * Refund a card order to its payer
     * @description Use it to refund part or all of a card order. The same key always means the same refund: after a 500 or a lost response, retry with that key.
     */
    post: operations['createRefund']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/orders/{orderId}/onramp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the latest purchase of a crypto order
     * @description Use it to show the progress while the payer is at the provider.
     */
    get: operations['getOnrampOrder']
    put?: never
    /**
     * Open a purchase of the crypto of a pending order; an order has at most one open purchase
     * @description Use it when the payer has no crypto: send the payer to `checkoutUrl`. There a provider sells the amount and sends it to the order’s address. A second call returns the open purchase (200).
     */
    post: operations['createOnrampOrder']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/wallets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the balances of a customer by unit
     * @description Use it for what is owed to a customer. A payment is `pending` first and becomes `available` later. It needs the capability `wallets`.
     */
    get: operations['listWallets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/balance': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the partner’s own earnings by unit
     * @description Use it for the fees that the partner has earned from its customers’ payments.
     */
    get: operations['listOwnWallets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/balance-entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the entries of a customer’s balances, newest first
     * @description Use it to explain a balance, or to find what was recorded for an order. A balance is the sum of its entries. It needs the capability `wallets`.
     */
    get: operations['listBalanceEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/balance-entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the entries of the partner’s own balances, newest first
     * @description Use it to explain what the partner has earned.
     */
    get: operations['listOwnBalanceEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/daily-totals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the sums of all customers’ balance entries by day
     * @description Use it to draw how payments, refunds, disputes and fees develop. A day is in UTC, and an entry belongs to the day on which it took effect. Transfers between balances of one owner are left out. At most 184 days of the last 400; new entries are included within seconds.
     */
    get: operations['listDailyTotals']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/reports': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a report about a period
     * @description Use it to bring balances, entries, orders, fees, refunds or disputes into accounting, or what tax authorities ask of a platform (DAC7, DAC8), as CSV, JSON or Parquet. Read the report until it is `ready`. The same question with the same `as_of` gives the same bytes. A report reads at most 100,000 balance entries.
     */
    post: operations['createReport']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/reports/{reportId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a report and the URL of its file
     * @description Use it until `status` is `ready`. `url` needs no credential and expires after five minutes; read the report again for another one. A report is kept for seven days.
     */
    get: operations['getReport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/statements/{month}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a month of the partner’s own earnings, with its proof
     * @description Use it for the accounts of a month that is over: its statement never changes. The statement is spelled as a merchant’s is (camelCase), because its hashes cover the spelling: `causeway verify` checks both.
     */
    get: operations['getOwnStatement']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/payout-schedule': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get when a customer is paid out, by unit
     * @description Use it to show when the next payout is due. Until a schedule is set it is `manual`. It needs the capability `payouts`.
     */
    get: operations['getPayoutSchedule']
    /**
     * Set when a customer is paid out, by unit
     * @description Use it to pay a customer out regularly: each payout has everything that was available when it was due. Nothing is paid while the destination is not `active`. Units that the list leaves out become `manual`. It needs the capability `payouts`.
     */
    put: operations['setPayoutSchedule']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/payouts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the payouts of a customer, newest first
     * @description Use it to match payouts with the customer’s account. It needs the capability `payouts`.
     */
    get: operations['listCustomerPayouts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/payouts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the payouts of the partner’s own earnings, newest first
     * @description Use it to match what you were paid with your account.
     */
    get: operations['listPartnerPayouts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/payouts/{payoutId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a payout to a customer, or of the partner’s own earnings
     * @description Use it for how a payout adds up: the fields of `summary` together are its amount.
     */
    get: operations['getPayout']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/payouts/{payoutId}/entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List exactly the entries that a payout pays, newest first
     * @description Use it to explain a payout, order by order. An entry may be paid in parts by several payouts.
     */
    get: operations['listPayoutEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/payout-wallets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the destinations of a customer’s payouts, newest first
     * @description Use it to choose where a payout goes. A customer has at most 20. It needs the capability `payout_wallets`.
     */
    get: operations['listPayoutWallets']
    put?: never
    /**
     * Add a bank account or an address that payouts of a customer go to
     * @description It can be used from `usable_from`, once staff have confirmed it or the owner of the address has proved it (`provePayoutWallet`). Compare the whole `address` in the response with the one that you meant. A destination cannot be changed: add another, and delete the old one. It needs the capability `payout_wallets`.
     */
    post: operations['createPayoutWallet']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/payout-wallets/{payoutWalletId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a destination of a customer’s payouts
     * @description Use it to see whether it is `active`. A deleted one is not found.
     */
    get: operations['getPayoutWallet']
    put?: never
    post?: never
    /**
     * Delete a destination of a customer’s payouts
     * @description It takes no further payouts. Payouts that were made to it before still go to it.
     */
    delete: operations['deletePayoutWallet']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/payout-wallets/{payoutWalletId}/proof': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Prove by a signature that the customer holds the key of an address
     * @description Have the wallet of the address sign `proof.message` as it is. `signature` is that of EIP-191 (`personal_sign`) in hex on ETH, BIP-322 (simple) or the older form in base64 on BTC and LTC, and Ed25519 in base58 or base64 on SOL. A proved destination becomes active at `usable_from` without staff.
     */
    post: operations['provePayoutWallet']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/customers/{customerId}/withdrawals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pay out a stated amount of a customer’s available balance
     * @description It pays the oldest entries, the last one in part, to a destination that is `active`. State `amount_cents` for a currency, `amount` for an asset. The amount arrives in full: a payout fee of the price plan is taken in addition. Both never exceed what is available. It needs the capability `withdrawals`, granted and available.
     */
    post: operations['createWithdrawal']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhooks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the destinations, the event types and the signature scheme
     * @description Use it to check where your events go. To change it, use the webhook endpoints (scope `webhooks:write`), or ask staff. The secret is never returned.
     */
    get: operations['listWebhookSubscriptions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the webhook endpoints, oldest first
     * @description Use it to find an endpoint’s id, its status and its event types.
     */
    get: operations['listWebhookEndpoints']
    put?: never
    /**
     * Create a webhook endpoint; its secret is shown once
     * @description Use it to receive your events. Store `webhook_secret`: it is shown only once, and signs every delivery. At most 100 endpoints.
     */
    post: operations['createWebhookEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a webhook endpoint
     * @description Use it to check where an endpoint sends. Its secret is never returned.
     */
    get: operations['getWebhookEndpoint']
    put?: never
    post?: never
    /**
     * Delete a webhook endpoint and its pending deliveries
     * @description Use it for a receiver that no longer exists. Its log is deleted too.
     */
    delete: operations['deleteWebhookEndpoint']
    options?: never
    head?: never
    /**
     * Update, disable or enable a webhook endpoint, or end the overlap of its rotation early
     * @description Use it when your receiver moves, or for other events. It applies from the next attempt. Omitted fields do not change.
     */
    patch: operations['updateWebhookEndpoint']
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the secret of a webhook endpoint; the next attempt uses the new one
     * @description Use it when the secret may have leaked, or at regular times. With `overlap_hours` both secrets sign until the overlap ends.
     */
    post: operations['rotateWebhookEndpointSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test event to a webhook endpoint and return its response
     * @description Use it after creating an endpoint or while fixing its receiver: it sends the event `test` and returns the receiver’s response. The deliveries show it too.
     */
    post: operations['testWebhookEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the deliveries of a destination with their attempts, newest first
     * @description Use it to find out why a receiver missed an event: each attempt has its time, status code and response. `status=dead` lists deliveries after their last attempt.
     */
    get: operations['listEndpointDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/deliveries/{deliveryId}/redeliver': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry a delivery with the same event_id
     * @description Use it for one delivery, after fixing the receiver. For many, start a redelivery.
     */
    post: operations['redeliverEndpointDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the events of a partner or merchant, delivered or not, newest first
     * @description Use it to see what happened, delivered or not, and to find the id of an event to send again.
     */
    get: operations['listEndpointEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-events/{eventId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an event with the body of its deliveries
     * @description Use it while writing a receiver: `payload` is the body of a delivery.
     */
    get: operations['getEndpointEvent']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the events that a destination received or would have received, newest first
     * @description Use it to find what a receiver missed (`status=missed`), such as events before its registration.
     */
    get: operations['listEndpointWebhookEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/events/{eventId}/resend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send an event to a destination, whether delivered, dead or never sent
     * @description Use it for one event. It keeps its `event_id`, so receivers recognise a repetition.
     */
    post: operations['resendEndpointEvent']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your events in the order of the feed, which never changes
     * @description Use it instead of webhooks, or after your receiver was down: pass the last event that you have processed as `after`, and read until `next_cursor` is null. Each event has the body of its webhook, whether or not you have an endpoint. With `wait` the response comes with the next event. The feed keeps 30 days, unless the platform is configured otherwise.
     */
    get: operations['listFeedEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/events/{eventId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get one of your events by its id
     * @description Use it to read an event again, such as one whose id you have logged.
     */
    get: operations['getFeedEvent']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/redeliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the redeliveries of a destination, newest first
     * @description Use it to see running and earlier redeliveries.
     */
    get: operations['listEndpointRedeliveries']
    put?: never
    /**
     * Send events again from a time on, oldest first, at a limited rate; one redelivery per destination at a time
     * @description Use it after an outage of a receiver: name its start, and the events since then that were delivered, dead or missed are sent again, each with its original `event_id`.
     */
    post: operations['createEndpointRedelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/partner/webhook-endpoints/{webhookId}/redeliveries/{redeliveryId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the progress of a redelivery
     * @description Use it during a redelivery: `reached` moves from `since` to `until`.
     */
    get: operations['getEndpointRedelivery']
    put?: never
    post?: never
    /**
     * Stop a redelivery; deliveries that are already due are still sent
     * @description Use it when a receiver cannot keep up, or the start time was wrong.
     */
    delete: operations['cancelEndpointRedelivery']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/orders/{orderId}/deposits': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the deposits of a crypto order with their blocks and sweeps
     * @description Use it to follow the money of an order: each deposit, its block and confirmations, and the transfer that moved it from its address. An unknown order has none.
     */
    get: operations['listMerchantOrderDeposits']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/orders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the merchant’s crypto and card orders, newest first
     * @description Use it to find an order by its reference, or to see which orders are in a state. It has the orders of all relationships. With a filter, a page before the last can be short or empty: follow `nextCursor`.
     */
    get: operations['listMerchantOrders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/balances': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the merchant’s balances by relationship and unit, and their sums
     * @description Use it for what is owed to the merchant. Balances whose `partnerCustomerId` is null are sums over all of them; one with your own id is booked at no relationship.
     */
    get: operations['listBalances']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/balance-entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the entries of the merchant’s balances, newest first
     * @description Use it to explain the merchant’s balances, over all of its relationships.
     */
    get: operations['listMerchantBalanceEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/daily-totals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the sums of the merchant’s balance entries by day
     * @description Use it to draw how payments, refunds, disputes and fees develop. A day is in UTC, and an entry belongs to the day on which it took effect. Transfers between balances of one owner are left out. At most 184 days of the last 400; new entries are included within seconds.
     */
    get: operations['listMerchantDailyTotals']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/statements/{month}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a month of the merchant’s balances, with its proof
     * @description Use it for the accounts of a month that is over: its statement never changes. `causeway verify` checks it offline and names a line that was altered, added or left out. A statement of more than `limit` lines has pages: `causeway statement` joins them. The statement of the current month has what was recorded until a minute ago.
     */
    get: operations['getStatement']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/payouts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the merchant’s payouts, newest first
     * @description Use it to match payouts with your account.
     */
    get: operations['listMerchantPayouts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/payouts/{payoutId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a payout
     * @description Use it for how a payout adds up: the fields of `summary` together are its amount.
     */
    get: operations['getMerchantPayout']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/payouts/{payoutId}/entries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List exactly the entries that a payout pays, newest first
     * @description Use it to explain a payout, order by order. An entry may be paid in parts by several payouts.
     */
    get: operations['listMerchantPayoutEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/fiat-orders/{orderKey}/settlements': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List how a processor has settled a card order
     * @description Use it to follow the money of an order: the lines of the processor’s report, its payout and the day on which the bank booked that. An unknown order has none.
     */
    get: operations['listMerchantOrderSettlements']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/api-keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the valid API keys, oldest first
     * @description Use it to see which keys are valid, by their last characters.
     */
    get: operations['listApiKeys']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/api-keys/{keyId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an API key within one second, also the key of this call
     * @description Use it when a key may have leaked. Staff issue new keys.
     */
    delete: operations['revokeApiKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/portal-links': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a portal link for one of your people
     * @description Use it to link from your own pages to the portal. The link works once, within 15 minutes, and starts a session of 8 hours.
     */
    post: operations['createPortalLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the registered webhooks, oldest first
     * @description Use it to find a webhook’s id and its checkout.
     */
    get: operations['listWebhooks']
    put?: never
    /**
     * Register a webhook; /service/webhook is appended to its path, and its secret is shown once
     * @description Use it to receive your events. Store `webhookSecret`: it is shown only once, and signs every delivery. Without an `integrationId` the webhook receives the events of all checkouts, and those of crypto orders.
     */
    post: operations['createWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Update the URL or the binding; an integrationId of null or empty makes it a wildcard
     * @description Use it when the receiver moves, or for another checkout. Omitted fields do not change.
     */
    put: operations['updateWebhook']
    post?: never
    /**
     * Delete a webhook and its pending deliveries
     * @description Use it for a receiver that no longer exists.
     */
    delete: operations['deleteWebhook']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate a webhook’s secret; the next attempt uses the new one
     * @description Use it when the secret may have leaked. During the change, accept signatures of both.
     */
    post: operations['rotateWebhookSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test event to a webhook and return its response
     * @description Use it after registering a webhook or while fixing a receiver: it sends the event `test` and returns the receiver’s response. The log of deliveries shows it too.
     */
    post: operations['testWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the deliveries of a destination with their attempts, newest first
     * @description Use it to find out why a receiver missed an event: each attempt has its time, status code and response. `status=dead` lists deliveries after their last attempt.
     */
    get: operations['listDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry a delivery with the same event_id
     * @description Use it for one delivery, after fixing the receiver. For many, start a redelivery.
     */
    post: operations['redeliverDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhook-events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the events of a partner or merchant, delivered or not, newest first
     * @description Use it to see what happened, delivered or not, and to find the id of an event to send again.
     */
    get: operations['listEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhook-events/{eventId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an event with the body of its deliveries
     * @description Use it while writing a receiver: `payload` is the body of a delivery.
     */
    get: operations['getEvent']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the events that a destination received or would have received, newest first
     * @description Use it to find what a receiver missed (`status=missed`), such as events before its registration.
     */
    get: operations['listWebhookEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/events/{eventId}/resend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send an event to a destination, whether delivered, dead or never sent
     * @description Use it for one event. It keeps its `event_id`, so receivers recognise a repetition.
     */
    post: operations['resendEvent']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/redeliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the redeliveries of a destination, newest first
     * @description Use it to see running and earlier redeliveries.
     */
    get: operations['listRedeliveries']
    put?: never
    /**
     * Send events again from a time on, oldest first, at a limited rate; one redelivery per destination at a time
     * @description Use it after an outage of a receiver: name its start, and the events since then that were delivered, dead or missed are sent again, each with its original `event_id`.
     */
    post: operations['createRedelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/user/webhooks/{webhookId}/redeliveries/{redeliveryId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the progress of a redelivery
     * @description Use it during a redelivery: `reached` moves from `since` to `until`.
     */
    get: operations['getRedelivery']
    put?: never
    post?: never
    /**
     * Stop a redelivery; deliveries that are already due are still sent
     * @description Use it when a receiver cannot keep up, or the start time was wrong.
     */
    delete: operations['cancelRedelivery']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    AcceptAgreementRequest: {
      agreement_version: string
      acceptance_channel: string
      accepted_at: components['schemas']['TimestampInput']
      evidence: {
        [key: string]: string | number | boolean | null
      }
    }
    Acceptance: {
      acceptance_id: components['schemas']['AcceptanceId']
      agreement_id: components['schemas']['AgreementId']
      agreement_version: string
      content_hash: components['schemas']['ContentHash']
      acceptance_channel: string
      accepted_at: components['schemas']['Timestamp']
      recorded_at: components['schemas']['Timestamp']
      accepted_via_partner: boolean
      evidence: {
        [key: string]: string | number | boolean | null
      }
      /** @constant */
      evidence_omitted?: true
    }
    AcceptanceId: string
    AdditionalData:
      | {
          [key: string]: components['schemas']['AdditionalValue']
        }
      | unknown
      | unknown
    AdditionalValue: string | number | boolean | null | (string | number | boolean | null)[]
    Agreement: {
      agreement_id: components['schemas']['AgreementId']
      title: string
      version: string
      /** Format: date */
      effective_date: string
      document_url: string
      content_hash: components['schemas']['ContentHash']
      parties: components['schemas']['AgreementParty'][]
      disclosure: string
      status: components['schemas']['AgreementStatus']
      current_acceptance: components['schemas']['Acceptance'] | null
      previous_acceptances: components['schemas']['Acceptance'][]
      previous_acceptances_omitted?: number
      upcoming?: components['schemas']['UpcomingVersion']
    }
    AgreementAccepted: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'agreement.accepted'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        customer_id: components['schemas']['MerchantId']
        acceptance_id: components['schemas']['AcceptanceId']
        agreement_id: components['schemas']['AgreementId']
        agreement_version: string
      }
    }
    AgreementId: string
    AgreementList: {
      agreements: components['schemas']['Agreement'][]
      next_cursor: components['schemas']['NextCursor']
    }
    AgreementParty: {
      role: string
      name: string
    }
    /** @enum {string} */
    AgreementStatus: 'required' | 'accepted' | 'superseded'
    ApiKeyId: string
    /** @enum {string} */
    Asset: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
    Attempt: {
      at: components['schemas']['Timestamp']
      status_code: number | null
      latency_ms: number
      error: string | null
      response_body: string | null
      /** @constant */
      response_body_omitted?: true
    }
    BalanceEntry: {
      entry_id: components['schemas']['EntryId']
      kind: components['schemas']['EntryKind']
      unit: string
      balance: components['schemas']['BalanceName']
      amount: components['schemas']['LedgerAmount']
      balance_after: components['schemas']['LedgerAmount']
      order_key: components['schemas']['OrderKey'] | null
      order_id: string | null
      payout_id: components['schemas']['PayoutId'] | null
      reverses: components['schemas']['EntryId'] | null
      estimated: boolean
      effective_at: components['schemas']['Timestamp']
      recorded_at: components['schemas']['Timestamp']
    }
    BalanceEntryList: {
      balance_entries: components['schemas']['BalanceEntry'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    BalanceName: 'pending' | 'available' | 'reserved' | 'on_the_way'
    BalanceNegative: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'balance.negative'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        customer_id: components['schemas']['MerchantId']
        unit: string
        available: components['schemas']['LedgerAmount']
        journal_id: components['schemas']['JournalId']
        recorded_at: components['schemas']['Timestamp']
      }
    }
    Brand: {
      name: string | null
      accent_color: string | null
      support_address: string | null
      logo: components['schemas']['Logo'] | null
    }
    Business: {
      legal_name: string | null
      trading_name: string | null
      registration_number: string | null
      industry: components['schemas']['Industry'] | null
      business_registration_country: components['schemas']['Country'] | null
      incorporation_country: components['schemas']['Country'] | null
      incorporation_date: string | null
      website: string | null
    }
    BusinessWrite: {
      legal_name?: string | null
      trading_name?: string | null
      registration_number?: string | null
      industry?: components['schemas']['Industry'] | null
      business_registration_country?: components['schemas']['Country'] | null
      incorporation_country?: components['schemas']['Country'] | null
      incorporation_date?: string | null
      website?: string | null
    }
    Capability: {
      capability: components['schemas']['CapabilityName']
      enabled: boolean
      available: boolean
      reason: components['schemas']['UnavailableReason'] | null
    }
    CapabilityList: {
      capabilities: components['schemas']['Capability'][]
    }
    /** @enum {string} */
    CapabilityName:
      | 'payments.crypto'
      | 'payments.fiat_card'
      | 'payouts'
      | 'payout_wallets'
      | 'refunds'
      | 'wallets'
      | 'withdrawals'
    CapabilityUpdated: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'capability.updated'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        capability: components['schemas']['CapabilityName']
        enabled: boolean
        available: boolean
        reason: components['schemas']['UnavailableReason'] | null
      }
    }
    /** @enum {string} */
    CardType: 'eea' | 'non_eea' | 'mixed'
    Chargeback: {
      id: components['schemas']['ChargebackId']
      order_key: components['schemas']['OrderKey']
      psp: string
      order_status: components['schemas']['FiatOrderStatus']
      amount_cents: number | null
      currency: string | null
      fee_cents: number
      fee_currency: string
      dispute_amount_cents: number | null
      dispute_currency: string | null
      disputed_at: components['schemas']['Timestamp']
      created_at: components['schemas']['Timestamp']
    }
    ChargebackCase: {
      case_id: components['schemas']['ChargebackCaseId']
      kind: components['schemas']['ChargebackCaseKind']
      value_masked: string
      status: components['schemas']['ChargebackCaseStatus']
      order_keys: components['schemas']['OrderKey'][]
      created_at: components['schemas']['Timestamp']
      lifted_at: components['schemas']['Timestamp'] | null
    }
    ChargebackCaseId: string
    /** @enum {string} */
    ChargebackCaseKind: 'ip' | 'email'
    ChargebackCaseList: {
      chargeback_cases: components['schemas']['ChargebackCase'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    ChargebackCaseStatus: 'active' | 'lifted'
    ChargebackId: string
    ChargebackList: {
      chargebacks: components['schemas']['Chargeback'][]
    }
    Commercial: {
      expected_monthly_processing_volume: components['schemas']['ProcessingVolume'] | null
      card_type: components['schemas']['CardType'] | null
      settlement_option: components['schemas']['SettlementOption'] | null
      fee_handling: components['schemas']['FeeHandling'] | null
      requested_payment_methods: components['schemas']['PaymentMethod'][] | null
    }
    CommercialWrite: {
      expected_monthly_processing_volume?: components['schemas']['ProcessingVolume'] | null
      card_type?: components['schemas']['CardType'] | null
      settlement_option?: components['schemas']['SettlementOption'] | null
      fee_handling?: components['schemas']['FeeHandling'] | null
      requested_payment_methods?: components['schemas']['PaymentMethod'][] | null
    }
    Consent: {
      version: string | null
      marketing_opt_in: boolean | null
    }
    ConsentWrite: {
      version?: string | null
      marketing_opt_in?: boolean | null
    }
    Contact: {
      first_name: string | null
      last_name: string | null
      email: string | null
      phone: string | null
    }
    ContactWrite: {
      first_name?: string | null
      last_name?: string | null
      email?: string | null
      phone?: string | null
    }
    ContentHash: string
    /** @enum {string} */
    Country:
      | 'AD'
      | 'AE'
      | 'AF'
      | 'AG'
      | 'AI'
      | 'AL'
      | 'AM'
      | 'AO'
      | 'AQ'
      | 'AR'
      | 'AS'
      | 'AT'
      | 'AU'
      | 'AW'
      | 'AX'
      | 'AZ'
      | 'BA'
      | 'BB'
      | 'BD'
      | 'BE'
      | 'BF'
      | 'BG'
      | 'BH'
      | 'BI'
      | 'BJ'
      | 'BL'
      | 'BM'
      | 'BN'
      | 'BO'
      | 'BQ'
      | 'BR'
      | 'BS'
      | 'BT'
      | 'BV'
      | 'BW'
      | 'BY'
      | 'BZ'
      | 'CA'
      | 'CC'
      | 'CD'
      | 'CF'
      | 'CG'
      | 'CH'
      | 'CI'
      | 'CK'
      | 'CL'
      | 'CM'
      | 'CN'
      | 'CO'
      | 'CR'
      | 'CU'
      | 'CV'
      | 'CW'
      | 'CX'
      | 'CY'
      | 'CZ'
      | 'DE'
      | 'DJ'
      | 'DK'
      | 'DM'
      | 'DO'
      | 'DZ'
      | 'EC'
      | 'EE'
      | 'EG'
      | 'EH'
      | 'ER'
      | 'ES'
      | 'ET'
      | 'FI'
      | 'FJ'
      | 'FK'
      | 'FM'
      | 'FO'
      | 'FR'
      | 'GA'
      | 'GB'
      | 'GD'
      | 'GE'
      | 'GF'
      | 'GG'
      | 'GH'
      | 'GI'
      | 'GL'
      | 'GM'
      | 'GN'
      | 'GP'
      | 'GQ'
      | 'GR'
      | 'GS'
      | 'GT'
      | 'GU'
      | 'GW'
      | 'GY'
      | 'HK'
      | 'HM'
      | 'HN'
      | 'HR'
      | 'HT'
      | 'HU'
      | 'ID'
      | 'IE'
      | 'IL'
      | 'IM'
      | 'IN'
      | 'IO'
      | 'IQ'
      | 'IR'
      | 'IS'
      | 'IT'
      | 'JE'
      | 'JM'
      | 'JO'
      | 'JP'
      | 'KE'
      | 'KG'
      | 'KH'
      | 'KI'
      | 'KM'
      | 'KN'
      | 'KP'
      | 'KR'
      | 'KW'
      | 'KY'
      | 'KZ'
      | 'LA'
      | 'LB'
      | 'LC'
      | 'LI'
      | 'LK'
      | 'LR'
      | 'LS'
      | 'LT'
      | 'LU'
      | 'LV'
      | 'LY'
      | 'MA'
      | 'MC'
      | 'MD'
      | 'ME'
      | 'MF'
      | 'MG'
      | 'MH'
      | 'MK'
      | 'ML'
      | 'MM'
      | 'MN'
      | 'MO'
      | 'MP'
      | 'MQ'
      | 'MR'
      | 'MS'
      | 'MT'
      | 'MU'
      | 'MV'
      | 'MW'
      | 'MX'
      | 'MY'
      | 'MZ'
      | 'NA'
      | 'NC'
      | 'NE'
      | 'NF'
      | 'NG'
      | 'NI'
      | 'NL'
      | 'NO'
      | 'NP'
      | 'NR'
      | 'NU'
      | 'NZ'
      | 'OM'
      | 'PA'
      | 'PE'
      | 'PF'
      | 'PG'
      | 'PH'
      | 'PK'
      | 'PL'
      | 'PM'
      | 'PN'
      | 'PR'
      | 'PS'
      | 'PT'
      | 'PW'
      | 'PY'
      | 'QA'
      | 'RE'
      | 'RO'
      | 'RS'
      | 'RU'
      | 'RW'
      | 'SA'
      | 'SB'
      | 'SC'
      | 'SD'
      | 'SE'
      | 'SG'
      | 'SH'
      | 'SI'
      | 'SJ'
      | 'SK'
      | 'SL'
      | 'SM'
      | 'SN'
      | 'SO'
      | 'SR'
      | 'SS'
      | 'ST'
      | 'SV'
      | 'SX'
      | 'SY'
      | 'SZ'
      | 'TC'
      | 'TD'
      | 'TF'
      | 'TG'
      | 'TH'
      | 'TJ'
      | 'TK'
      | 'TL'
      | 'TM'
      | 'TN'
      | 'TO'
      | 'TR'
      | 'TT'
      | 'TV'
      | 'TW'
      | 'TZ'
      | 'UA'
      | 'UG'
      | 'UM'
      | 'US'
      | 'UY'
      | 'UZ'
      | 'VA'
      | 'VC'
      | 'VE'
      | 'VG'
      | 'VI'
      | 'VN'
      | 'VU'
      | 'WF'
      | 'WS'
      | 'YE'
      | 'YT'
      | 'ZA'
      | 'ZM'
      | 'ZW'
    CreateCryptoOrderRequest: {
      reference: string
      network: components['schemas']['Network']
      asset: components['schemas']['Asset']
      amount: number | string
      currency: components['schemas']['Currency']
      firstName?: string
      lastName?: string
      email: components['schemas']['EmailAddress']
      phone?: string
      country?: string
      /** @description Name of the shop, as the payment page shows it */
      shopName?: string
      /** @description What is bought, as the payment page shows it */
      description?: string
      /** @description Where the payment page leads back to: an https address without credentials */
      returnUrl?: components['schemas']['HttpsUrl']
    }
    CreateCustomerRequest: {
      external_customer_id: string
      email: components['schemas']['EmailAddress']
    }
    CreatedWebhook: {
      webhook: components['schemas']['PartnerWebhook']
      webhook_secret: components['schemas']['WebhookSecret']
      duplicate_of?: components['schemas']['Duplicates']
    }
    CreateFiatOrderRequest: {
      integration_id: string
      amount_cents: number
      currency: components['schemas']['Currency']
      merchant_reference?: string | null
      kind?: components['schemas']['FiatOrderKind']
      service_fee_payer?: components['schemas']['ServiceFeePayer']
      partner_fee_cents?: number
      splits?: {
        partner_customer_id: string
        amount_cents: number
        reference?: string | null
      }[]
      payer_email?: components['schemas']['EmailAddress'] | null
      payer_ip?: components['schemas']['IpAddress'] | null
    }
    CreateIntegrationRequest: {
      name: string
      return_url: components['schemas']['HttpsUrl']
      failure_url?: components['schemas']['HttpsUrl'] | null
      contact_url?: components['schemas']['HttpsUrl'] | null
    }
    CreateOnboardingLinkRequest: {
      return_url?: components['schemas']['HttpsUrl']
      expires_in_hours?: number
    }
    CreateOnrampOrderRequest: {
      fiat: components['schemas']['Currency']
      fiat_amount?: number | string
      return_url?: components['schemas']['HttpsUrl']
    }
    CreatePayoutWalletRequest:
      | {
          /** @constant */
          kind: 'iban'
          iban: string
          holder_name: string
          bic?: string
        }
      | {
          /** @constant */
          kind: 'address'
          network: components['schemas']['Network']
          asset: components['schemas']['Asset']
          address: string
        }
    CreateRefundRequest: {
      amount_cents: number
      description?: string | null
      order_lines?: components['schemas']['RefundLineInput'][] | null
    }
    CreateReportRequest: {
      type: components['schemas']['ReportType']
      /** @description Earliest `recorded_at`, inclusive */
      from: components['schemas']['TimestampInput']
      /** @description Latest `recorded_at`, exclusive */
      to: components['schemas']['TimestampInput']
      /** @description Entries recorded from this instant on are left out; not in the future, the time of the request if left out */
      as_of?: components['schemas']['TimestampInput']
      format: components['schemas']['ReportFormat']
      partner_customer_id?: components['schemas']['RelationshipId']
    }
    CreateWebhookEndpointRequest: {
      url: components['schemas']['WebhookUrl']
      /** @description Empty: every type except those that must be named (`payout.upcoming`, `payout.sent`, `payout.settled`, `payout.returned`, `payout_wallet.added`, `payout_wallet.active`, `payout_wallet.deleted`, `balance.negative`) */
      event_types?: components['schemas']['PartnerEventType'][]
    }
    CreateWebhookRequest: {
      url: components['schemas']['WebhookUrl']
      integrationId?: string | null
    }
    CreateWithdrawalRequest: {
      unit: components['schemas']['LedgerUnit']
      /** @description Amount of a currency, in its minor unit */
      amount_cents?: number
      /** @description Amount of an asset: its decimal number as text */
      amount?: string
      payout_wallet_id: components['schemas']['PayoutWalletId']
      /** @description Text for the receiver, in the letters that banks carry */
      reference?: string
    }
    CryptoOrder: {
      id: components['schemas']['CryptoOrderId']
      reference: string
      network: components['schemas']['Network']
      asset: components['schemas']['Asset']
      amount: components['schemas']['DecimalString']
      currency: string
      status: components['schemas']['CryptoOrderStatus']
      address: string
      paymentUri: string
      qrUrl: string
      payUrl?: string
      serviceFee?: components['schemas']['DecimalString']
      serviceFeePercent?: number
      serviceFeePayer?: components['schemas']['ServiceFeePayer']
      createdAt: components['schemas']['Timestamp']
      expiresAt: components['schemas']['Timestamp']
    }
    CryptoOrderDetail: {
      id: components['schemas']['CryptoOrderId']
      reference: string
      network: components['schemas']['Network']
      asset: components['schemas']['Asset']
      amount: components['schemas']['DecimalString']
      currency: string
      status: components['schemas']['CryptoOrderStatus']
      address: string
      paymentUri: string
      qrUrl: string
      payUrl?: string
      serviceFee?: components['schemas']['DecimalString']
      serviceFeePercent?: number
      serviceFeePayer?: components['schemas']['ServiceFeePayer']
      createdAt: components['schemas']['Timestamp']
      expiresAt: components['schemas']['Timestamp']
      qrImage: string
    }
    CryptoOrderId: string
    CryptoOrderList: {
      orders: components['schemas']['CryptoOrderRow'][]
      next_cursor: components['schemas']['NextCursor']
    }
    CryptoOrderRow: {
      id: components['schemas']['CryptoOrderId']
      reference: string
      network: components['schemas']['Network']
      asset: components['schemas']['Asset']
      amount: components['schemas']['DecimalString']
      currency: string
      status: components['schemas']['CryptoOrderStatus']
      address: string
      paymentUri: string
      qrUrl: string
      payUrl?: string
      serviceFee?: components['schemas']['DecimalString']
      serviceFeePercent?: number
      serviceFeePayer?: components['schemas']['ServiceFeePayer']
      createdAt: components['schemas']['Timestamp']
      expiresAt: components['schemas']['Timestamp']
      totalToSend: components['schemas']['DecimalString']
      networkFees: components['schemas']['DecimalString'] | null
      fiatAmount: components['schemas']['DecimalString']
    }
    /** @enum {string} */
    CryptoOrderStatus: 'pending' | 'underpaid' | 'paid' | 'expired' | 'cancelled' | 'refunded'
    CryptoPaymentData: {
      partner_customer_id: components['schemas']['RelationshipId']
      /** @constant */
      rail: 'crypto'
      order_id: components['schemas']['CryptoOrderId']
      status: components['schemas']['CryptoOrderStatus']
      reference: string
      chain: components['schemas']['Network']
      asset: components['schemas']['Asset']
      amount: components['schemas']['DecimalString']
      currency: string
      tx_id: string | null
      block_number: number | null
      received: components['schemas']['DecimalString'] | null
    }
    /** @description ISO 4217 code of a currency in circulation */
    Currency: string
    Customer: {
      partner_customer_id: components['schemas']['RelationshipId']
      customer_id: components['schemas']['MerchantId']
      external_customer_id: string
      relationship_status: components['schemas']['RelationshipStatus']
      created_at: components['schemas']['Timestamp']
      customer: {
        email: string
        name: string | null
        country: string | null
        created_at: components['schemas']['Timestamp'] | null
      }
    }
    CustomerList: {
      customers: components['schemas']['Customer'][]
      next_cursor: components['schemas']['NextCursor']
    }
    CustomerPayout: {
      payout_id: components['schemas']['PayoutId']
      customer_id: components['schemas']['MerchantId']
      partner_customer_id: components['schemas']['RelationshipId']
      unit: string
      /** @description Set for fiat */
      currency?: string
      /** @description Set for fiat: in the currency’s minor unit */
      amount_cents?: number
      /** @description Set for crypto: number of the asset as text */
      amount?: components['schemas']['DecimalString']
      status: components['schemas']['PayoutStatus']
      destination: string | null
      schedule: components['schemas']['PayoutSchedule'] | null
      scheduled_for: components['schemas']['Timestamp']
      created_at: components['schemas']['Timestamp']
      sent_at: components['schemas']['Timestamp'] | null
      settled_at: components['schemas']['Timestamp'] | null
      returned_at: components['schemas']['Timestamp'] | null
      return_reason: string | null
      reference: string | null
      tx_id: string | null
      summary: components['schemas']['PayoutSummary']
    }
    CustomerPayoutChanged: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'payout.upcoming' | 'payout.sent' | 'payout.settled' | 'payout.returned'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        payout_id: components['schemas']['PayoutId']
        customer_id: components['schemas']['MerchantId']
        unit: string
        /** @description Set for fiat */
        currency?: string
        /** @description Set for fiat: in the currency’s minor unit */
        amount_cents?: number
        /** @description Set for crypto: number of the asset as text */
        amount?: components['schemas']['DecimalString']
        status: components['schemas']['PayoutStatus']
        destination: string | null
        schedule: components['schemas']['PayoutSchedule'] | null
        scheduled_for: components['schemas']['Timestamp']
        created_at: components['schemas']['Timestamp']
        sent_at: components['schemas']['Timestamp'] | null
        settled_at: components['schemas']['Timestamp'] | null
        returned_at: components['schemas']['Timestamp'] | null
        return_reason: string | null
        reference: string | null
        tx_id: string | null
        summary: components['schemas']['PayoutSummary']
      }
    }
    CustomerPayoutWalletChanged: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'payout_wallet.added' | 'payout_wallet.active' | 'payout_wallet.deleted'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        payout_wallet_id: components['schemas']['PayoutWalletId']
        kind: components['schemas']['PayoutWalletKind']
        unit: string
        masked: string
        status: components['schemas']['PayoutWalletStatus']
        usable_from: components['schemas']['Timestamp']
      }
    }
    CustomerUpdated: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'customer.updated'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        customer_id: components['schemas']['MerchantId']
        relationship_status: components['schemas']['RelationshipStatus']
      }
    }
    DailyTotal: {
      /** Format: date */
      day: string
      unit: string
      kind: components['schemas']['EntryKind']
      amount: components['schemas']['LedgerAmount']
      entries: number
    }
    DailyTotalList: {
      totals: components['schemas']['DailyTotal'][]
    }
    /** @description Decimal number as text, without exponent */
    DecimalString: string
    DeletedWebhook: {
      /** @constant */
      deleted: true
      webhook_id: components['schemas']['WebhookId']
    }
    Delivery: {
      delivery_id: components['schemas']['DeliveryId']
      event_id: components['schemas']['EventId']
      event_type: string
      status: components['schemas']['DeliveryStatus']
      attempts: components['schemas']['Attempt'][]
      next_attempt_at: components['schemas']['Timestamp'] | null
      created_at: components['schemas']['Timestamp']
    }
    DeliveryId: string
    DeliveryList: {
      deliveries: components['schemas']['Delivery'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    DeliveryStatus: 'waiting' | 'delivered' | 'dead'
    /**
     * @description `address`: not swept yet; `moving`: sent, not confirmed; `swept`: at the platform’s own address; `sent_back`: used by a refund; `account`: no sweep needed (SOL, XRP); `unknown`: the signer did not move it or does not answer
     * @enum {string}
     */
    DepositPlace: 'address' | 'moving' | 'swept' | 'sent_back' | 'account' | 'unknown'
    DepositTransfer: {
      /** @enum {string} */
      kind: 'sweep' | 'refund'
      txId: string
      startedAt: components['schemas']['Timestamp']
      confirmedAt: components['schemas']['Timestamp'] | null
      /**
       * @description `output`: it spends exactly this deposit; `address`: it emptied the address first after the deposit counted
       * @enum {string}
       */
      attribution: 'output' | 'address'
    }
    Document: {
      document_id: components['schemas']['DocumentId']
      document_type: components['schemas']['UploadedDocumentType']
      file_name: string
      mime_type: components['schemas']['DocumentMimeType']
      file_size_bytes: number
      status: components['schemas']['DocumentStatus']
      rejection_reason: string | null
      submitted_by_partner_id: components['schemas']['PartnerId']
      uploaded_at: components['schemas']['Timestamp']
    }
    DocumentId: string
    DocumentList: {
      documents: components['schemas']['Document'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    DocumentMimeType: 'application/pdf' | 'image/png' | 'image/jpeg'
    DocumentReviewed: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'document.reviewed'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        customer_id: components['schemas']['MerchantId']
        document_id: components['schemas']['DocumentId']
        document_type: components['schemas']['UploadedDocumentType']
        /** @enum {string} */
        status: 'accepted' | 'rejected'
      }
    }
    /** @enum {string} */
    DocumentStatus: 'uploaded' | 'accepted' | 'rejected'
    /** @enum {string} */
    DocumentType:
      | 'certificate_of_incorporation'
      | 'proof_of_address'
      | 'director_id'
      | 'bank_statement'
      | 'processing_statement'
    DocumentUpload: {
      document_type: components['schemas']['UploadedDocumentType']
      file_name: string
      /** @description The file in base64 (RFC 4648 §4), at most 10 MiB decoded */
      content_base64: string
    }
    /** @description Other webhooks of the same URL that receive the same events, once each. Absent if there are no others */
    Duplicates: string[]
    /** Format: email */
    EmailAddress: string
    /** @description Null ends the overlap of a rotation: the previous secret no longer signs */
    EndOfOverlap: null
    EntryId: string
    /** @enum {string} */
    EntryKind:
      | 'payment'
      | 'service_fee'
      | 'partner_fee'
      | 'split'
      | 'refund'
      | 'fee_returned'
      | 'dispute'
      | 'dispute_fee'
      | 'dispute_reversed'
      | 'release'
      | 'reserve'
      | 'reserve_released'
      | 'payout'
      | 'payout_fee'
      | 'payout_returned'
      | 'deposit'
      | 'deposit_reverted'
      | 'conversion'
      | 'network_fee'
      | 'adjustment'
    EventFeedPage: {
      events: components['schemas']['PartnerEvent'][]
      /** @description Event id: `after` of the next page; null at the end of the feed */
      next_cursor: string | null
      /** @description `after` of a later request, at the end too; null if the feed has no event yet */
      resume_after: components['schemas']['EventId'] | null
    }
    EventId: string
    /** @enum {string} */
    EventStatus: 'waiting' | 'delivered' | 'dead' | 'missed'
    /**
     * @description Who bears the fees of card payments. `customer_pays`: the buyer. `niftipay_absorbs`: the buyer is charged nothing; the name comes from the specification and has no other meaning
     * @enum {string}
     */
    FeeHandling: 'customer_pays' | 'niftipay_absorbs'
    FiatOrder: {
      order_key: components['schemas']['OrderKey']
      order_id: components['schemas']['FiatOrderId']
      partner_customer_id: components['schemas']['RelationshipId']
      integration_id: components['schemas']['IntegrationId']
      kind: components['schemas']['FiatOrderKind']
      status: components['schemas']['FiatOrderStatus']
      total_cents: number
      amount_cents: number
      service_fee_cents: number
      service_fee_percent: number
      service_fee_payer: components['schemas']['ServiceFeePayer']
      partner_fee_cents?: number
      splits?: {
        partner_customer_id: components['schemas']['RelationshipId']
        amount_cents: number
        reference: string | null
      }[]
      refunded_cents: number
      chargeback_cents: number
      merchant_reference: string | null
      currency: string
      psp: string
      order_url: string
      pay_url?: string
      created_at: components['schemas']['Timestamp']
      updated_at: components['schemas']['Timestamp'] | null
      completed_at: components['schemas']['Timestamp'] | null
    }
    FiatOrderId: string
    /** @enum {string} */
    FiatOrderKind: 'order' | 'payment_link'
    FiatOrderList: {
      orders: components['schemas']['FiatOrder'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    FiatOrderStatus: 'pending' | 'paid' | 'completed' | 'cancelled' | 'expired' | 'refunded' | 'chargeback'
    FiatPaymentData: {
      partner_customer_id: components['schemas']['RelationshipId']
      /** @constant */
      rail: 'fiat'
      order_id: components['schemas']['FiatOrderId']
      order_key: components['schemas']['OrderKey']
      merchant_reference: string | null
      status: components['schemas']['FiatOrderStatus']
      currency: string
      total_cents: number
    }
    /** @description An https address without credentials */
    HttpsUrl: string
    IncompleteField: {
      path: string[]
      message: string
    }
    /** @enum {string} */
    Industry:
      | 'ecommerce_retail'
      | 'cannabis'
      | 'cbd'
      | 'hemp'
      | 'seeds'
      | 'growshops'
      | 'cannabis_clubs'
      | 'standard_wellness_products'
      | 'peptides'
      | 'kratom'
      | 'higher_risk_supplements'
      | 'difficult_to_place_ecommerce'
      | 'merchants_requiring_expensive_payment_routes'
      | 'merchants_with_elevated_refund_or_chargeback_exposure'
      | 'functional_mushrooms'
      | 'adult'
      | 'other'
    Integration: {
      integration_id: components['schemas']['IntegrationId']
      name: string
      psp: string
      return_url: string | null
      failure_url: string | null
      contact_url: string | null
      created_at: components['schemas']['Timestamp']
      updated_at: components['schemas']['Timestamp'] | null
    }
    IntegrationId: string
    IntegrationList: {
      integrations: components['schemas']['Integration'][]
      next_cursor: components['schemas']['NextCursor']
    }
    IpAddress: string
    JournalId: string
    KybWrite: {
      business?: components['schemas']['BusinessWrite'] | null
      registered_address?: components['schemas']['RegisteredAddressWrite'] | null
      contact?: components['schemas']['ContactWrite'] | null
      commercial?: components['schemas']['CommercialWrite'] | null
      directors?: components['schemas']['PersonInput'][] | null
      ubos?: components['schemas']['UboInput'][] | null
      ubo_declaration?: components['schemas']['UboDeclaration'] | null
      consent?: components['schemas']['ConsentWrite'] | null
      additional_data?: components['schemas']['AdditionalData'] | null
    }
    LedgerAmount: number | components['schemas']['DecimalString']
    /** @description Currency (`EUR`), or network and asset (`ETH/USDC`) */
    LedgerUnit: string
    LoggedEvent: {
      event_id: components['schemas']['EventId']
      event_type: string
      integration_id: components['schemas']['IntegrationId'] | null
      created_at: components['schemas']['Timestamp']
      deliveries: {
        webhook_id: components['schemas']['LoggedWebhookId']
        delivery_id: components['schemas']['DeliveryId']
        status: components['schemas']['DeliveryStatus']
        next_attempt_at: components['schemas']['Timestamp'] | null
      }[]
    }
    LoggedEventDetail: {
      event_id: components['schemas']['EventId']
      event_type: string
      integration_id: components['schemas']['IntegrationId'] | null
      created_at: components['schemas']['Timestamp']
      deliveries: {
        webhook_id: components['schemas']['LoggedWebhookId']
        delivery_id: components['schemas']['DeliveryId']
        status: components['schemas']['DeliveryStatus']
        next_attempt_at: components['schemas']['Timestamp'] | null
      }[]
      payload: {
        [key: string]: unknown
      }
    }
    LoggedEventList: {
      events: components['schemas']['LoggedEvent'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @description Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL */
    LoggedWebhookId: string
    Logo: {
      url: string
      /** @description SHA-256 of the image at `url` */
      content_hash: string
      width: number
      height: number
    }
    MerchantBalance: {
      partnerCustomerId: components['schemas']['MerchantOwner'] | null
      unit: string
      pending: components['schemas']['LedgerAmount']
      available: components['schemas']['LedgerAmount']
      reserved: components['schemas']['LedgerAmount']
      onTheWay: components['schemas']['LedgerAmount']
    }
    MerchantBalanceEntry: {
      entryId: components['schemas']['EntryId']
      partnerCustomerId: components['schemas']['MerchantOwner']
      kind: components['schemas']['EntryKind']
      unit: string
      balance: components['schemas']['BalanceName']
      amount: components['schemas']['LedgerAmount']
      balanceAfter: components['schemas']['LedgerAmount']
      orderKey: components['schemas']['OrderKey'] | null
      orderId: string | null
      payoutId: components['schemas']['PayoutId'] | null
      reverses: components['schemas']['EntryId'] | null
      estimated: boolean
      effectiveAt: components['schemas']['Timestamp']
      recordedAt: components['schemas']['Timestamp']
    }
    MerchantBalanceEntryList: {
      balanceEntries: components['schemas']['MerchantBalanceEntry'][]
      nextCursor: components['schemas']['NextCursor']
    }
    MerchantBalanceList: {
      balances: components['schemas']['MerchantBalance'][]
    }
    MerchantId: string
    MerchantOrder: {
      /** @enum {string} */
      kind: 'crypto' | 'card'
      orderId: string
      /** @description Null for crypto orders */
      orderKey: components['schemas']['OrderKey'] | null
      reference: string | null
      status: string
      /** @description Crypto orders: decimals of the currency. Card orders: its minor unit */
      amount: string
      currency: string
      /** @description Null for card orders */
      network: string | null
      /** @description Null for card orders */
      asset: string | null
      partnerCustomerId: components['schemas']['RelationshipId']
      createdAt: components['schemas']['Timestamp']
    }
    MerchantOwner: components['schemas']['RelationshipId'] | components['schemas']['MerchantId']
    MerchantPayoutSummary: {
      payments: components['schemas']['LedgerAmount']
      deposits: components['schemas']['LedgerAmount']
      depositsReverted: components['schemas']['LedgerAmount']
      refunds: components['schemas']['LedgerAmount']
      feesReturned: components['schemas']['LedgerAmount']
      serviceFees: components['schemas']['LedgerAmount']
      partnerFees: components['schemas']['LedgerAmount']
      splits: components['schemas']['LedgerAmount']
      disputes: components['schemas']['LedgerAmount']
      disputesReversed: components['schemas']['LedgerAmount']
      disputeFees: components['schemas']['LedgerAmount']
      reserve: components['schemas']['LedgerAmount']
      reserveReleased: components['schemas']['LedgerAmount']
      conversions: components['schemas']['LedgerAmount']
      networkFees: components['schemas']['LedgerAmount']
      adjustments: components['schemas']['LedgerAmount']
      payoutsReturned: components['schemas']['LedgerAmount']
      payoutFee: components['schemas']['LedgerAmount']
      advance: components['schemas']['LedgerAmount']
      entryCount: number
    }
    MerchantsPayout: {
      payoutId: components['schemas']['PayoutId']
      partnerCustomerId: components['schemas']['MerchantOwner']
      unit: string
      /** @description Set for fiat */
      amountCents?: number
      /** @description Set for crypto: number of the asset as text */
      amount?: components['schemas']['DecimalString']
      status: components['schemas']['PayoutStatus']
      destination: string | null
      settledAt: components['schemas']['Timestamp'] | null
      returnedAt: components['schemas']['Timestamp'] | null
      returnReason: string | null
      reference: string | null
      txId: string | null
      summary: components['schemas']['MerchantPayoutSummary']
      /** @description Set for fiat */
      currency?: string
      schedule: {
        unit: string
        interval: components['schemas']['ScheduleInterval']
        weekday: components['schemas']['Weekday'] | null
        day: components['schemas']['ScheduleDay'] | null
        minimumAmount: components['schemas']['LedgerAmount']
        payoutWalletId: string | null
      } | null
      scheduledFor: components['schemas']['Timestamp']
      createdAt: components['schemas']['Timestamp']
      sentAt: components['schemas']['Timestamp'] | null
    }
    MerchantWebhook: {
      id: components['schemas']['WebhookId']
      url: string
      integrationId: components['schemas']['IntegrationId'] | null
      createdAt: components['schemas']['Timestamp']
      hasSecret: boolean
      formerSecretUntil?: components['schemas']['Timestamp']
      disabledAt?: components['schemas']['Timestamp']
    }
    MerchantWebhookList: {
      webhooks: components['schemas']['MerchantWebhook'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    Network: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
    /** @description Cursor of the next page, or null */
    NextCursor: string | null
    NextStep: {
      step: components['schemas']['NextStepName']
      capabilities: components['schemas']['CapabilityName'][]
      /** @enum {string} */
      actor: 'partner' | 'merchant' | 'service'
      reason: components['schemas']['UnavailableReason'] | null
      message: string
      resource: components['schemas']['NextStepResource'] | null
    }
    /** @enum {string} */
    NextStepName:
      | 'start_verification'
      | 'complete_fields'
      | 'upload_documents'
      | 'submit_verification'
      | 'accept_agreement'
      | 'answer_requirement'
      | 'await_review'
      | 'renew_verification'
      | 'await_reinstatement'
      | 'reduce_disputes'
      | 'confirm_link'
    NextStepResource: {
      fields?: string[]
      document_types?: components['schemas']['DocumentType'][]
      agreement_id?: components['schemas']['AgreementId']
      agreement_version?: string
      document_url?: string
      requirement_id?: components['schemas']['RequirementId']
      share?: number | null
      threshold?: number | null
      window_hours?: number | null
    }
    NoBody: Record<string, never>
    OnboardingLink: {
      onboarding_link_id: components['schemas']['OnboardingLinkId']
      url: string
      expires_at: components['schemas']['Timestamp']
    }
    OnboardingLinkId: string
    OnrampOrder: {
      id: components['schemas']['OnrampOrderId']
      orderId: components['schemas']['CryptoOrderId']
      providerOrderId: string
      status: components['schemas']['OnrampStatus']
      checkoutUrl: string
      fiat: string
      fiatAmount: components['schemas']['DecimalString'] | null
      crypto: components['schemas']['Asset']
      cryptoAmount: components['schemas']['DecimalString']
      blockchain: components['schemas']['Network']
      createdAt: components['schemas']['Timestamp']
      expiresAt: components['schemas']['Timestamp']
    }
    OnrampOrderId: string
    /** @enum {string} */
    OnrampStatus:
      | 'pendingPayment'
      | 'waitingPayment'
      | 'paymentReceived'
      | 'extraVerification'
      | 'inProgress'
      | 'coinTransferred'
      | 'cryptoTransferred'
      | 'complete'
      | 'completed'
      | 'cancelled'
      | 'declined'
      | 'expired'
      | 'refunded'
    OrderDeposit: {
      txId: string
      outputIndex: number
      network: components['schemas']['Network']
      asset: components['schemas']['Asset']
      amount: components['schemas']['DecimalString']
      address: string
      seenAt: components['schemas']['Timestamp']
      countedAt: components['schemas']['Timestamp'] | null
      reverted: boolean
      blockNumber: number | null
      blockHash: string | null
      confirmations: number
      final: boolean
      place: components['schemas']['DepositPlace'] | null
      transfer: components['schemas']['DepositTransfer'] | null
    }
    OrderKey: string
    OrderSettlement: {
      processor: string
      lineId: string
      /** @enum {string} */
      kind: 'payment' | 'refund' | 'dispute' | 'dispute_reversal' | 'fee' | 'adjustment' | 'payout'
      currency: string
      grossCents: number
      original: {
        currency: string
        grossCents: number
        rate: string | null
      } | null
      /** Format: date */
      availableOn: string
      payoutRef: string | null
      /** Format: date */
      paidOutOn: string | null
      /** Format: date */
      bookedOn: string | null
    }
    /** @enum {string} */
    OrderStatus:
      'pending' | 'underpaid' | 'paid' | 'expired' | 'cancelled' | 'refunded' | 'completed' | 'chargeback'
    OwnApiKey: {
      keyId: components['schemas']['ApiKeyId']
      /** @description The key's last four characters */
      hint: string | null
      createdAt: components['schemas']['Timestamp']
    }
    OwnApiKeyList: {
      apiKeys: components['schemas']['OwnApiKey'][]
    }
    PartnerEvent:
      | components['schemas']['CustomerUpdated']
      | components['schemas']['VerificationMoved']
      | components['schemas']['VerificationRejected']
      | components['schemas']['AgreementAccepted']
      | components['schemas']['DocumentReviewed']
      | components['schemas']['CapabilityUpdated']
      | components['schemas']['RequirementChanged']
      | components['schemas']['PaymentChanged']
      | components['schemas']['CustomerPayoutChanged']
      | components['schemas']['CustomerPayoutWalletChanged']
      | components['schemas']['BalanceNegative']
      | components['schemas']['RefundCompleted']
    /** @enum {string} */
    PartnerEventType:
      | 'customer.updated'
      | 'verification.pending'
      | 'verification.approved'
      | 'verification.rejected'
      | 'agreement.accepted'
      | 'document.reviewed'
      | 'capability.updated'
      | 'requirement.created'
      | 'requirement.resolved'
      | 'payment.pending'
      | 'payment.confirmed'
      | 'payment.underpaid'
      | 'payment.reverted'
      | 'payment.expired'
      | 'payment.cancelled'
      | 'payment.refunded'
      | 'payment.chargeback'
      | 'payout.upcoming'
      | 'payout.sent'
      | 'payout.settled'
      | 'payout.returned'
      | 'payout_wallet.added'
      | 'payout_wallet.active'
      | 'payout_wallet.deleted'
      | 'balance.negative'
      | 'refund.completed'
    PartnerId: string
    PartnerPayout: {
      payout_id: components['schemas']['PayoutId']
      partner_id: components['schemas']['PartnerId']
      unit: string
      /** @description Set for fiat */
      currency?: string
      /** @description Set for fiat: in the currency’s minor unit */
      amount_cents?: number
      /** @description Set for crypto: number of the asset as text */
      amount?: components['schemas']['DecimalString']
      status: components['schemas']['PayoutStatus']
      destination: string | null
      schedule: components['schemas']['PayoutSchedule'] | null
      scheduled_for: components['schemas']['Timestamp']
      created_at: components['schemas']['Timestamp']
      sent_at: components['schemas']['Timestamp'] | null
      settled_at: components['schemas']['Timestamp'] | null
      returned_at: components['schemas']['Timestamp'] | null
      return_reason: string | null
      reference: string | null
      tx_id: string | null
      summary: components['schemas']['PayoutSummary']
    }
    PartnerWebhook: {
      webhook_id: components['schemas']['WebhookId']
      url: string
      event_types: components['schemas']['PartnerEventType'][]
      status: components['schemas']['WebhookStatus']
      created_at: components['schemas']['Timestamp']
      former_secret_until?: components['schemas']['Timestamp']
      disabled_at?: components['schemas']['Timestamp']
    }
    PartnerWebhookList: {
      webhooks: components['schemas']['PartnerWebhook'][]
      next_cursor: components['schemas']['NextCursor']
    }
    PaymentChanged: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type:
        | 'payment.pending'
        | 'payment.confirmed'
        | 'payment.underpaid'
        | 'payment.reverted'
        | 'payment.expired'
        | 'payment.cancelled'
        | 'payment.refunded'
        | 'payment.chargeback'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: components['schemas']['CryptoPaymentData'] | components['schemas']['FiatPaymentData']
    }
    /** @enum {string} */
    PaymentMethod: 'card' | 'bank_transfer' | 'crypto' | 'other'
    PayoutId: string
    PayoutSchedule: {
      unit: string
      interval: components['schemas']['ScheduleInterval']
      weekday: components['schemas']['Weekday'] | null
      day: components['schemas']['ScheduleDay'] | null
      minimum_amount: components['schemas']['LedgerAmount']
      payout_wallet_id: string | null
    }
    /** @enum {string} */
    PayoutStatus: 'upcoming' | 'sent' | 'settled' | 'cancelled' | 'returned'
    PayoutSummary: {
      payments: components['schemas']['LedgerAmount']
      deposits: components['schemas']['LedgerAmount']
      deposits_reverted: components['schemas']['LedgerAmount']
      refunds: components['schemas']['LedgerAmount']
      fees_returned: components['schemas']['LedgerAmount']
      service_fees: components['schemas']['LedgerAmount']
      partner_fees: components['schemas']['LedgerAmount']
      splits: components['schemas']['LedgerAmount']
      disputes: components['schemas']['LedgerAmount']
      disputes_reversed: components['schemas']['LedgerAmount']
      dispute_fees: components['schemas']['LedgerAmount']
      reserve: components['schemas']['LedgerAmount']
      reserve_released: components['schemas']['LedgerAmount']
      conversions: components['schemas']['LedgerAmount']
      network_fees: components['schemas']['LedgerAmount']
      adjustments: components['schemas']['LedgerAmount']
      payouts_returned: components['schemas']['LedgerAmount']
      payout_fee: components['schemas']['LedgerAmount']
      advance: components['schemas']['LedgerAmount']
      entry_count: number
    }
    PayoutWallet: {
      payout_wallet_id: components['schemas']['PayoutWalletId']
      partner_customer_id: components['schemas']['RelationshipId']
      kind: components['schemas']['PayoutWalletKind']
      unit: string
      /** @description Account or address, shortened, such as `DE•• •••• 4242` */
      masked: string
      /** @description The whole address in its canonical spelling: compare all of it. Null for an IBAN */
      address: string | null
      status: components['schemas']['PayoutWalletStatus']
      confirmed_at: components['schemas']['Timestamp'] | null
      proved_at: components['schemas']['Timestamp'] | null
      usable_from: components['schemas']['Timestamp']
      /** @description Message to sign with the key of the address. Null: nothing can be, or must be, proved */
      proof: {
        message: string
      } | null
      refusal_reason: string | null
      created_at: components['schemas']['Timestamp']
    }
    PayoutWalletId: string
    /** @enum {string} */
    PayoutWalletKind: 'iban' | 'address'
    /** @enum {string} */
    PayoutWalletStatus: 'proof_required' | 'waiting' | 'active' | 'refused'
    Person: {
      full_name?: string | null
      date_of_birth?: string | null
      nationality?: components['schemas']['Country'] | null
      country?: components['schemas']['Country'] | null
      email?: string | null
      phone?: string | null
      address_line1?: string | null
      city?: string | null
      postal_code?: string | null
    }
    PersonInput: {
      full_name?: string | null
      date_of_birth?: string | null
      nationality?: components['schemas']['Country'] | null
      country?: components['schemas']['Country'] | null
      email?: string | null
      phone?: string | null
      address_line1?: string | null
      city?: string | null
      postal_code?: string | null
    }
    PortalLink: {
      url: string
      expires_at: components['schemas']['Timestamp']
    }
    /** @enum {string} */
    ProcessingVolume: 'range_0_1k' | 'range_1k_10k' | 'range_10k_50k' | 'range_50k_250k' | 'range_250k_plus'
    ProvePayoutWalletRequest: {
      signature: string
      /** @description Not needed on any of these networks: the signature or the address tells it */
      public_key?: string
    }
    PutBrandLogoRequest: {
      /** @description A PNG, JPEG or WebP image */
      content_base64: string
    }
    PutBrandRequest: {
      /** @description Plain text */
      name?: string | null
      /** @description Colour of buttons and links, such as `#0d5c46` */
      accent_color?: string | null
      /** @description Where readers of the pages get help: an e-mail address, or an https address */
      support_address?: string | null
    }
    PutCustomerBrandLogoRequest: {
      /** @description A PNG, JPEG or WebP image */
      content_base64: string
    }
    PutCustomerBrandRequest: {
      /** @description Plain text */
      name?: string | null
      /** @description Colour of buttons and links, such as `#0d5c46` */
      accent_color?: string | null
      /** @description Where readers of the pages get help: an e-mail address, or an https address */
      support_address?: string | null
    }
    RaiseRequirement: {
      kind: components['schemas']['RequirementKind']
      target?: string | null
      document_type?: components['schemas']['DocumentType'] | null
      message: string
      due_at?: components['schemas']['TimestampInput'] | null
    }
    Redelivery: {
      redelivery_id: components['schemas']['RedeliveryId']
      webhook_id: components['schemas']['LoggedWebhookId']
      status: components['schemas']['RedeliveryStatus']
      event_status: components['schemas']['EventStatus'] | null
      since: components['schemas']['Timestamp']
      until: components['schemas']['Timestamp']
      per_second: number
      sent: number
      reached: components['schemas']['Timestamp']
      created_at: components['schemas']['Timestamp']
      finished_at: components['schemas']['Timestamp'] | null
    }
    RedeliveryId: string
    RedeliveryList: {
      redeliveries: components['schemas']['Redelivery'][]
    }
    RedeliveryRequest: {
      /** @description Earliest creation of an event, inclusive */
      since: components['schemas']['TimestampInput']
      /** @description Latest creation, exclusive; default now */
      until?: components['schemas']['TimestampInput']
      /**
       * @description Restricts to dead, delivered or missed events; default: all
       * @enum {string}
       */
      status?: 'delivered' | 'dead' | 'missed'
      /** @description Maximum deliveries per second, default 50 */
      per_second?: number
    }
    /** @enum {string} */
    RedeliveryStatus: 'running' | 'done' | 'cancelled'
    Refund: {
      refund_id: components['schemas']['RefundId']
      order_key: components['schemas']['OrderKey']
      amount_cents: number
      currency: string
      status: components['schemas']['RefundStatus']
      description: string | null
      order_lines: components['schemas']['RefundLine'][] | null
      source: components['schemas']['RefundSource']
      created_at: components['schemas']['Timestamp']
      completed_at: components['schemas']['Timestamp'] | null
    }
    RefundAnswer: {
      order_key: components['schemas']['OrderKey']
      currency: string
      refund: {
        amount_cents: number
        status: components['schemas']['RefundResult']
      }
      service_fee_payer: components['schemas']['ServiceFeePayer']
      max_refundable_cents: number
      refunded_cents: number
      remaining_refundable_cents: number
    }
    RefundCompleted: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'refund.completed'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        refund_id: components['schemas']['RefundId']
        order_id: components['schemas']['FiatOrderId']
        order_key: components['schemas']['OrderKey']
        /** @constant */
        status: 'succeeded'
      }
    }
    RefundId: string
    RefundLine: {
      merchant_order_line_id: string
      quantity: number
    }
    RefundLineInput: {
      merchant_order_line_id: string
      quantity: number
    }
    RefundList: {
      refunds: components['schemas']['Refund'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    RefundResult: 'refunded' | 'partially_refunded'
    /** @enum {string} */
    RefundSource: 'api' | 'processor'
    /** @enum {string} */
    RefundStatus: 'pending' | 'succeeded' | 'failed'
    RegisteredAddress: {
      line1: string | null
      line2: string | null
      city: string | null
      postal_code: string | null
      country: components['schemas']['Country'] | null
    }
    RegisteredAddressWrite: {
      line1?: string | null
      line2?: string | null
      city?: string | null
      postal_code?: string | null
      country?: components['schemas']['Country'] | null
    }
    RelationshipId: string
    /** @enum {string} */
    RelationshipStatus: 'active' | 'revoked'
    Report: {
      report_id: components['schemas']['ReportId']
      type: components['schemas']['ReportType']
      format: components['schemas']['ReportFormat']
      from: components['schemas']['Timestamp']
      to: components['schemas']['Timestamp']
      as_of: components['schemas']['Timestamp']
      partner_customer_id: components['schemas']['RelationshipId'] | null
      /** @enum {string} */
      status: 'queued' | 'running' | 'ready' | 'failed'
      rows: number | null
      sha256: string | null
      url: string | null
      expires_at: components['schemas']['Timestamp'] | null
    }
    /** @enum {string} */
    ReportFormat: 'csv' | 'json' | 'parquet'
    ReportId: string
    /** @enum {string} */
    ReportType:
      | 'balance'
      | 'activity'
      | 'payout'
      | 'fees'
      | 'orders'
      | 'refunds'
      | 'disputes'
      | 'statement'
      | 'dac7'
      | 'dac8'
    RequestId: string
    Requirement: {
      requirement_id: components['schemas']['RequirementId']
      kind: components['schemas']['RequirementKind']
      target: string | null
      document_type: components['schemas']['DocumentType'] | null
      message: string
      status: components['schemas']['RequirementStatus']
      raised_by: components['schemas']['RequirementRaiser']
      document_id: components['schemas']['DocumentId'] | null
      due_at: components['schemas']['Timestamp'] | null
      created_at: components['schemas']['Timestamp']
      updated_at: components['schemas']['Timestamp'] | null
      resolved_at: components['schemas']['Timestamp'] | null
    }
    RequirementChanged: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'requirement.created' | 'requirement.resolved'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        requirement_id: components['schemas']['RequirementId']
        kind: components['schemas']['RequirementKind']
        target: string | null
        document_type: components['schemas']['DocumentType'] | null
        message: string
        status: components['schemas']['RequirementStatus']
        raised_by: components['schemas']['RequirementRaiser']
        document_id: components['schemas']['DocumentId'] | null
        due_at: components['schemas']['Timestamp'] | null
        created_at: components['schemas']['Timestamp']
        updated_at: components['schemas']['Timestamp'] | null
        resolved_at: components['schemas']['Timestamp'] | null
      }
    }
    RequirementId: string
    /** @enum {string} */
    RequirementKind: 'document' | 'field' | 'clarification'
    RequirementList: {
      requirements: components['schemas']['Requirement'][]
      next_cursor: components['schemas']['NextCursor']
    }
    /** @enum {string} */
    RequirementRaiser: 'you' | 'partner' | 'service'
    /** @enum {string} */
    RequirementStatus: 'open' | 'fulfilled' | 'satisfied' | 'cancelled'
    RotatedWebhook: {
      webhook: components['schemas']['PartnerWebhook']
      webhook_secret: components['schemas']['WebhookSecret']
    }
    RotateWebhookSecretRequest: {
      overlapHours?: components['schemas']['SecretOverlapHours']
    }
    ScheduleDay: number | 'last'
    /** @enum {string} */
    ScheduleInterval: 'manual' | 'daily' | 'weekly' | 'monthly'
    /** @description Hours during which the previous secret still signs `x-signature`, and the new one `x-signature-next` */
    SecretOverlapHours: number
    /** @enum {string} */
    ServiceFeePayer: 'customer' | 'merchant'
    SetPayoutScheduleRequest: {
      schedules: {
        unit: components['schemas']['Currency']
        interval: components['schemas']['ScheduleInterval']
        weekday?: components['schemas']['Weekday']
        day?: components['schemas']['ScheduleDay']
        /**
         * @description In the currency’s minor unit. Less is carried forward
         * @default 0
         */
        minimum_amount: number
        /**
         * @description Destination of the same unit. Null: one that the platform does not know
         * @default null
         */
        payout_wallet_id: components['schemas']['PayoutWalletId'] | null
      }[]
    }
    /** @enum {string} */
    SettlementOption: 'fiat_eur_iban' | 'crypto_usdt'
    Statement: {
      month: string
      units: {
        unit: string
        opening: components['schemas']['LedgerAmount']
        entries: components['schemas']['StatementLine'][]
        closing: components['schemas']['LedgerAmount']
      }[]
      /** @description SHA-256, hexadecimal */
      sha256: string
      proof: {
        seals: {
          number: number
          size: number
          /** @description SHA-256, hexadecimal */
          root: string
        }[]
        accounts: {
          leaf: {
            /** @constant */
            v: 1
            partnerCustomerId:
              | components['schemas']['RelationshipId']
              | components['schemas']['MerchantId']
              | components['schemas']['PartnerId']
            balance: components['schemas']['BalanceName']
            unit: string
            month: string
            /** @description True: nothing can be added to the month any more */
            closed: boolean
            first: number
            last: number
            opening: components['schemas']['LedgerAmount']
            closing: components['schemas']['LedgerAmount']
            /** @description SHA-256, hexadecimal */
            lines: string
            nonce: string
          }
          seal: number
          index: number
          path: string[]
          lines: string[]
        }[]
      }
    }
    StatementLine: {
      entryId: components['schemas']['EntryId']
      partnerCustomerId:
        | components['schemas']['RelationshipId']
        | components['schemas']['MerchantId']
        | components['schemas']['PartnerId']
      kind: components['schemas']['EntryKind']
      balance: components['schemas']['BalanceName']
      amount: components['schemas']['LedgerAmount']
      balanceAfter: components['schemas']['LedgerAmount']
      orderKey: components['schemas']['OrderKey'] | null
      orderId: string | null
      payoutId: components['schemas']['PayoutId'] | null
      reverses: components['schemas']['EntryId'] | null
      estimated: boolean
      effectiveAt: components['schemas']['Timestamp']
      recordedAt: components['schemas']['Timestamp']
      /** @description Place in its account: owner, balance and unit */
      number: number
    }
    /** @enum {string} */
    SubmissionBlock: 'missing_documents' | 'validation_failed'
    TestedWebhook: {
      success: boolean
      event_id: components['schemas']['EventId']
      status_code: number | null
      error: string | null
      response_body: string | null
    }
    TestSent: {
      /** @constant */
      event: 'test'
      eventId?: components['schemas']['EventId']
      occurredAt?: components['schemas']['Timestamp']
      sequence?: number
      order: {
        id: string
        reference: string
        chain: string
        asset: string
        amount: string
        status: string
      }
    }
    /**
     * Format: date-time
     * @description ISO 8601 UTC, milliseconds
     */
    Timestamp: string
    /** Format: date-time */
    TimestampInput: string
    Ubo: {
      full_name?: string | null
      date_of_birth?: string | null
      nationality?: components['schemas']['Country'] | null
      country?: components['schemas']['Country'] | null
      email?: string | null
      phone?: string | null
      address_line1?: string | null
      city?: string | null
      postal_code?: string | null
      ownership_percent?: number | null
    }
    /** @enum {string} */
    UboDeclaration: 'has_ubos' | 'no_qualifying_ubo'
    UboInput: {
      full_name?: string | null
      date_of_birth?: string | null
      nationality?: components['schemas']['Country'] | null
      country?: components['schemas']['Country'] | null
      email?: string | null
      phone?: string | null
      address_line1?: string | null
      city?: string | null
      postal_code?: string | null
      ownership_percent?: number | null
    }
    /** @enum {string} */
    UnavailableReason:
      | 'link_unconfirmed'
      | 'suspended'
      | 'verification_required'
      | 'verification_expired'
      | 'agreement_required'
      | 'chargeback_threshold'
    UpcomingVersion: {
      version: string
      effective_at: components['schemas']['Timestamp']
      document_url: string
      accepted: boolean
    }
    UpdatedWebhook: {
      webhook: components['schemas']['PartnerWebhook']
      duplicate_of?: components['schemas']['Duplicates']
    }
    UpdateRequirementRequest: {
      status: components['schemas']['RequirementStatus']
      document_id?: components['schemas']['DocumentId']
    }
    UpdateWebhookEndpointRequest: {
      url?: components['schemas']['WebhookUrl']
      /** @description Empty: every type except those that must be named (`payout.upcoming`, `payout.sent`, `payout.settled`, `payout.returned`, `payout_wallet.added`, `payout_wallet.active`, `payout_wallet.deleted`, `balance.negative`) */
      event_types?: components['schemas']['PartnerEventType'][]
      status?: components['schemas']['WebhookStatus']
      former_secret_until?: components['schemas']['EndOfOverlap']
    }
    UpdateWebhookRequest: {
      url?: components['schemas']['WebhookUrl']
      integrationId?: string | null
      status?: components['schemas']['WebhookStatus']
      formerSecretUntil?: components['schemas']['EndOfOverlap']
    }
    /** @enum {string} */
    UploadedDocumentType:
      | 'certificate_of_incorporation'
      | 'proof_of_address'
      | 'director_id'
      | 'bank_statement'
      | 'processing_statement'
      | 'other'
    Verification: {
      verification_id: components['schemas']['VerificationId']
      status: components['schemas']['VerificationStatus']
      rejection_reason: components['schemas']['VerificationRejectionReason'] | null
      submitted_at: components['schemas']['Timestamp'] | null
      reviewed_at: components['schemas']['Timestamp'] | null
      expires_at: components['schemas']['Timestamp'] | null
      partner_customer_id: components['schemas']['RelationshipId']
      business: components['schemas']['Business']
      registered_address: components['schemas']['RegisteredAddress']
      contact: components['schemas']['Contact']
      commercial: components['schemas']['Commercial']
      directors: components['schemas']['Person'][]
      ubos: components['schemas']['Ubo'][]
      ubo_declaration: components['schemas']['UboDeclaration']
      consent: components['schemas']['Consent']
      additional_data: {
        [key: string]: components['schemas']['AdditionalValue']
      }
      created_at: components['schemas']['Timestamp']
      updated_at: components['schemas']['Timestamp'] | null
    }
    VerificationId: string
    VerificationMoved: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'verification.pending' | 'verification.approved'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        verification_id: components['schemas']['VerificationId']
        /** @enum {string} */
        status: 'pending' | 'approved'
      }
    }
    VerificationRejected: {
      event_id: components['schemas']['EventId']
      /** @enum {string} */
      event_type: 'verification.rejected'
      created_at: components['schemas']['Timestamp']
      partner_id: components['schemas']['PartnerId']
      data: {
        partner_customer_id: components['schemas']['RelationshipId']
        verification_id: components['schemas']['VerificationId']
        /** @constant */
        status: 'rejected'
        rejection_reason: components['schemas']['VerificationRejectionReason'] | null
      }
    }
    /** @enum {string} */
    VerificationRejectionReason:
      | 'document_illegible'
      | 'document_expired'
      | 'information_mismatch'
      | 'business_not_supported'
      | 'ownership_unclear'
      | 'sanctions_match'
      | 'duplicate_case'
      | 'other'
    /** @enum {string} */
    VerificationStatus: 'draft' | 'pending' | 'approved' | 'rejected'
    Wallet: {
      unit: string
      /** @enum {string} */
      kind: 'fiat' | 'crypto'
      currency?: string
      network?: components['schemas']['Network']
      asset?: components['schemas']['Asset']
      pending: components['schemas']['LedgerAmount']
      available: components['schemas']['LedgerAmount']
      reserved: components['schemas']['LedgerAmount']
      on_the_way: components['schemas']['LedgerAmount']
      next_available_at: components['schemas']['Timestamp'] | null
      as_of: components['schemas']['Timestamp']
    }
    WalletList: {
      wallets: components['schemas']['Wallet'][]
    }
    WebhookId: string
    WebhookRotation: {
      overlap_hours?: components['schemas']['SecretOverlapHours']
    }
    WebhookSecret: string
    /** @enum {string} */
    WebhookStatus: 'active' | 'disabled'
    WebhookUrl: string
    /** @enum {string} */
    Weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    Success: {
      request_id: components['schemas']['RequestId']
      /** @constant */
      api_version: '2026-11-01'
    }
    /** @enum {string} */
    ErrorCode:
      | 'invalid_request'
      | 'idempotency_key_required'
      | 'invalid_cursor'
      | 'unauthorized'
      | 'insufficient_scope'
      | 'capability_not_enabled'
      | 'resource_not_found'
      | 'method_not_allowed'
      | 'invalid_state'
      | 'limit_reached'
      | 'name_conflict'
      | 'idempotency_key_reuse'
      | 'not_refundable'
      | 'order_not_paid'
      | 'nothing_to_refund'
      | 'amount_exceeds_remaining'
      | 'amount_exceeds_available'
      | 'refund_full_value_only'
      | 'capability_unavailable'
      | 'external_id_conflict'
      | 'relationship_conflict'
      | 'checkout_blocked'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'validation_failed'
      | 'rate_limited'
      | 'internal_error'
      | 'provider_error'
      | 'temporarily_unavailable'
    ErrorDetail: {
      /** @description Dotted path, such as `order_lines.0.quantity` */
      field?: string
      /** @description For a field, one of `required`, `unknown_field`, `invalid_type`, `invalid_value`, `too_long`, `too_short`, `too_many`, `too_small`, `too_big`, `too_large`, `not_https`, `forbidden_address`, `unsupported_type`, `unsupported_version`, `invalid_json`, `invalid_date`; of a 401, one of `missing`, `malformed`, `expired`, `revoked`, `wrong_kind`, `invalid` */
      reason?: string
      /** @description The allowed values, if they are few */
      allowed?: unknown[]
      /** @description What is accepted, in words: a bound, a type or a format */
      expected?: string
      /** @description A sentence more, such as `Did you mean EUR?` */
      hint?: string
    } & {
      [key: string]: unknown
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listCustomers: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Only the customer with this id of yours */
        external_customer_id?: string
        /** @description Only those created at this time or later */
        created_since?: components['schemas']['TimestampInput']
        /** @description Only those created before this time */
        created_until?: components['schemas']['TimestampInput']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['CustomerList']
          }
        }
      }
    }
  }
  createCustomer: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCustomerRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['Customer']
          }
        }
      }
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['Customer']
          }
        }
      }
    }
  }
  getCustomer: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['Customer']
          }
        }
      }
    }
  }
  getBrand: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              brand: components['schemas']['Brand']
            }
          }
        }
      }
    }
  }
  putBrand: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PutBrandRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              brand: components['schemas']['Brand']
            }
          }
        }
      }
    }
  }
  putBrandLogo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PutBrandLogoRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              brand: components['schemas']['Brand']
            }
          }
        }
      }
    }
  }
  deleteBrandLogo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getCustomerBrand: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              brand: components['schemas']['Brand']
              effective_brand: components['schemas']['Brand']
            }
          }
        }
      }
    }
  }
  putCustomerBrand: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PutCustomerBrandRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              brand: components['schemas']['Brand']
              effective_brand: components['schemas']['Brand']
            }
          }
        }
      }
    }
  }
  putCustomerBrandLogo: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PutCustomerBrandLogoRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              brand: components['schemas']['Brand']
              effective_brand: components['schemas']['Brand']
            }
          }
        }
      }
    }
  }
  deleteCustomerBrandLogo: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listCapabilities: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['CapabilityList']
          }
        }
      }
    }
  }
  listNextSteps: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              next_steps: components['schemas']['NextStep'][]
            }
          }
        }
      }
    }
  }
  getCustomerVerification: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              verification: components['schemas']['Verification']
            }
          }
        }
      }
    }
  }
  submitVerification: {
    parameters: {
      query?: {
        /** @description Refuse the write if data or case changed after this time */
        unmodified_since?: components['schemas']['TimestampInput']
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['KybWrite']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              verification: components['schemas']['Verification']
              submitted: boolean
              blocked_by: components['schemas']['SubmissionBlock'] | null
              missing_documents: components['schemas']['DocumentType'][]
              incomplete_fields: components['schemas']['IncompleteField'][]
            }
          }
        }
      }
    }
  }
  getVerification: {
    parameters: {
      query?: never
      header?: never
      path: {
        verificationId: components['schemas']['VerificationId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              verification: components['schemas']['Verification']
            }
          }
        }
      }
    }
  }
  getVerificationSchema: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              schema: {
                [key: string]: unknown
              }
              required_at_submission: string[]
              document_types: components['schemas']['DocumentType'][]
            }
          }
        }
      }
    }
  }
  createOnboardingLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateOnboardingLinkRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              onboarding_link: components['schemas']['OnboardingLink']
            }
          }
        }
      }
    }
  }
  endOnboardingLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        onboardingLinkId: components['schemas']['OnboardingLinkId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listAgreements: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['AgreementList']
          }
        }
      }
    }
  }
  acceptAgreement: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: string
        agreementId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AcceptAgreementRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              acceptance: components['schemas']['Acceptance']
            }
          }
        }
      }
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              acceptance: components['schemas']['Acceptance']
            }
          }
        }
      }
    }
  }
  listDocuments: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['DocumentList']
          }
        }
      }
    }
  }
  uploadDocument: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    /** @description Prefer a form: the file is streamed. */
    requestBody: {
      content: {
        'multipart/form-data': {
          document_type: components['schemas']['UploadedDocumentType']
          /**
           * Format: binary
           * @description PDF, PNG or JPEG, determined by content, at most 10485760 bytes
           */
          file: string
        }
        'application/json': components['schemas']['DocumentUpload']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              document: components['schemas']['Document']
            }
          }
        }
      }
    }
  }
  getDocumentDownload: {
    parameters: {
      query?: never
      header?: never
      path: {
        documentId: components['schemas']['DocumentId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              document: components['schemas']['Document']
              download_url: string
              expires_at: components['schemas']['Timestamp']
            }
          }
        }
      }
    }
  }
  listRequirements: {
    parameters: {
      query?: {
        status?: 'open'
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['RequirementList']
          }
        }
      }
    }
  }
  raiseRequirement: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RaiseRequirement']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              requirement: components['schemas']['Requirement']
            }
          }
        }
      }
    }
  }
  getRequirement: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        requirementId: components['schemas']['RequirementId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              requirement: components['schemas']['Requirement']
            }
          }
        }
      }
    }
  }
  updateRequirement: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        requirementId: components['schemas']['RequirementId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRequirementRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              requirement: components['schemas']['Requirement']
            }
          }
        }
      }
    }
  }
  listCryptoOrders: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['CryptoOrderList']
          }
        }
      }
    }
  }
  createCryptoOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCryptoOrderRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              order: components['schemas']['CryptoOrder']
              replayed: boolean
              /** @description Fields of your request that differ from the replayed order, which is unchanged; absent if there are none */
              differs?: ('network' | 'asset' | 'amount' | 'currency')[]
            }
          }
        }
      }
    }
  }
  listAllCryptoOrders: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
        status?: components['schemas']['CryptoOrderStatus']
        /** @description Only those with exactly this reference of yours */
        reference?: string
        /** @description Only those created at this time or later */
        created_since?: components['schemas']['TimestampInput']
        /** @description Only those created before this time */
        created_until?: components['schemas']['TimestampInput']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              orders: {
                id: components['schemas']['CryptoOrderId']
                reference: string
                network: components['schemas']['Network']
                asset: components['schemas']['Asset']
                amount: components['schemas']['DecimalString']
                currency: string
                status: components['schemas']['CryptoOrderStatus']
                address: string
                paymentUri: string
                qrUrl: string
                payUrl?: string
                serviceFee?: components['schemas']['DecimalString']
                serviceFeePercent?: number
                serviceFeePayer?: components['schemas']['ServiceFeePayer']
                createdAt: components['schemas']['Timestamp']
                expiresAt: components['schemas']['Timestamp']
                totalToSend: components['schemas']['DecimalString']
                networkFees: components['schemas']['DecimalString'] | null
                fiatAmount: components['schemas']['DecimalString']
                partnerCustomerId: components['schemas']['RelationshipId']
              }[]
              next_cursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  getCryptoOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderId: components['schemas']['CryptoOrderId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              order: components['schemas']['CryptoOrderDetail']
              partner_customer_id: components['schemas']['RelationshipId']
            }
          }
        }
      }
    }
  }
  cancelCryptoOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderId: components['schemas']['CryptoOrderId']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoBody']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              order: components['schemas']['CryptoOrder']
            }
          }
        }
      }
    }
  }
  listIntegrations: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['IntegrationList']
          }
        }
      }
    }
  }
  createIntegration: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateIntegrationRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              integration: components['schemas']['Integration']
            }
          }
        }
      }
    }
  }
  deleteIntegration: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        integrationId: components['schemas']['IntegrationId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              /** @constant */
              deleted: true
              integration_id: components['schemas']['IntegrationId']
            }
          }
        }
      }
    }
  }
  listFiatOrders: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['FiatOrderList']
          }
        }
      }
    }
  }
  createFiatOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateFiatOrderRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              order: components['schemas']['FiatOrder']
            }
          }
        }
      }
    }
  }
  getFiatOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderKey: components['schemas']['OrderKey']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              order: components['schemas']['FiatOrder']
            }
          }
        }
      }
    }
  }
  listAllFiatOrders: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
        status?: components['schemas']['FiatOrderStatus']
        /** @description Only those with exactly this reference of yours */
        reference?: string
        /** @description Only those created at this time or later */
        created_since?: components['schemas']['TimestampInput']
        /** @description Only those created before this time */
        created_until?: components['schemas']['TimestampInput']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['FiatOrderList']
          }
        }
      }
    }
  }
  listChargebacks: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['ChargebackList']
          }
        }
      }
    }
  }
  listFiatOrderChargebacks: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
      }
      header?: never
      path: {
        orderKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['ChargebackList']
          }
        }
      }
    }
  }
  listChargebackCases: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['ChargebackCaseList']
          }
        }
      }
    }
  }
  liftChargebackCase: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        caseId: components['schemas']['ChargebackCaseId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              chargeback_case: components['schemas']['ChargebackCase']
            }
          }
        }
      }
    }
  }
  listRefunds: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        orderKey: components['schemas']['OrderKey']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['RefundList']
          }
        }
      }
    }
  }
  createRefund: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderKey: components['schemas']['OrderKey']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRefundRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['RefundAnswer']
          }
        }
      }
    }
  }
  getOnrampOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderId: components['schemas']['CryptoOrderId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              onramp: components['schemas']['OnrampOrder']
            }
          }
        }
      }
    }
  }
  createOnrampOrder: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderId: components['schemas']['CryptoOrderId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateOnrampOrderRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              onramp: components['schemas']['OnrampOrder']
            }
          }
        }
      }
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              onramp: components['schemas']['OnrampOrder']
            }
          }
        }
      }
    }
  }
  listWallets: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['WalletList']
          }
        }
      }
    }
  }
  listOwnWallets: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['WalletList']
          }
        }
      }
    }
  }
  listBalanceEntries: {
    parameters: {
      query?: {
        unit?: components['schemas']['LedgerUnit']
        kind?: components['schemas']['EntryKind']
        balance?: components['schemas']['BalanceName']
        /** @description Earliest `recorded_at`, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest `recorded_at`, exclusive */
        until?: components['schemas']['TimestampInput']
        payout_id?: string
        order_key?: string
        order_id?: string
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['BalanceEntryList']
          }
        }
      }
    }
  }
  listOwnBalanceEntries: {
    parameters: {
      query?: {
        unit?: components['schemas']['LedgerUnit']
        kind?: components['schemas']['EntryKind']
        balance?: components['schemas']['BalanceName']
        /** @description Earliest `recorded_at`, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest `recorded_at`, exclusive */
        until?: components['schemas']['TimestampInput']
        payout_id?: string
        order_key?: string
        order_id?: string
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['BalanceEntryList']
          }
        }
      }
    }
  }
  listDailyTotals: {
    parameters: {
      query?: {
        /** @description First day (UTC); 30 days up to `until` if left out */
        since?: string
        /** @description Last day (UTC), inclusive; today if left out */
        until?: string
        unit?: components['schemas']['LedgerUnit']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['DailyTotalList']
          }
        }
      }
    }
  }
  createReport: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateReportRequest']
      }
    }
    responses: {
      /** @description OK */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              report: components['schemas']['Report']
            }
          }
        }
      }
    }
  }
  getReport: {
    parameters: {
      query?: never
      header?: never
      path: {
        reportId: components['schemas']['ReportId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              report: components['schemas']['Report']
            }
          }
        }
      }
    }
  }
  getOwnStatement: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 1000, default 1000; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        /** @description Month of `recordedAt` in UTC, `yyyy-mm` */
        month: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              statement: components['schemas']['Statement']
              next_cursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  getPayoutSchedule: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              schedules: {
                unit: string
                interval: components['schemas']['ScheduleInterval']
                weekday: components['schemas']['Weekday'] | null
                day: components['schemas']['ScheduleDay'] | null
                minimum_amount: components['schemas']['LedgerAmount']
                payout_wallet_id: string | null
                /** @description When it is due next: the cut-off of that payout. Null for manual */
                next_at: components['schemas']['Timestamp'] | null
              }[]
            }
          }
        }
      }
    }
  }
  setPayoutSchedule: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetPayoutScheduleRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              schedules: {
                unit: string
                interval: components['schemas']['ScheduleInterval']
                weekday: components['schemas']['Weekday'] | null
                day: components['schemas']['ScheduleDay'] | null
                minimum_amount: components['schemas']['LedgerAmount']
                payout_wallet_id: string | null
                /** @description When it is due next: the cut-off of that payout. Null for manual */
                next_at: components['schemas']['Timestamp'] | null
              }[]
            }
          }
        }
      }
    }
  }
  listCustomerPayouts: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payouts: components['schemas']['CustomerPayout'][]
              next_cursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  listPartnerPayouts: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payouts: components['schemas']['PartnerPayout'][]
              next_cursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  getPayout: {
    parameters: {
      query?: never
      header?: never
      path: {
        payoutId: components['schemas']['PayoutId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout: components['schemas']['CustomerPayout'] | components['schemas']['PartnerPayout']
            }
          }
        }
      }
    }
  }
  listPayoutEntries: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path: {
        payoutId: components['schemas']['PayoutId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              balance_entries: {
                entry_id: components['schemas']['EntryId']
                kind: components['schemas']['EntryKind']
                unit: string
                balance: components['schemas']['BalanceName']
                amount: components['schemas']['LedgerAmount']
                balance_after: components['schemas']['LedgerAmount']
                order_key: components['schemas']['OrderKey'] | null
                order_id: string | null
                payout_id: components['schemas']['PayoutId'] | null
                reverses: components['schemas']['EntryId'] | null
                estimated: boolean
                effective_at: components['schemas']['Timestamp']
                recorded_at: components['schemas']['Timestamp']
                /** @description Part of the entry that this payout pays. All parts and the advance add up to the payout */
                paid_amount: components['schemas']['LedgerAmount']
              }[]
              next_cursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  listPayoutWallets: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout_wallets: components['schemas']['PayoutWallet'][]
            }
          }
        }
      }
    }
  }
  createPayoutWallet: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePayoutWalletRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout_wallet: components['schemas']['PayoutWallet']
            }
          }
        }
      }
    }
  }
  getPayoutWallet: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        payoutWalletId: components['schemas']['PayoutWalletId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout_wallet: components['schemas']['PayoutWallet']
            }
          }
        }
      }
    }
  }
  deletePayoutWallet: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        payoutWalletId: components['schemas']['PayoutWalletId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  provePayoutWallet: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
        payoutWalletId: components['schemas']['PayoutWalletId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ProvePayoutWalletRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout_wallet: components['schemas']['PayoutWallet']
            }
          }
        }
      }
    }
  }
  createWithdrawal: {
    parameters: {
      query?: never
      header?: never
      path: {
        customerId: components['schemas']['RelationshipId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWithdrawalRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout: components['schemas']['CustomerPayout']
            }
          }
        }
      }
    }
  }
  listWebhookSubscriptions: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              webhooks: components['schemas']['PartnerWebhook'][]
              next_cursor: components['schemas']['NextCursor']
              available_event_types: components['schemas']['PartnerEventType'][]
              /** @description Types that only a destination that names them receives; an empty list does not include them */
              opt_in_event_types: components['schemas']['PartnerEventType'][]
              signature: {
                /** @constant */
                algorithm: 'hmac-sha256'
                /** @constant */
                header: 'x-signature'
                /** @constant */
                format: 'v1=<hex>'
                /** @constant */
                signed_payload: '<x-timestamp>.<raw request body>'
              }
            }
          }
        }
      }
    }
  }
  listWebhookEndpoints: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['PartnerWebhookList']
          }
        }
      }
    }
  }
  createWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookEndpointRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['CreatedWebhook']
          }
        }
      }
    }
  }
  getWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              webhook: components['schemas']['PartnerWebhook']
            }
          }
        }
      }
    }
  }
  deleteWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['DeletedWebhook']
          }
        }
      }
    }
  }
  updateWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhookEndpointRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['UpdatedWebhook']
          }
        }
      }
    }
  }
  rotateWebhookEndpointSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['WebhookRotation']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['RotatedWebhook']
          }
        }
      }
    }
  }
  testWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['TestedWebhook']
          }
        }
      }
    }
  }
  listEndpointDeliveries: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Earliest creation, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest creation, exclusive */
        until?: components['schemas']['TimestampInput']
        status?: components['schemas']['DeliveryStatus']
        event_type?: string
        event_id?: string
      }
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['DeliveryList']
          }
        }
      }
    }
  }
  redeliverEndpointDelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        deliveryId: components['schemas']['DeliveryId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              delivery: components['schemas']['Delivery']
            }
          }
        }
      }
    }
  }
  listEndpointEvents: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Earliest creation, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest creation, exclusive */
        until?: components['schemas']['TimestampInput']
        status?: components['schemas']['EventStatus']
        event_type?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['LoggedEventList']
          }
        }
      }
    }
  }
  getEndpointEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        eventId: components['schemas']['EventId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              event: components['schemas']['LoggedEventDetail']
            }
          }
        }
      }
    }
  }
  listEndpointWebhookEvents: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Earliest creation, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest creation, exclusive */
        until?: components['schemas']['TimestampInput']
        status?: components['schemas']['EventStatus']
        event_type?: string
      }
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['LoggedEventList']
          }
        }
      }
    }
  }
  resendEndpointEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        eventId: components['schemas']['EventId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              delivery: components['schemas']['Delivery']
            }
          }
        }
      }
    }
  }
  listFeedEvents: {
    parameters: {
      query?: {
        /** @description The last event that you have processed, from this feed or from a webhook; the page begins after it. Without it the page begins with the oldest event */
        after?: components['schemas']['EventId']
        /** @description Begin with events created at this time or later; ignored with `after` */
        since?: components['schemas']['TimestampInput']
        /** @description Event types, separated by commas; without it, every type */
        types?: string
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description Seconds to wait for an event if the last page would be empty, 0 to 30, default 0 */
        wait?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['EventFeedPage']
          }
        }
      }
    }
  }
  getFeedEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        eventId: components['schemas']['EventId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              event: components['schemas']['PartnerEvent']
            }
          }
        }
      }
    }
  }
  listEndpointRedeliveries: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['RedeliveryList']
          }
        }
      }
    }
  }
  createEndpointRedelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RedeliveryRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              redelivery: components['schemas']['Redelivery']
            }
          }
        }
      }
    }
  }
  getEndpointRedelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        redeliveryId: components['schemas']['RedeliveryId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              redelivery: components['schemas']['Redelivery']
            }
          }
        }
      }
    }
  }
  cancelEndpointRedelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        redeliveryId: components['schemas']['RedeliveryId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              redelivery: components['schemas']['Redelivery']
            }
          }
        }
      }
    }
  }
  listMerchantOrderDeposits: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              deposits: components['schemas']['OrderDeposit'][]
            }
          }
        }
      }
    }
  }
  listMerchantOrders: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
        /** @description Left out: both kinds */
        kind?: 'crypto' | 'card'
        /** @description Left out: any status */
        status?: components['schemas']['OrderStatus']
        /** @description Only orders with this reference, id or order key */
        search?: string
        /** @description Only orders with a price in this currency */
        currency?: components['schemas']['Currency']
        /** @description Only crypto orders in this asset */
        asset?: components['schemas']['Asset']
        /** @description Smallest price, in the order’s currency: `12.50` */
        amount_from?: components['schemas']['DecimalString']
        /** @description Largest price, in the order’s currency: `12.50` */
        amount_to?: components['schemas']['DecimalString']
        /** @description Earliest `created_at`, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest `created_at`, exclusive */
        until?: components['schemas']['TimestampInput']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              orders: components['schemas']['MerchantOrder'][]
              nextCursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  listBalances: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['MerchantBalanceList']
          }
        }
      }
    }
  }
  listMerchantBalanceEntries: {
    parameters: {
      query?: {
        unit?: components['schemas']['LedgerUnit']
        kind?: components['schemas']['EntryKind']
        balance?: components['schemas']['BalanceName']
        /** @description Earliest `recorded_at`, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest `recorded_at`, exclusive */
        until?: components['schemas']['TimestampInput']
        payout_id?: string
        order_key?: string
        order_id?: string
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['MerchantBalanceEntryList']
          }
        }
      }
    }
  }
  listMerchantDailyTotals: {
    parameters: {
      query?: {
        /** @description First day (UTC); 30 days up to `until` if left out */
        since?: string
        /** @description Last day (UTC), inclusive; today if left out */
        until?: string
        unit?: components['schemas']['LedgerUnit']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['DailyTotalList']
          }
        }
      }
    }
  }
  getStatement: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 1000, default 1000; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path: {
        /** @description Month of `recordedAt` in UTC, `yyyy-mm` */
        month: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              statement: components['schemas']['Statement']
              nextCursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  listMerchantPayouts: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payouts: components['schemas']['MerchantsPayout'][]
              nextCursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  getMerchantPayout: {
    parameters: {
      query?: never
      header?: never
      path: {
        payoutId: components['schemas']['PayoutId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              payout: components['schemas']['MerchantsPayout']
            }
          }
        }
      }
    }
  }
  listMerchantPayoutEntries: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 25; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        before?: string
      }
      header?: never
      path: {
        payoutId: components['schemas']['PayoutId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              balanceEntries: {
                entryId: components['schemas']['EntryId']
                partnerCustomerId: components['schemas']['MerchantOwner']
                kind: components['schemas']['EntryKind']
                unit: string
                balance: components['schemas']['BalanceName']
                amount: components['schemas']['LedgerAmount']
                balanceAfter: components['schemas']['LedgerAmount']
                orderKey: components['schemas']['OrderKey'] | null
                orderId: string | null
                payoutId: components['schemas']['PayoutId'] | null
                reverses: components['schemas']['EntryId'] | null
                estimated: boolean
                effectiveAt: components['schemas']['Timestamp']
                recordedAt: components['schemas']['Timestamp']
                /** @description Part of the entry that this payout pays. All parts and the advance add up to the payout */
                paidAmount: components['schemas']['LedgerAmount']
              }[]
              nextCursor: components['schemas']['NextCursor']
            }
          }
        }
      }
    }
  }
  listMerchantOrderSettlements: {
    parameters: {
      query?: never
      header?: never
      path: {
        orderKey: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              settlements: components['schemas']['OrderSettlement'][]
            }
          }
        }
      }
    }
  }
  listApiKeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['OwnApiKeyList']
          }
        }
      }
    }
  }
  revokeApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        keyId: components['schemas']['ApiKeyId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              /** @constant */
              ok: true
            }
          }
        }
      }
    }
  }
  createPortalLink: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoBody']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              portal_link: components['schemas']['PortalLink']
            }
          }
        }
      }
    }
  }
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 100; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['MerchantWebhookList']
          }
        }
      }
    }
  }
  createWebhook: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              id: components['schemas']['WebhookId']
              url: string
              integrationId: components['schemas']['IntegrationId'] | null
              createdAt: components['schemas']['Timestamp']
              webhookSecret: components['schemas']['WebhookSecret']
              duplicateOf?: components['schemas']['Duplicates']
            }
          }
        }
      }
    }
  }
  updateWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhookRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              id: components['schemas']['WebhookId']
              url: string
              integrationId?: components['schemas']['IntegrationId'] | null
              status?: components['schemas']['WebhookStatus']
              duplicateOf?: components['schemas']['Duplicates']
            }
          }
        }
      }
    }
  }
  deleteWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              /** @constant */
              ok: true
            }
          }
        }
      }
    }
  }
  rotateWebhookSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateWebhookSecretRequest']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              id: components['schemas']['WebhookId']
              url: string
              webhookSecret: components['schemas']['WebhookSecret']
              formerSecretUntil?: components['schemas']['Timestamp']
            }
          }
        }
      }
    }
  }
  testWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['WebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              success: boolean
              url: string
              httpStatus: number | null
              signed: boolean
              responseBody: string | null
              payload: components['schemas']['TestSent']
            }
          }
        }
      }
    }
  }
  listDeliveries: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Earliest creation, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest creation, exclusive */
        until?: components['schemas']['TimestampInput']
        status?: components['schemas']['DeliveryStatus']
        event_type?: string
        event_id?: string
      }
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['DeliveryList']
          }
        }
      }
    }
  }
  redeliverDelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        deliveryId: components['schemas']['DeliveryId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              delivery: components['schemas']['Delivery']
            }
          }
        }
      }
    }
  }
  listEvents: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Earliest creation, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest creation, exclusive */
        until?: components['schemas']['TimestampInput']
        status?: components['schemas']['EventStatus']
        event_type?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['LoggedEventList']
          }
        }
      }
    }
  }
  getEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        eventId: components['schemas']['EventId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              event: components['schemas']['LoggedEventDetail']
            }
          }
        }
      }
    }
  }
  listWebhookEvents: {
    parameters: {
      query?: {
        /** @description Page size, 1 to 100, default 50; other values are clamped */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        /** @description Earliest creation, inclusive */
        since?: components['schemas']['TimestampInput']
        /** @description Latest creation, exclusive */
        until?: components['schemas']['TimestampInput']
        status?: components['schemas']['EventStatus']
        event_type?: string
      }
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['LoggedEventList']
          }
        }
      }
    }
  }
  resendEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        eventId: components['schemas']['EventId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              delivery: components['schemas']['Delivery']
            }
          }
        }
      }
    }
  }
  listRedeliveries: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: components['schemas']['RedeliveryList']
          }
        }
      }
    }
  }
  createRedelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RedeliveryRequest']
      }
    }
    responses: {
      /** @description OK */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              redelivery: components['schemas']['Redelivery']
            }
          }
        }
      }
    }
  }
  getRedelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        redeliveryId: components['schemas']['RedeliveryId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              redelivery: components['schemas']['Redelivery']
            }
          }
        }
      }
    }
  }
  cancelRedelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        webhookId: components['schemas']['LoggedWebhookId']
        redeliveryId: components['schemas']['RedeliveryId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Success'] & {
            data: {
              redelivery: components['schemas']['Redelivery']
            }
          }
        }
      }
    }
  }
}
