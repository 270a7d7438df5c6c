import { ConfigError, setting } from '@causeway/chassis/settings'
import { defineOnrampAccount, onrampNoticeUrl } from '../account.ts'
import { BANXA_KEY, createBanxaProvider } from './adapter.ts'

export const BANXA_ACCOUNT = defineOnrampAccount({
  settings: {
    BANXA_URL: setting.httpUrl({
      default: 'https://api.banxa.com',
      doc: "URL of Banxa's API. Banxa's sandbox: https://api.banxa-sandbox.com",
    }),
    BANXA_PARTNER: setting.string({
      optional: true,
      doc: "Partner reference of the Banxa account, part of every API path. Required if ONRAMP_PROVIDER is banxa, with the account's key and secret",
    }),
    BANXA_API_KEY: setting.string({
      optional: true,
      secret: true,
      doc: 'API key of the Banxa account (x-api-key)',
    }),
    BANXA_WEBHOOK_KEY: setting.string({
      optional: true,
      doc: "Key id in Banxa's webhook signature. Default: `BANXA_API_KEY`",
    }),
    BANXA_WEBHOOK_SECRET: setting.string({
      optional: true,
      secret: true,
      doc: 'Secret that signs the notices to /api/callbacks/onramp/banxa',
    }),
  },
  toAccount(values) {
    const { BANXA_PARTNER: partner, BANXA_API_KEY: apiKey, BANXA_WEBHOOK_SECRET: webhookSecret } = values
    if (partner === undefined || apiKey === undefined || webhookSecret === undefined) {
      const missing = (['BANXA_PARTNER', 'BANXA_API_KEY', 'BANXA_WEBHOOK_SECRET'] as const)
        .filter((name) => values[name] === undefined)
        .map((name) => `${name} is not set, but ONRAMP_PROVIDER is banxa`)
      throw new ConfigError(`Bad settings: ${missing.join('; ')}`)
    }
    const webhookKey = values.BANXA_WEBHOOK_KEY ?? apiKey
    return { apiUrl: values.BANXA_URL, partner, apiKey, webhookKey, webhookSecret }
  },
  open: (account, { publicBaseUrl, timeoutMs }) =>
    createBanxaProvider({
      ...account,
      timeoutMs,
      noticeUrl: onrampNoticeUrl(publicBaseUrl, BANXA_KEY),
      fallbackReturnUrl: `${publicBaseUrl}/`,
    }),
})
