import { setting, type Setting, type Settings } from '@causeway/chassis/settings'
import { NETWORKS, type Network } from '@causeway/contracts'
import { CONFIRMATION_DEPTHS } from './networks.ts'

type ConfirmationSettings = Readonly<Record<`${Network}_CONFIRMATIONS`, Setting<number>>>
/** `BTC_CONFIRMATIONS` and so on. At most half as deep as a reorganisation is followed. */
export const CONFIRMATION_SETTINGS = Object.fromEntries(
  NETWORKS.map((network): [string, Setting<number>] => [
    `${network}_CONFIRMATIONS`,
    setting.integer({
      default: String(CONFIRMATION_DEPTHS[network]),
      min: 1,
      max: 500,
      doc: `Confirmations after which a deposit on ${network} counts, including its own block; 1 to 500`,
    }),
  ]),
) as ConfirmationSettings

/** Blocks from which on a transaction counts, by network. */
export const confirmationsOf = (
  settings: Settings<ConfirmationSettings>,
): Readonly<Record<Network, number>> =>
  Object.fromEntries(NETWORKS.map((network) => [network, settings[`${network}_CONFIRMATIONS`]])) as Record<
    Network,
    number
  >
