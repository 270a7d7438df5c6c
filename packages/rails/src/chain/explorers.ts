import type { Setting, Settings } from '@causeway/chassis/settings'
import { faultOfUrl, NETWORKS, type Network } from '@causeway/contracts'

const TRANSACTION = '{tx}'

type ExplorerSettings = Readonly<
  Record<`${Network}_EXPLORER_URL`, Setting<string> & Readonly<{ optional: true }>>
>
/** `BTC_EXPLORER_URL` and so on: where a transaction is shown in a block explorer. */
export const EXPLORER_SETTINGS = Object.fromEntries(
  NETWORKS.map((network) => [
    `${network}_EXPLORER_URL`,
    {
      optional: true,
      doc: `Address of a transaction on ${network} in a block explorer, with ${TRANSACTION} for its id: the payment page links each deposit to it`,
      parse: (text: string): string => {
        if (!text.includes(TRANSACTION))
          throw new Error(`must contain ${TRANSACTION}, for the id of a transaction`)
        if (faultOfUrl(text.replaceAll(TRANSACTION, 'id')) !== null)
          throw new Error('must be an https address without credentials')
        return text
      },
    },
  ]),
) as ExplorerSettings

/** The setting of each network that has one. */
export type Explorers = Readonly<Partial<Record<Network, string>>>

export const explorersOf = (settings: Settings<ExplorerSettings>): Explorers =>
  Object.fromEntries(
    NETWORKS.flatMap((network) => {
      const url = settings[`${network}_EXPLORER_URL`]
      return url === undefined ? [] : [[network, url]]
    }),
  )

/** Returns the address of a transaction in the network's explorer; null without one. */
export const explorerUrl = (explorers: Explorers, network: Network, txId: string): string | null =>
  explorers[network]?.replaceAll(TRANSACTION, encodeURIComponent(txId)) ?? null
