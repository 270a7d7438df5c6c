import { randomUUID } from 'node:crypto'
import type { Input, PartnerClient } from '@causeway/client'
import { Option, type Command } from 'commander'
import { usageError } from '../cli-error.ts'
import { actWith, type Context } from '../context.ts'
import { amountCents, splitOf } from './options.ts'

type CryptoBody = Input<'createCryptoOrder'>['body']
type CardBody = Input<'createFiatOrder'>['body']

type Options = {
  kind: 'crypto' | 'card'
  amount: number
  currency: string
  reference?: string
  network: CryptoBody['network']
  asset: CryptoBody['asset']
  email: string
  integration?: string
  feePayer?: NonNullable<CardBody['service_fee_payer']>
  partnerFee?: number
  split?: NonNullable<CardBody['splits']>
  idempotencyKey?: string
}

const EXAMPLES = `
Examples:
  causeway orders create pcu_01m801ke2kfvnarpgmy7edev97 --amount 25 --reference invoice-1
  causeway orders create pcu_01m801ke2kfvnarpgmy7edev97 --kind card --amount 100 --json
  causeway orders create pcu_01m801ke2kfvnarpgmy7edev97 --kind card --amount 100 --split pcu_01m801ke2kfvnarpgmy7edev98=12.50`

/** The checkout that was named, or the customer's first: it has one from its sign-up. */
const integrationOf = async (partner: PartnerClient, customerId: string, named: string | undefined) => {
  if (named !== undefined) return named
  for await (const { integration_id } of partner.listIntegrations.all({ customerId })) return integration_id
  throw usageError('The customer has no checkout: name one with --integration int_…')
}

const createCard = async (partner: PartnerClient, customerId: string, options: Options) => {
  const { amount, currency, reference = null, feePayer, partnerFee, split, idempotencyKey } = options
  const integration_id = await integrationOf(partner, customerId, options.integration)
  const body = {
    integration_id,
    amount_cents: amount,
    currency,
    merchant_reference: reference,
    ...(feePayer !== undefined && { service_fee_payer: feePayer }),
    ...(partnerFee !== undefined && { partner_fee_cents: partnerFee }),
    ...(split !== undefined && { splits: split }),
  }
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  return (await partner.createFiatOrder({ customerId, body }, key)).order
}

const createCrypto = async (partner: PartnerClient, customerId: string, options: Options) => {
  const { network, asset, currency, email } = options
  // The API refuses a second order of a reference, so one that nobody chose is made up.
  const reference = options.reference ?? `cli-${randomUUID()}`
  const amount = (options.amount / 100).toFixed(2)
  const body = { reference, network, asset, amount, currency, email }
  return (await partner.createCryptoOrder({ customerId, body })).order
}

/** `causeway orders create`. */
export const addOrderCreate = (orders: Command, context: Context): void => {
  orders
    .command('create')
    .description('create an order')
    .argument('<customer>', 'customer id, pcu_…')
    .addOption(new Option('--kind <kind>', 'kind of order').choices(['crypto', 'card']).default('crypto'))
    .requiredOption('--amount <amount>', 'amount in the currency, such as 25 or 25.50', amountCents)
    .option('--currency <code>', 'ISO 4217', 'EUR')
    .option('--reference <text>', 'your reference of the order')
    .option('--network <network>', 'crypto: BTC, LTC, ETH, SOL, XRP', 'ETH')
    .option('--asset <asset>', 'crypto: asset to pay in', 'USDC')
    .option('--email <address>', "crypto: the buyer's e-mail address", 'buyer@example.com')
    .option('--integration <id>', "card: the checkout, int_…; default: the customer's first")
    .addOption(
      new Option('--fee-payer <who>', 'card: who pays the service fee').choices(['customer', 'merchant']),
    )
    .option('--partner-fee <amount>', 'card: your own fee, out of what the customer gets', amountCents)
    .option('--split <customer=amount>', "card: another customer's share, pcu_…=12.50; repeatable", splitOf)
    .option('--idempotency-key <key>', 'card: key of an earlier attempt, to create the order only once')
    .addHelpText('after', EXAMPLES)
    .action(
      actWith<Options>(context, async (session, { args: [customerId = ''], options, output }) => {
        const create = options.kind === 'card' ? createCard : createCrypto
        output.one(await create(session.partner(), customerId, options))
      }),
    )
}
