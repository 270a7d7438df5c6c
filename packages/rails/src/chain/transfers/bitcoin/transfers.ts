import { parametersOf } from '../../bitcoin/parameters.ts'
import { checkBitcoinEndpoints, verifyBitcoin } from '../../bitcoin/verify.ts'
import { isRecipient, networkOf } from '../../networks.ts'
import { fromUnits, toUnits } from '../../units.ts'
import { broadcastToAll } from '../broadcast.ts'
import { busyIn, confirmationsIn } from '../progress.ts'
import { type SignedTransfer, TransferError, type TransferRequest, type Transfers } from '../transfers.ts'
import { type Plan, planSweep, planTransfer } from './plan.ts'
import { planReplacement, raiseFee, readParts } from './replacing.ts'
import { isSignedByKeys, scriptOf, signPlan } from './signing.ts'
import { outpointOf, parseOutpoint } from './spending-endpoint.ts'
import { type BitcoinTransfersOptions, openSpendingEndpoints, readFeeRate } from './spending-endpoints.ts'

const DECIMALS = 8
const decimal = (units: bigint): string => fromUnits(units, DECIMALS)

type Signing = Readonly<{
  plan: Plan
  /** Numbers of the addresses that may be spent from. */
  indices: ReadonlyMap<string, number>
  toAddress: string
  changeScript: Uint8Array | null
  signedAt: number
  replacedAt?: number
}>

const signWith =
  ({ network, chain, keys }: BitcoinTransfersOptions) =>
  async ({
    plan,
    indices,
    toAddress,
    changeScript,
    signedAt,
    replacedAt,
  }: Signing): Promise<SignedTransfer> => {
    const parameters = parametersOf(network, chain)
    const indexOf = (address: string) => indices.get(address) ?? Number.NaN
    const scripts = { to: scriptOf(toAddress, parameters), change: changeScript }
    const { txId, rawTransaction } = await signPlan(plan, scripts, { keys, indexOf, parameters })
    const given = new Map<string, bigint>()
    for (const { address, value } of plan.inputs) given.set(address, (given.get(address) ?? 0n) + value)
    return {
      network,
      asset: network,
      sources: [...given].map(([address, value]) => ({
        index: indexOf(address),
        address,
        amount: decimal(value - plan.change),
      })),
      toAddress,
      amount: decimal(plan.arrives),
      networkFee: decimal(plan.fee),
      feeAsset: network,
      txId,
      rawTransactions: [rawTransaction],
      spends: plan.inputs.map(outpointOf),
      signedAt,
      ...(replacedAt !== undefined && { replacedAt }),
    }
  }

/** @throws TransferError for what is no recipient on the chain, and for another network's asset */
const createChecks = ({ network, chain }: BitcoinTransfersOptions) => ({
  ownAsset: (asset: string): void => {
    if (asset !== network) throw new TransferError('unsupported', `${network} has no ${asset}`)
  },
  toScriptOf: (toAddress: string): Uint8Array => {
    if (isRecipient(network, toAddress, { [network]: chain }))
      return scriptOf(toAddress, parametersOf(network, chain))
    throw new TransferError(
      'wrong_address',
      `${toAddress} is not an address on the chain ${chain} of ${network}`,
    )
  },
})

const openEndpoints = (options: BitcoinTransfersOptions) => {
  const { network, chain } = options
  const parameters = parametersOf(network, chain)
  return checkBitcoinEndpoints(openSpendingEndpoints(options), { network, chain, parameters })
}

/** Plans the inputs and outputs of a transfer. */
const createPlanning = (options: BitcoinTransfersOptions, endpoints: ReturnType<typeof openEndpoints>) => {
  const { network, chain, keys } = options
  const derive = networkOf(network).account.open(keys.account, chain)
  const addressOf = (index: number) => derive(index).watchAddress
  const { ownAsset, toScriptOf } = createChecks(options)
  const readHeight = async (signal?: AbortSignal) =>
    (await endpoints.first((endpoint) => endpoint.tip(signal))).number
  const search = (addresses: readonly string[], signal?: AbortSignal) =>
    endpoints.first((endpoint) => endpoint.search(addresses, signal))
  const planOf = async (
    { fromIndex, asset, toAddress, amount, coins: known }: TransferRequest,
    signal?: AbortSignal,
  ) => {
    ownAsset(asset)
    const toScript = toScriptOf(toAddress)
    const address = addressOf(fromIndex)
    const found = known
      ? await endpoints.first((endpoint) => endpoint.lookUp(known, signal))
      : await search([address], signal)
    const coins = found.filter((coin) => coin.address === address)
    const rate = await readFeeRate(endpoints, options, signal)
    const changeScript = scriptOf(address, parametersOf(network, chain))
    const plan = planTransfer({ network, coins, toScript, rate }, toUnits(amount, DECIMALS), changeScript)
    return { address, changeScript, plan }
  }
  return { addressOf, readHeight, search, planOf }
}

const createReplacement = (
  options: BitcoinTransfersOptions,
  endpoints: ReturnType<typeof openEndpoints>,
  { addressOf, readHeight }: ReturnType<typeof createPlanning>,
): Transfers['signReplacement'] => {
  const { network, chain, keys } = options
  const { ownAsset, toScriptOf } = createChecks(options)
  const sign = signWith(options)
  return async (previous, feeMax, signal) => {
    ownAsset(previous.asset)
    const { toAddress, sources, spends, signedAt } = previous
    const indices = new Map(sources.map(({ index }) => [addressOf(index), index]))
    const foreign = sources.find(({ index, address }) => indices.get(address) !== index)
    const [own] = indices.keys()
    if (foreign !== undefined || own === undefined)
      throw new Error(`Transfer ${previous.txId} spends from an address that is not of this wallet`)
    const changeScript = scriptOf(own, parametersOf(network, chain))
    const parts = readParts(previous, toScriptOf(toAddress), changeScript)
    const rate = await readFeeRate(endpoints, options, signal)
    const raised = raiseFee(parts, options, rate, feeMax)
    const coins = await endpoints.first((endpoint) => endpoint.lookUp(spends.map(parseOutpoint), signal))
    const plan = planReplacement(parts, raised, coins)
    if (plan === null) return null
    const indexOf = (address: string) => indices.get(address) ?? Number.NaN
    if (!(await isSignedByKeys(parts.rawTransaction, plan.inputs, { keys, indexOf })))
      throw new Error(`This wallet has not signed transfer ${previous.txId}`)
    const replacedAt = await readHeight(signal)
    return sign({ plan, indices, toAddress, changeScript, signedAt, replacedAt })
  }
}

/** Transfers of Bitcoin and Litecoin (docs/chains/bitcoin.md#sending). */
export const createBitcoinTransfers = (options: BitcoinTransfersOptions): Transfers => {
  const { network } = options
  const endpoints = openEndpoints(options)
  const { ownAsset, toScriptOf } = createChecks(options)
  const sign = signWith(options)

  const planning = createPlanning(options, endpoints)
  const { addressOf, readHeight, search, planOf } = planning
  const progressOf: Transfers['progressOf'] = async (transfer, signal) => {
    const seen = await endpoints.first((endpoint) => endpoint.sightingOf(transfer, signal))
    if (seen.state === 'mined') return { ...seen, networkFee: transfer.networkFee }
    return seen.state === 'failed' ? { ...seen, networkFee: '0' } : seen
  }

  return {
    network,
    canSend: true,
    gasAddress: null,
    addressOf,
    verify: () => verifyBitcoin(endpoints),
    sign: async (request, outstanding, signal) => {
      const { fromIndex, toAddress } = request
      if (busyIn(outstanding).has(fromIndex))
        throw new TransferError('address_busy', `A transfer from address ${fromIndex} is not confirmed yet`)
      const signedAt = await readHeight(signal)
      const { plan, address, changeScript } = await planOf(request, signal)
      return sign({ plan, indices: new Map([[address, fromIndex]]), toAddress, changeScript, signedAt })
    },
    estimate: async (request, signal) => {
      const { plan } = await planOf(request, signal)
      return { amount: decimal(plan.arrives), networkFee: decimal(plan.fee), feeAsset: network }
    },
    signSweep: async ({ fromIndices, asset, toAddress }, outstanding, signal) => {
      ownAsset(asset)
      const toScript = toScriptOf(toAddress)
      const busy = busyIn(outstanding)
      const free = fromIndices.filter((index) => !busy.has(index))
      const indices = new Map(free.map((index) => [addressOf(index), index]))
      if (indices.size === 0) return null
      const signedAt = await readHeight(signal)
      const coins = await search([...indices.keys()], signal)
      const rate = await readFeeRate(endpoints, options, signal)
      const plan = planSweep({ network, coins, toScript, rate }, [...indices.keys()])
      return plan && sign({ plan, indices, toAddress, changeScript: null, signedAt })
    },
    height: readHeight,
    signReplacement: createReplacement(options, endpoints, planning),
    broadcast: ({ rawTransactions }, signal) =>
      broadcastToAll(endpoints, async (endpoint) => {
        for (const rawTransaction of rawTransactions) await endpoint.send(rawTransaction, signal)
      }),
    progressOf,
    confirmationsOf: async (transfer, signal) => confirmationsIn(await progressOf(transfer, signal)),
    balanceOf: async (index, asset, signal) => {
      ownAsset(asset)
      const coins = await search([addressOf(index)], signal)
      return decimal(coins.reduce((sum, { value }) => sum + value, 0n))
    },
    close: () => endpoints.close(),
  }
}
