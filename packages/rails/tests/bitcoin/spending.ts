import type { LitecoinNode } from './litecoin-node.ts'

type Unspent = Readonly<{ txid: string; vout: number; amount: number }>
/** Address and amount, in order; an address may come twice. */
export type Payments = readonly (readonly [address: string, amount: string])[]

const scriptOf = async (node: LitecoinNode, address: string): Promise<string> =>
  (await node.wallet<{ scriptPubKey: string }>('getaddressinfo', address)).scriptPubKey

/** Address of the wallet's own: neither of the two that a test watches. */
export const elsewhere = (node: LitecoinNode, kind = 'bech32'): Promise<string> =>
  node.wallet<string>('getnewaddress', '', kind)

/**
 * Signs one transaction that makes these payments in this order. The node refuses an address twice in one, so the
 * second gets a stand-in whose script is then replaced by the real one.
 * @param fee in the coin; what remains of the input goes back to the wallet
 */
export const signPayments = async (
  node: LitecoinNode,
  payments: Payments,
  { input, fee = '0.001' }: Readonly<{ input?: Unspent; fee?: string }> = {},
): Promise<Readonly<{ hex: string; input: Unspent }>> => {
  const [spent] = input ? [input] : (await spendable(node)).slice(0, 1)
  if (!spent) throw new Error('nothing to spend')
  const named = await Promise.all(
    payments.map(async ([address, amount]) => ({ address, amount, standIn: await elsewhere(node) })),
  )
  const paid = payments.reduce((sum, [, amount]) => sum + Number(amount), 0)
  const change = (spent.amount - paid - Number(fee)).toFixed(8)
  const outputs = [
    ...named.map(({ standIn, amount }) => ({ [standIn]: amount })),
    { [await elsewhere(node)]: change },
  ]
  let hex = await node.rpc<string>('createrawtransaction', [{ ...spent, sequence: 0xfffffffd }], outputs)
  for (const { address, standIn } of named) {
    const [from, to] = [await scriptOf(node, standIn), await scriptOf(node, address)]
    hex = hex.replace(lengthened(from), lengthened(to))
  }
  const signed = await node.wallet<{ hex: string }>('signrawtransactionwithwallet', hex)
  return { hex: signed.hex, input: spent }
}

/** A script as an output has it, behind its length. */
const lengthened = (script: string): string => (script.length / 2).toString(16).padStart(2, '0') + script

/** Coins that nothing in the mempool spends, the largest first. */
const spendable = async (node: LitecoinNode): Promise<readonly Unspent[]> =>
  (await node.wallet<Unspent[]>('listunspent', 1)).toSorted((a, b) => b.amount - a.amount)

/** Makes these payments in one transaction, which waits to be mined; gives its id and the coin it spends. */
export const pay = async (
  node: LitecoinNode,
  payments: Payments,
  options: Readonly<{ input?: Unspent; fee?: string }> = {},
): Promise<Readonly<{ txId: string; input: Unspent }>> => {
  const { hex, input } = await signPayments(node, payments, options)
  return { txId: await node.rpc<string>('sendrawtransaction', hex), input }
}
