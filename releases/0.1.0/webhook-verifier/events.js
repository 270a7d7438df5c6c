/* Made from packages/contracts by scripts/generate-webhook-kit.ts: change the contracts, then run it. */
/* eslint-disable -- generated */

/** `data` of a crypto order; what the event cannot know is null. */

/** `data` of a card order; amounts in the minor unit of the currency. */

/** `order` of a crypto order on the merchant channel. */

/** `order` of a card order on the merchant channel; amounts in the minor unit. */

/** What the card processor said: beside `order`, under a key that bears the name of the processor. */

/** What a destination of the partner channel is sent; told apart by `event_type`. */

/** What a webhook of the merchant channel is sent; told apart by `event`, card and crypto orders by `integrationId`. */
