/** Columns of an order as `OrderRecord` names them; `o` is the alias of `crypto_orders`. */
export const ORDER_COLUMNS = `
  o.id, o.partner_id AS "partnerId", o.partner_customer_id AS "partnerCustomerId", o.merchant_id AS "merchantId",
  o.reference, o.network, o.asset, o.amount, o.network_fee AS "networkFee", o.total_to_send AS "totalToSend",
  o.currency, o.fiat_amount AS "fiatAmount", o.address, o.watch_address AS "watchAddress", o.status, o.received,
  o.created_at AS "createdAt", o.expires_at AS "expiresAt"`
