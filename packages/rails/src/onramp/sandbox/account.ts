import { ConfigError, setting } from '@causeway/chassis/settings'
import { defineOnrampAccount } from '../account.ts'
import { createSandboxOnrampProvider } from './adapter.ts'

export const SANDBOX_ONRAMP_ACCOUNT = defineOnrampAccount({
  settings: {
    ONRAMP_URL: setting.httpUrl({
      optional: true,
      doc: "URL of the sandbox's onramp provider. Development only",
    }),
    SANDBOX_ONRAMP_SECRET: setting.string({
      optional: true,
      secret: true,
      doc: "Secret with which the sandbox's onramp provider signs its notices. Set together with ONRAMP_URL",
    }),
  },
  toAccount({ ONRAMP_URL: baseUrl, SANDBOX_ONRAMP_SECRET: secret }) {
    if ((baseUrl === undefined) !== (secret === undefined))
      throw new ConfigError('Bad settings: set both ONRAMP_URL and SANDBOX_ONRAMP_SECRET, or neither')
    return baseUrl === undefined || secret === undefined ? null : { baseUrl, secret }
  },
  open: (account, { timeoutMs }) => createSandboxOnrampProvider({ ...account, timeoutMs }),
})
