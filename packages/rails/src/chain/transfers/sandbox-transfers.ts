import { type Asset, type Network, NETWORK_ASSETS } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { createJsonClient, failureOfStatus, readAnswer } from '../../http/json-client.ts'
import type { NetworkChains } from '../network.ts'
import { ASSET_DECIMALS, chainOf, isRecipient, networkFee, networkOf } from '../networks.ts'
import { fromUnits, toUnits } from '../units.ts'
import { busyIn, confirmationsIn } from './progress.ts'
import { TransferError, type SignedTransfer, type TransferRequest, type Transfers } from './transfers.ts'

export type SandboxTransfersOptions = Readonly<{
  network: Network
  /** The receiving account of the network, whose addresses payments gives to orders. */
  account: string
  chains: NetworkChains
  /** CHAIN_URL, without `/chain`. */
  baseUrl: string
  timeoutMs: number
}>

const MAX_ANSWER_BYTES = 65_536
/** Deep enough on every network. */
const CONFIRMATIONS = 64
const NOT_FOUND = 404
const CONFLICT = 409

const Balance = z.object({ amount: z.string(), nonce: z.int().nonnegative() })
const Accepted = z.object({ confirmations: z.int().nonnegative() })

const createClient = ({ network, baseUrl, timeoutMs }: SandboxTransfersOptions) => {
  const client = createJsonClient({ baseUrl, timeoutMs, maxBodyBytes: MAX_ANSWER_BYTES })
  return {
    balanceOf: async (address: string, asset: Asset, signal?: AbortSignal) => {
      const query = { network, asset, address }
      const answer = await client.send({ method: 'GET', path: '/chain/balances', query, signal })
      return readAnswer(answer, Balance)
    },
    isMined: async (txId: string, signal?: AbortSignal): Promise<boolean> => {
      const path = `/chain/transactions/${txId}`
      const answer = await client.send({ method: 'GET', path, signal })
      if (answer.status === NOT_FOUND) return false
      readAnswer(answer, Accepted)
      return true
    },
    send: async (transaction: unknown, signal?: AbortSignal): Promise<void> => {
      const answer = await client.send({
        ...{ method: 'POST', path: '/chain/transactions', body: transaction },
        signal,
      })
      if (answer.status === CONFLICT)
        throw new TransferError('rejected', "Another transaction took its place on the sandbox's chain")
      if (failureOfStatus(answer.status) !== null) readAnswer(answer, Accepted)
    },
    close: () => client.close(),
  }
}

/** Signs the sandbox's transfers: the result only describes their parts. */
const createSigning = (
  { network, chains }: SandboxTransfersOptions,
  addressOf: (index: number) => string,
) => {
  const { asset: feeAsset, amount: fee } = networkOf(network).fee
  const feeUnits = (asset: Asset): bigint => toUnits(networkFee(network, asset) ?? '0', ASSET_DECIMALS[asset])
  return {
    feeUnits,
    check: (asset: Asset, toAddress: string | null): void => {
      if (!(NETWORK_ASSETS[network] as readonly Asset[]).includes(asset))
        throw new TransferError('unsupported', `${network} has no ${asset}`)
      if (toAddress !== null && !isRecipient(network, toAddress, chains))
        throw new TransferError('wrong_address', `${toAddress} is not an address on ${network}`)
    },
    signFrom: (
      { index, asset, toAddress }: Readonly<{ index: number; asset: Asset; toAddress: string }>,
      units: bigint,
      nonce: number,
    ): SignedTransfer => {
      const decimals = ASSET_DECIMALS[asset]
      const arrives = units - feeUnits(asset)
      if (arrives <= 0n) throw new TransferError('below_dust', `The fee of ${fee} ${feeAsset} leaves nothing`)
      const from = addressOf(index)
      const transaction = {
        ...{ network, asset, from, nonce, to: toAddress },
        ...{ leaves: fromUnits(units, decimals), amount: fromUnits(arrives, decimals) },
      }
      const txId = createHash('sha256').update(JSON.stringify(transaction)).digest('hex')
      return {
        ...{ network, asset, toAddress, amount: transaction.amount, networkFee: fee, feeAsset, txId },
        sources: [{ index, address: from, amount: transaction.leaves }],
        rawTransactions: [JSON.stringify({ tx_id: txId, ...transaction })],
        spends: [`${from}/${nonce}`],
        signedAt: 0,
      }
    },
  }
}

/**
 * Transfers on the sandbox's chain, for development: it checks no signature, mines immediately, and charges the fee that
 * orders show.
 */
export const createSandboxTransfers = (options: SandboxTransfersOptions): Transfers => {
  const { network, account, chains } = options
  const client = createClient(options)
  const derive = networkOf(network).account.open(account, chainOf(network, chains))
  const addressOf = (index: number) => derive(index).watchAddress
  const { check, feeUnits, signFrom } = createSigning(options, addressOf)
  const { amount: fee } = networkOf(network).fee

  const progressOf: Transfers['progressOf'] = async ({ txId, asset, spends }, signal) => {
    if (await client.isMined(txId, signal))
      return { state: 'mined', confirmations: CONFIRMATIONS, networkFee: fee }
    const [address = '', nonce] = spends[0]?.split('/') ?? []
    const used = (await client.balanceOf(address, asset, signal)).nonce
    return used > Number(nonce)
      ? { state: 'failed', reason: 'replaced', confirmations: CONFIRMATIONS, networkFee: '0' }
      : { state: 'unknown' }
  }

  /** The signed transfer is only a description: creating one has no risk. */
  const signOne = async (
    { fromIndex: index, asset, toAddress, amount }: TransferRequest,
    signal?: AbortSignal,
  ): Promise<SignedTransfer> => {
    check(asset, toAddress)
    const decimals = ASSET_DECIMALS[asset]
    const held = await client.balanceOf(addressOf(index), asset, signal)
    const units = toUnits(amount, decimals)
    if (toUnits(held.amount, decimals) < units)
      throw new TransferError(
        'insufficient_funds',
        `The address holds ${held.amount} ${asset}, not ${amount}`,
      )
    return signFrom({ index, asset, toAddress }, units, held.nonce)
  }

  return {
    network,
    canSend: true,
    gasAddress: null,
    addressOf,
    verify: () => Promise.resolve(),
    sign: async (request, outstanding, signal) => {
      if (busyIn(outstanding).has(request.fromIndex))
        throw new TransferError(
          'address_busy',
          `A transfer from address ${request.fromIndex} is not confirmed yet`,
        )
      return signOne(request, signal)
    },
    estimate: signOne,
    signSweep: async ({ fromIndices, asset, toAddress }, outstanding, signal) => {
      check(asset, toAddress)
      const busy = busyIn(outstanding)
      for (const index of fromIndices.filter((candidate) => !busy.has(candidate))) {
        const held = await client.balanceOf(addressOf(index), asset, signal)
        const units = toUnits(held.amount, ASSET_DECIMALS[asset])
        if (units > feeUnits(asset)) return signFrom({ index, asset, toAddress }, units, held.nonce)
      }
      return null
    },
    // Every transfer is mined when it is sent.
    height: () => Promise.resolve(0),
    signReplacement: () => Promise.resolve(null),
    broadcast: async ({ rawTransactions }, signal) => {
      for (const raw of rawTransactions) await client.send(JSON.parse(raw), signal)
    },
    progressOf,
    confirmationsOf: async (transfer, signal) => confirmationsIn(await progressOf(transfer, signal)),
    balanceOf: async (index, asset, signal) => {
      check(asset, null)
      return (await client.balanceOf(addressOf(index), asset, signal)).amount
    },
    close: () => client.close(),
  }
}
