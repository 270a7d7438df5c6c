import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  hasLitecoinNode,
  onLitecoinNode,
  startLitecoinNode,
  type LitecoinNode,
} from '../../../tests/bitcoin/litecoin-node.ts'
import { elsewhere, signPayments } from '../../../tests/bitcoin/spending.ts'
import { MINIMUM_AMOUNTS } from '../networks.ts'
import { fromUnits, toUnits } from '../units.ts'

type Judged = Readonly<{ allowed: boolean; 'reject-reason'?: string }>
;(hasLitecoinNode ? describe : describe.skip)(`the least amount of an order, on ${onLitecoinNode}`, () => {
  let node: LitecoinNode
  beforeAll(async () => {
    node = await startLitecoinNode()
  })
  afterAll(() => node.stop())

  test('sets the minimum to the least amount that a node relays to a segwit address', async () => {
    const judge = async (units: bigint): Promise<Judged> => {
      const { hex } = await signPayments(node, [[await elsewhere(node), fromUnits(units, 8)]])
      const [judged] = await node.rpc<Judged[]>('testmempoolaccept', [hex])
      if (!judged) throw new Error('The node did not judge the transaction')
      return judged
    }
    const minimum = toUnits(MINIMUM_AMOUNTS.LTC, 8)
    expect(await judge(minimum)).toMatchObject({ allowed: true })
    expect(await judge(minimum - 1n)).toMatchObject({ allowed: false, 'reject-reason': 'dust' })
  })
})
