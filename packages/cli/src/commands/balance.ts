import type { Schemas } from '@causeway/client'
import type { Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { time, unitAmount } from '../output/values.ts'
import { limitOption, take } from './options.ts'

type Wallet = Schemas['Wallet']
type Entry = Schemas['BalanceEntry']

const WALLETS: Columns<Wallet> = {
  UNIT: (row) => row.unit,
  PENDING: (row) => unitAmount(row.pending, row.unit),
  AVAILABLE: (row) => unitAmount(row.available, row.unit),
  RESERVED: (row) => unitAmount(row.reserved, row.unit),
  'ON THE WAY': (row) => unitAmount(row.on_the_way, row.unit),
  'NEXT AVAILABLE': (row) => time(row.next_available_at),
}

const ENTRIES: Columns<Entry> = {
  RECORDED: (row) => time(row.recorded_at),
  KIND: (row) => row.kind,
  BALANCE: (row) => row.balance,
  AMOUNT: (row) => unitAmount(row.amount, row.unit),
  AFTER: (row) => unitAmount(row.balance_after, row.unit),
  ORDER: (row) => row.order_key ?? row.order_id,
}

/** `causeway balance` and `causeway balance-entries`. */
export const addBalance = (program: Command, context: Context): void => {
  program
    .command('balance')
    .description("show a customer's balances by unit, or your own earnings")
    .argument('[customer]', 'customer id, pcu_…; default: your own balances')
    .addHelpText(
      'after',
      '\nExamples:\n  causeway balance\n  causeway balance pcu_01m801ke2kfvnarpgmy7edev97',
    )
    .action(
      actWith(context, async (session, { args: [customerId], output }) => {
        const partner = session.partner()
        const { wallets } = await (customerId === undefined
          ? partner.listOwnWallets()
          : partner.listWallets({ customerId }))
        output.list(WALLETS, wallets)
      }),
    )

  program
    .command('balance-entries')
    .description("list the entries of a customer's balances, or of yours, newest first")
    .argument('[customer]', 'customer id, pcu_…; default: your own balances')
    .option('--unit <unit>', 'only this unit, such as EUR or ETH/USDC')
    .option('--order-key <key>', 'only this card order')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\nExample:\n  causeway balance-entries pcu_01m801ke2kfvnarpgmy7edev97 --unit EUR --limit 50',
    )
    .action(
      actWith<{ unit?: string; orderKey?: string; limit: number }>(
        context,
        async (session, { args: [customerId], options: { unit, orderKey, limit }, output }) => {
          const partner = session.partner()
          const filter = {
            ...(unit !== undefined && { unit }),
            ...(orderKey !== undefined && { order_key: orderKey }),
          }
          const entries =
            customerId === undefined
              ? partner.listOwnBalanceEntries.all(filter)
              : partner.listBalanceEntries.all({ customerId, ...filter })
          output.list(ENTRIES, await take(entries, limit))
        },
      ),
    )
}
