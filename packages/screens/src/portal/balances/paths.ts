export const BALANCES_PATH = '/portal/balances'
export const ENTRIES_PATH = `${BALANCES_PATH}/entries`
export const ORDER_PATH = `${BALANCES_PATH}/order`
/** A card order is named by its key, a crypto order by its id. */
export const orderPath = (by: 'order_key' | 'order_id', order: string): string =>
  `${ORDER_PATH}?${new URLSearchParams({ [by]: order }).toString()}`
export const PAYOUTS_PATH = '/portal/payouts'
export const STATEMENTS_PATH = '/portal/statements'
export const payoutPath = (payoutId: string): string => `${PAYOUTS_PATH}/${payoutId}`
