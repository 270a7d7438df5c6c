import type { Asset, Network } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { factsOfStep } from '../../services/signer/src/transfers/facts.ts'
import type { TransferRow } from './checks/books-model.ts'

type Sweep = TransferRow & Readonly<{ id: string; signed: string }>
type Options = Readonly<{ post: (facts: readonly object[]) => void; now: () => Date }>

const UNITS = [
  ['BTC', 'BTC'],
  ['ETH', 'ETH'],
  ['ETH', 'USDC'],
] as const
const coinOf = (network: Network): Asset => (network === 'BTC' ? 'BTC' : 'ETH')
const REST = '0.5'
const HIGHEST_FEE = '0.001'

/** Sweeps of two addresses each: broadcast, then confirmed, or failed at the cost of a fee. The signer makes the facts. */
export const createSweepHistory = ({ post, now }: Options) => {
  const sweeps = new Map<string, Sweep>()

  const start = (choice: number): void => {
    const id = `swp_${sweeps.size + 1}`
    const [network, asset] = UNITS[choice % 3] ?? UNITS[0]
    const [decimals, coin, first] = [ASSET_DECIMALS[asset], coinOf(network), `${1 + (choice % 7)}.25`]
    const taken = toUnits(first, decimals) + toUnits(REST, decimals)
    const arrived = fromUnits(taken - (coin === asset ? toUnits(HIGHEST_FEE, decimals) : 0n), decimals)
    const signed = JSON.stringify({
      ...{ network, asset, feeAsset: coin, sources: [{ amount: first }, { amount: REST }] },
      ...{ amount: arrived, networkFee: HIGHEST_FEE },
    })
    const transfer = { id, purpose: 'sweep', status: 'signed', signed } as const
    post(factsOfStep(transfer, { step: 'broadcast', at: now(), networkFee: null }))
    sweeps.set(id, {
      ...{ id, signed, purpose: 'sweep', status: 'broadcast', network, asset },
      ...{ taken: fromUnits(taken, decimals), arrived, networkFee: '0' },
    })
  }

  /** Ends one that is under way. A network takes at most the highest fee: the rest stays at the address. */
  const end = (choice: number): void => {
    const underWay = [...sweeps.values()].filter(({ status }) => status === 'broadcast')
    const sweep = underWay[choice % Math.max(1, underWay.length)]
    if (sweep === undefined) return
    const [step, networkFee] = [choice % 3 === 0 ? 'failed' : 'confirmed', `0.000${choice % 10}`] as const
    const { id, signed } = sweep
    const transfer = { id, purpose: 'sweep', status: 'broadcast', signed } as const
    post(factsOfStep(transfer, { step, at: now(), networkFee }))
    sweeps.set(id, { ...sweep, status: step, networkFee })
  }

  return { start, end, rows: (): TransferRow[] => [...sweeps.values()] }
}
